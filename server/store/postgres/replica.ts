/**
 * One server that settled rows may be read from: a standby of the primary that streams its changes.
 *
 * The check is made for each answer, on the snapshot that the answer comes from: same cluster, same timeline, still a standby, and at the
 * very block of the primary's snapshot. Behind it, rows are missing; ahead of it (a primary that waits for a synchronous standby shows a
 * block after its standbys do) it would show a status that the next answer of the primary does not have yet.
 */
import { type Kysely, sql } from 'kysely';
import { StoreUnavailableError } from '../errors.ts';
import { inTransaction } from '../in-transaction.ts';
import type { QueryContext } from '../queries/context.ts';
import type { Tables } from '../schema.ts';
import type { Host } from './address.ts';
import { StoreDialect, StoreDriver } from './dialect.ts';
import { messageOf } from './failure.ts';
import { REPLICA_BEHIND_PAUSE_MS, REPLICA_CONNECTIONS_MAX, REPLICA_LAG_BLOCKS_LOGGED } from './limits.ts';

/** Identity of a server, and its position. */
export interface Moment {
  readonly standby: boolean;
  readonly systemId: string;
  readonly timeline: number;
  /** Height of the last block applied: its settled rows and its events were written with it. */
  readonly height: number;
}

/**
 * A standby's timeline is the one of its last restart point, or of what it had to write out since: it has certainly reached that. Right
 * after a promotion elsewhere it may be on the new one already; until it reports that, it is not used.
 */
const MOMENT = sql<{ standby: boolean; system_id: string; timeline: string | number; height: number | null }>`
  select pg_is_in_recovery() as standby, (select system_identifier::text from pg_control_system()) as system_id,
  case when pg_is_in_recovery()
    then (select greatest(c.timeline_id, r.min_recovery_end_timeline)::text from pg_control_checkpoint() c, pg_control_recovery() r)
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int::text end as timeline,
  (select height from follower) as height`;

/** On the snapshot of the transaction that `db` is. */
export async function momentOf(db: Kysely<Tables>): Promise<Moment> {
  const { rows } = await MOMENT.execute(db);
  const [row] = rows;
  return {
    standby: row?.standby ?? false,
    systemId: row?.system_id ?? '',
    timeline: Number(row?.timeline ?? 0),
    height: row?.height ?? 0,
  };
}

/** At another block than the primary: a moment later it may be at the same. */
class OtherHeightError extends Error {
  override readonly name = 'OtherHeightError';
}

/** The reason why this server is not a copy of the primary; undefined when it is one. Its height is another matter. */
export function strangerTo(primary: Moment, own: Moment): string | undefined {
  if (!own.standby) return 'it is no standby: it was promoted, or is a server of its own';
  if (own.systemId !== primary.systemId)
    return `it belongs to another cluster: its system identifier is ${own.systemId}, expected ${primary.systemId}`;
  if (own.timeline !== primary.timeline) return `it is on timeline ${own.timeline}, the primary on ${primary.timeline}`;
  return undefined;
}

export class Replica {
  /** `host:port/database as user`. */
  readonly name: string;
  readonly #driver: StoreDriver;
  readonly #dialect: StoreDialect;
  readonly #fragments: QueryContext['fragments'];
  #fault: string | undefined = 'it was not asked yet';
  #behindUntilMs = 0;
  #lag: number | undefined;

  constructor(host: Host, fragments: QueryContext['fragments']) {
    this.name = host.text;
    this.#fragments = fragments;
    const target = {
      host,
      find: async () => host,
      suspect: () => undefined,
      onMoved: () => () => undefined,
      silent: () => undefined,
      onSilent: () => () => undefined,
    };
    // A lost idle connection is noticed by the next check.
    this.#driver = new StoreDriver({
      primary: target,
      kind: 'replica',
      connectionsMax: REPLICA_CONNECTIONS_MAX,
      onLost: () => undefined,
    });
    this.#dialect = new StoreDialect(this.#driver);
  }

  get isUsable(): boolean {
    return this.#fault === undefined && performance.now() >= this.#behindUntilMs;
  }

  /** The reason, as in the log, why it is not used; undefined when it is. */
  get trouble(): string | undefined {
    return (
      this.#fault ??
      (this.#lag !== undefined && this.#lag >= REPLICA_LAG_BLOCKS_LOGGED
        ? `it is ${this.#lag} blocks behind the primary`
        : undefined)
    );
  }

  /** Blocks behind the primary at the last check; undefined when it did not answer. */
  get lag(): number | undefined {
    return this.#lag;
  }

  /** Undefined, and nothing of its answer used, when it is not at the block of the primary. */
  async read<T>(primary: Moment, work: (context: QueryContext) => Promise<T>): Promise<{ answer: T } | undefined> {
    try {
      return await inTransaction(this.#driver, this.#dialect, async ({ db }) => {
        // Together in one round trip, on the snapshot that the first of them takes.
        const [own, answer] = await Promise.all([momentOf(db), work({ db, fragments: this.#fragments })]);
        const stranger = strangerTo(primary, own);
        if (stranger !== undefined) throw new StoreUnavailableError(stranger);
        if (own.height !== primary.height) throw new OtherHeightError();
        return { answer };
      });
    } catch (error) {
      if (error instanceof OtherHeightError) this.#behindUntilMs = performance.now() + REPLICA_BEHIND_PAUSE_MS;
      else this.#fault = messageOf(error);
      return undefined;
    }
  }

  /** Probes it: after a failure it is used again only when this succeeded. */
  async look(primary: Moment): Promise<void> {
    try {
      const own = await inTransaction(this.#driver, this.#dialect, ({ db }) => momentOf(db));
      this.#fault = strangerTo(primary, own);
      this.#lag = Math.max(primary.height - own.height, 0);
    } catch (error) {
      this.#fault = messageOf(error);
      this.#lag = undefined;
    }
  }

  async close(): Promise<void> {
    await this.#driver.destroy();
  }
}
