/**
 * Opens the store on a PostgreSQL database that several gateways may share.
 *
 * Connections of two kinds: writers, who take turns by a row lock, and readers, each on a snapshot, so that a list
 * never waits for a group commit. Connections that break are replaced when they are needed next.
 */
import { Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Logger } from '../../engine/ports.ts';
import { StoreUnavailableError, StoreUnsafeError } from '../errors.ts';
import { IdRanges } from '../id-ranges.ts';
import { inTransaction } from '../in-transaction.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../schema.ts';
import { countShards, readTransaction, writeTransaction } from '../transaction.ts';
import type { Store, StoreStopwatches } from '../types.ts';
import { parseAddress } from './address.ts';
import { StoreDialect, StoreDriver } from './dialect.ts';
import { Durability } from './durability.ts';
import { messageOf } from './failure.ts';
import { postgresFragments } from './fragments.ts';
import { dropLease, holdLease } from './leases.ts';
import { CONNECTIONS_MAX_DEFAULT, WRITERS_MAX } from './limits.ts';
import { Primary } from './primary.ts';
import { relocate } from './relocate.ts';
import { Replicas, type ReplicasOptions } from './replicas.ts';
import type { SessionKind } from './session.ts';
import { Watcher } from './watcher.ts';
import { WriteGate } from './write-gate.ts';

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:port/database`, several hosts in a list; directly to the servers: a pooler in between must keep
   * sessions.
   */
  url: string;
  /** Servers whose settled rows may be read, as `url`; none without it. */
  readUrl?: string | undefined;
  /** Connections at one time, at least 3; one more listens where changes are watched. */
  connectionsMax?: number;
  logger?: Logger;
  stopwatches?: StoreStopwatches | undefined;
}

export async function openPostgresStore({
  url,
  readUrl,
  connectionsMax = CONNECTIONS_MAX_DEFAULT,
  logger,
  stopwatches,
}: PostgresStoreOptions): Promise<Store> {
  const primary = new Primary(parseAddress(url), logger);
  const self = randomUUID();
  const fragments = postgresFragments(self);
  const connect = (kind: SessionKind, max: number): StoreDriver => {
    const onLost = (error: unknown): void =>
      logger?.warn(
        { err: new StoreUnavailableError(messageOf(error), { cause: error }) },
        'an idle connection to PostgreSQL was lost',
      );
    return new StoreDriver({ primary, kind, connectionsMax: max, onLost });
  };
  try {
    await bringUpToDate(new Kysely({ dialect: new StoreDialect(connect('migrate', 1)) }), fragments);
  } catch (error) {
    primary.close();
    throw error;
  }

  const writer = connect('write', WRITERS_MAX);
  const reader = connect('read', Math.max(connectionsMax - WRITERS_MAX, 1));
  const dialect = new StoreDialect(reader);
  const queries = new Kysely<Tables>({ dialect });
  const gate = new WriteGate();
  const durability = new Durability(logger);
  const watcher = new Watcher(primary, durability, self, logger);
  const shards = await countShards(queries);
  const write: Store['write'] = async (work, turn = 'all') => {
    if (durability.fault !== undefined) throw new StoreUnsafeError(durability.fault);
    return await gate.pass(() =>
      inTransaction(
        writer,
        dialect,
        ({ db, send, connection }) =>
          work(
            writeTransaction({ db, fragments, send }, shards, async () =>
              turn === 'none' ? [] : await writer.locked(connection),
            ),
          ),
        {
          begin: (connection) => writer.beginTurn(connection, turn),
          whole: stopwatches?.write,
          commit: stopwatches?.commit,
        },
      ),
    );
  };
  const readPrimary: ReplicasOptions['readPrimary'] = (work) =>
    inTransaction(reader, dialect, ({ db }) => work(readTransaction({ db, fragments }, shards), db), {
      whole: stopwatches?.read,
    });
  const now = readTransaction({ db: queries, fragments }, shards);
  const replicas = new Replicas({ url: readUrl, readPrimary, now, shards, fragments, logger });
  const ids = new IdRanges((counts) => write((tx) => tx.takeIds(counts), 'none'));
  return {
    shards,
    ids,
    sharing: {
      holdLease: (name, holder, ttlMs, evenIfHeld) =>
        holdLease(queries, name, holder, ttlMs, watcher.sessionKey ?? null, evenIfHeld),
      dropLease: (name, holder) => dropLease(queries, name, holder),
      watch: (listener) => watcher.watch(listener),
    },
    write,
    read: (work) => readPrimary((tx) => work(tx)),
    transfers: replicas,
    replicas: () => replicas.figures,
    useReplicas: (readFrom) => replicas.replace(readFrom),
    connections: () => {
      const [ofWriter, ofReader] = [writer.connections, reader.connections];
      return {
        busy: ofWriter.busy + ofReader.busy,
        idle: ofWriter.idle + ofReader.idle,
        waiting: ofWriter.waiting + ofReader.waiting,
      };
    },
    relocate: async (to, known) => {
      await relocate({ primary, gate }, to, known);
      ids.forget();
    },
    standbys: () => durability.standbys,
    now,
    close: async () => {
      await watcher.close();
      await replicas.close();
      await queries.destroy();
      await writer.destroy();
      primary.close();
    },
  };
}

async function bringUpToDate(db: Kysely<Tables>, fragments: Parameters<typeof migrate>[1]): Promise<void> {
  try {
    await migrate(db, fragments);
  } finally {
    await db.destroy();
  }
}
