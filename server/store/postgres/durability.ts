/**
 * Checks while the gateway runs that what the server confirms is durable: an administrator can change every one of these settings without a
 * restart.
 *
 * Without fsync or full_page_writes a power cut loses acknowledged writes, so nothing is written while one of them is off. Missing
 * synchronous standbys lose nothing by themselves; a fail-over does, so the log and two gauges show how many there are.
 */
import type { Logger, StandbyCounts } from '../../engine/ports.ts';
import type { PostgresClient } from './library.ts';

interface Row {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  names: string;
  may_see: boolean;
  in_sync: number;
}

/**
 * Only members of pg_read_all_stats (pg_monitor) see which session waits for which standby. `synchronous_commit` is that of this session,
 * which sets it itself.
 */
const QUESTION = `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit, current_setting('synchronous_standby_names') as names,
  pg_has_role('pg_read_all_stats', 'usage') as may_see,
  (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as in_sync`;

const MUST_BE_ON = ['fsync', 'full_page_writes'] as const;

/**
 * Number of standbys that a commit waits for: `FIRST 2 (a, b, c)`, `ANY 1 (a, b)`, `2 (a, b)`, or a list, which means the first that is
 * connected.
 */
export function standbysWanted(names: string): number {
  const text = names.trim();
  if (text === '') return 0;
  const [, count = '1'] = /^(?:(?:first|any)\s+)?(\d+)\s*\(/i.exec(text) ?? [];
  return Number(count);
}

export class Durability {
  readonly #logger: Logger | undefined;
  #fault: string | undefined;
  #standbys: StandbyCounts | undefined;
  #logged: string | undefined;

  constructor(logger?: Logger) {
    this.#logger = logger;
  }

  /** The reason why nothing may be written now; undefined when it may. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** As of the last check; undefined before the first. */
  get standbys(): StandbyCounts | undefined {
    return this.#standbys;
  }

  /** Rejects as the query does. */
  async look(client: Pick<PostgresClient, 'query'>): Promise<void> {
    const { rows } = await client.query<Row>(QUESTION);
    const [row] = rows;
    if (row === undefined) return;
    this.#judge(row);
    this.#standbys = { wanted: standbysWanted(row.names), ...(row.may_see && { inSync: row.in_sync }) };
    this.#logStandbys(row.names, this.#standbys);
  }

  #judge(row: Row): void {
    const off: string[] = MUST_BE_ON.filter((name) => row[name] !== 'on');
    if (row.synchronous_commit === 'off') off.push('synchronous_commit');
    const fault =
      off.length === 0
        ? undefined
        : `this PostgreSQL server runs with ${off.join(' and ')} off: a power cut would take back what it confirmed. Nothing is written until it is on again`;
    if (fault !== this.#fault) {
      if (fault === undefined)
        this.#logger?.warn({}, 'the PostgreSQL server keeps what it confirms again: the gateway writes again');
      else this.#logger?.error({ off }, fault);
    }
    this.#fault = fault;
  }

  /** Logged at the first check, and when something changes. */
  #logStandbys(names: string, { wanted, inSync }: StandbyCounts): void {
    const now = `${names}/${inSync}`;
    if (now === this.#logged) return;
    const isFirst = this.#logged === undefined;
    this.#logged = now;
    const facts = { synchronousStandbyNames: names, wanted, inSync };
    if (wanted === 0)
      this.#logger?.warn(
        facts,
        'no synchronous standby: synchronous_standby_names is empty, so the loss of this PostgreSQL server loses what was acknowledged',
      );
    else if (inSync === undefined)
      this.#logger?.warn(
        facts,
        'how many standbys are synchronous cannot be seen: GRANT pg_monitor to the role of the gateway',
      );
    else if (inSync < wanted)
      this.#logger?.warn(
        facts,
        `${inSync} of ${wanted} synchronous standbys are there: commits wait until the others are`,
      );
    else if (!isFirst) this.#logger?.info(facts, 'the synchronous standbys are there');
  }
}
