/**
 * Kysely's PostgreSQL dialect with a driver of our own: a transaction begins with its lock or its snapshot in one round trip, errors arrive
 * sorted into the store's own kinds, and a commit whose answer never came is distinguished from one that was never sent.
 */
import type { DatabaseConnection, Dialect, DialectAdapter, Driver, QueryCompiler } from 'kysely';
import { PostgresAdapter, PostgresDialect } from 'kysely';
import type { ConnectionCounts } from '../../engine/ports.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { PipeliningDriver } from '../in-transaction.ts';
import { RolledBackError } from '../in-transaction.ts';
import type { Turn } from '../types.ts';
import { connectFailure } from './address.ts';
import { PostgresConnection } from './connection.ts';
import { commitFailure, statementFailure } from './failure.ts';
import type { PostgresPool, PostgresPoolClient } from './library.ts';
import { createPool } from './library.ts';
import { ANSWER_MS_MAX, CONNECT_MS_MAX, REPLICA_ANSWER_MS_MAX } from './limits.ts';
import type { Primary } from './primary.ts';
import type { SessionKind } from './session.ts';

/** Key of the lock that a migration holds: any number, the same in every version of this program. */
const MIGRATION_LOCK = 7_421_903_355;
/**
 * Key of the lock that a change of webhooks holds: another number. Webhooks have a lock of their own, so that no transfer waits for one.
 */
const WEBHOOKS_LOCK = 7_421_903_356;

/**
 * Writers take turns: every write transaction first locks the rows of its shards, in their order, and each of its statements then sees
 * all that was committed before. The isolation is named because a role may have another default.
 */
const BEGIN_WRITING = 'begin isolation level read committed read write';
const BEGIN_READING = 'begin isolation level repeatable read read only';
const BEGIN: Record<SessionKind, string> = {
  write: `${BEGIN_WRITING}; select id from shards order by id for update`,
  read: BEGIN_READING,
  replica: BEGIN_READING,
  webhooks: `begin isolation level read committed read write; select pg_advisory_xact_lock(${WEBHOOKS_LOCK})`,
  migrate: `begin isolation level read committed read write; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
};

export interface DriverOptions {
  primary: Pick<Primary, 'host' | 'find' | 'suspect' | 'onMoved' | 'silent' | 'onSilent'>;
  kind: SessionKind;
  connectionsMax: number;
  /** Called when a connection that no caller was using is lost. */
  onLost: (error: unknown) => void;
}

/** First statement of a write transaction with such a turn. */
function beginning(turn: Turn): string {
  if (turn === 'all') return BEGIN.write;
  if (turn === 'none') return BEGIN_WRITING;
  const ids = turn.shards.map((id) => Number(id)).join(', ');
  return `${BEGIN_WRITING}; select id from shards where id in (${ids}) order by id for update${turn.waits ? '' : ' skip locked'}`;
}

/** Connections of one kind, out of a pool of their own. */
export class StoreDriver implements PipeliningDriver {
  /** PostgreSQL answers ROLLBACK to a COMMIT after a failed statement. */
  readonly commitsUnasked = true;
  readonly #options: DriverOptions;
  readonly #pool: PostgresPool;
  readonly #connections = new Map<PostgresPoolClient, PostgresConnection>();
  readonly #forget: () => void;

  constructor(options: DriverOptions) {
    this.#options = options;
    // Connections stay open when idle: statements prepared on them stay prepared.
    const answerMsMax = options.kind === 'replica' ? REPLICA_ANSWER_MS_MAX : ANSWER_MS_MAX;
    const bounds = options.kind === 'migrate' ? {} : { query_timeout: answerMsMax, pipeline: true };
    const { primary } = options;
    const connectMsMax = options.kind === 'replica' ? REPLICA_ANSWER_MS_MAX : CONNECT_MS_MAX;
    this.#pool = createPool(
      { connectionTimeoutMillis: connectMsMax, ...bounds, max: options.connectionsMax, idleTimeoutMillis: 0 },
      () => primary.host.config,
    );
    this.#pool.on('error', options.onLost);
    // As soon as it is there: it can be lost already before its caller continues.
    this.#pool.on('connect', (client) =>
      this.#connections.set(client, new PostgresConnection(client, options.kind, () => primary.silent())),
    );
    this.#pool.on('remove', (client) => this.#connections.delete(client));
    const forgets = [
      primary.onMoved(() => {
        for (const connection of this.#connections.values()) connection.cut();
      }),
      // A firewall that lost its connection table drops packets silently. Each idle connection would cost its next user the full
      // ANSWER_MS_MAX.
      primary.onSilent(() => {
        for (const connection of this.#connections.values()) if (!connection.isInUse) connection.cut();
      }),
    ];
    this.#forget = () => {
      for (const forget of forgets) forget();
    };
  }

  get connections(): ConnectionCounts {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async init(): Promise<void> {
    // The pool connects on demand.
  }

  async acquireConnection(): Promise<PostgresConnection> {
    const { primary } = this.#options;
    for (;;) {
      const host = await primary.find();
      const connection = await this.#connect(primary);
      // While it was being made another server may have become the primary.
      if (!connection.isCut && primary.host === host) return connection;
      connection.giveUp();
      connection.release();
    }
  }

  async #connect(primary: DriverOptions['primary']): Promise<PostgresConnection> {
    const failed = (error: unknown): never => {
      primary.suspect();
      throw connectFailure(primary.host, error);
    };
    const client = await this.#pool.connect().catch(failed);
    const connection = this.#connections.get(client);
    if (connection === undefined) throw new Error('the pool gave out a connection of which it had not told');
    connection.use();
    if (connection.isCut) return connection;
    try {
      await connection.setUp();
    } catch (error) {
      client.release(true);
      failed(error);
    }
    return connection;
  }

  /** Its answer is not awaited: statements sent after it fail when it failed, and are answered after the lock was taken. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    ours(connection).begin(BEGIN[this.#options.kind]);
  }

  async beginTurn(connection: DatabaseConnection, turn: Turn): Promise<void> {
    ours(connection).begin(beginning(turn));
  }

  /** The shards that a write transaction has. */
  async locked(connection: DatabaseConnection): Promise<number[]> {
    // The library's own error would look like a defect, although the server was only unavailable.
    const rows = await ours(connection).begun.catch((error: unknown) => {
      throw statementFailure(error);
    });
    return (rows as { id: number }[]).map(({ id }) => id);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const own = ours(connection);
    if (this.#options.kind === 'read' || this.#options.kind === 'replica') return endReading(own);
    if (own.lost) throw new StoreUnavailableError('the connection to PostgreSQL was lost before the commit was sent');
    const committing = own.run('commit').catch((error: unknown) => {
      throw commitFailure(error);
    });
    // Without its beginning nothing of it ran, and the commit was one of nothing.
    const [begun, committed] = await Promise.allSettled([own.begun, committing]);
    if (begun.status === 'rejected' && (committed.status === 'fulfilled' || own.lost === false))
      throw statementFailure(begun.reason);
    if (committed.status === 'rejected') throw committed.reason;
    if (committed.value !== 'COMMIT')
      throw new RolledBackError(
        `a transaction went on after one of its statements had failed: PostgreSQL answered ${committed.value}`,
      );
  }

  /** A failed rollback would hide the error that led to it; the connection is given up instead, and the server rolls back. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const own = ours(connection);
    if (!own.lost) await own.run('rollback').catch(() => own.giveUp());
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ours(connection).release();
  }

  async destroy(): Promise<void> {
    this.#forget();
    await this.#pool.end();
  }
}

/**
 * The results of the reads have arrived already: for the next user of the connection its transaction has ended, or the connection is lost.
 */
function endReading(connection: PostgresConnection): void {
  connection.run('commit').catch(() => connection.giveUp());
}

const ours = (connection: DatabaseConnection): PostgresConnection => connection as PostgresConnection;

class LockedByTransactionAdapter extends PostgresAdapter {
  /** The transaction in which migrations run has its lock, and keeps it until its commit; Kysely would release it earlier. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

export class StoreDialect implements Dialect {
  readonly #driver: Driver;
  readonly #base: PostgresDialect;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.#base = new PostgresDialect({ pool: () => Promise.reject(new Error('the store has a driver of its own')) });
  }

  createDriver(): Driver {
    return this.#driver;
  }

  createQueryCompiler(): QueryCompiler {
    return this.#base.createQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new LockedByTransactionAdapter();
  }

  createIntrospector(
    ...parameters: Parameters<PostgresDialect['createIntrospector']>
  ): ReturnType<PostgresDialect['createIntrospector']> {
    return this.#base.createIntrospector(...parameters);
  }
}
