/**
 * Kysely's PostgreSQL dialect with a driver of our own: a transaction begins with its lock or its snapshot in one
 * round trip, errors arrive sorted into the store's own kinds, and a commit whose answer never came is told apart from
 * one that was never sent.
 */
import type { DatabaseConnection, Dialect, DialectAdapter, Driver, QueryCompiler } from 'kysely';
import { PostgresAdapter, PostgresDialect } from 'kysely';
import type { ConnectionCounts } from '../../engine/ports.ts';
import { StoreUnavailableError } from '../errors.ts';
import type { Address } from './address.ts';
import { connectFailure } from './address.ts';
import { PostgresConnection } from './connection.ts';
import { commitFailure, statementFailure } from './failure.ts';
import type { PostgresPool, PostgresPoolClient } from './library.ts';
import { createPool } from './library.ts';
import { ANSWER_MS_MAX } from './limits.ts';
import type { SessionKind } from './session.ts';

/** Any number, the same in every version of this program: who migrates holds it. */
const MIGRATION_LOCK = 7_421_903_355;
/** Another: who changes webhooks holds it. Webhooks have a lock of their own, so that no transfer waits for one. */
const WEBHOOKS_LOCK = 7_421_903_356;

/**
 * One writer at a time: every write transaction first locks the row of counters, and each of its statements then sees
 * all that was committed before. The isolation is named because a role may have another default.
 */
const BEGIN: Record<SessionKind, string> = {
  write: 'begin isolation level read committed read write; select 1 from counters where id = 1 for update',
  read: 'begin isolation level repeatable read read only',
  webhooks: `begin isolation level read committed read write; select pg_advisory_xact_lock(${WEBHOOKS_LOCK})`,
  migrate: `begin isolation level read committed read write; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
};

export interface DriverOptions {
  address: Address;
  kind: SessionKind;
  connectionsMax: number;
  /** Told when a connection that nobody was using is lost. */
  onLost: (error: unknown) => void;
}

/** Connections of one kind, out of a pool of their own. */
export class StoreDriver implements Driver {
  readonly #options: DriverOptions;
  readonly #pool: PostgresPool;
  readonly #connections = new WeakMap<PostgresPoolClient, PostgresConnection>();

  constructor(options: DriverOptions) {
    this.#options = options;
    // Connections stay open when idle: what is prepared on them stays prepared.
    const bounds = options.kind === 'migrate' ? {} : { query_timeout: ANSWER_MS_MAX, pipeline: true };
    this.#pool = createPool({ ...options.address.config, ...bounds, max: options.connectionsMax, idleTimeoutMillis: 0 });
    this.#pool.on('error', options.onLost);
    // As soon as it is there: between this and the moment in which whoever asked for it goes on, it can be lost already.
    this.#pool.on('connect', (client) => this.#connections.set(client, new PostgresConnection(client, options.kind)));
  }

  get connections(): ConnectionCounts {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async init(): Promise<void> {
    // The pool connects when it is asked to.
  }

  async acquireConnection(): Promise<PostgresConnection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw connectFailure(this.#options.address, error);
    });
    const connection = this.#connections.get(client);
    if (connection === undefined) throw new Error('the pool gave out a connection of which it had not told');
    try {
      await connection.setUp();
    } catch (error) {
      client.release(true);
      throw connectFailure(this.#options.address, error);
    }
    return connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // A write waits for its lock, and for being in a transaction at all.
    if (this.#options.kind === 'read') return ours(connection).begin(BEGIN.read);
    try {
      await ours(connection).run(BEGIN[this.#options.kind]);
    } catch (error) {
      // Begun, perhaps, but not locked.
      await this.rollbackTransaction(connection);
      throw statementFailure(error);
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const own = ours(connection);
    if (this.#options.kind === 'read') return endReading(own);
    if (own.lost) throw new StoreUnavailableError('the connection to PostgreSQL was lost before the commit was sent');
    const tag = await own.run('commit').catch((error: unknown) => {
      throw commitFailure(error);
    });
    if (tag !== 'COMMIT') throw new Error(`a transaction went on after one of its statements had failed: PostgreSQL answered ${tag}`);
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
    await this.#pool.end();
  }
}

/** What was read is known already: whoever has the connection next finds its transaction ended, or the connection lost. */
function endReading(connection: PostgresConnection): void {
  connection.run('commit').catch(() => connection.giveUp());
}

const ours = (connection: DatabaseConnection): PostgresConnection => connection as PostgresConnection;

class LockedByTransactionAdapter extends PostgresAdapter {
  /** The transaction in which migrations run has its lock, and keeps it until its commit; Kysely would let go before. */
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

  createIntrospector(...parameters: Parameters<PostgresDialect['createIntrospector']>): ReturnType<PostgresDialect['createIntrospector']> {
    return this.#base.createIntrospector(...parameters);
  }
}
