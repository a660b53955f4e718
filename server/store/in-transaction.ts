/**
 * Transactions whose statements are sent as they are asked for, so that those that are asked for together cost one
 * round trip.
 *
 * Kysely's own send each only after the answer to the one before. And when one of several fails, those that wait
 * behind it can run while the transaction is being rolled back, and then in none: here they are refused.
 */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { Kysely } from 'kysely';
import type { Stopwatch } from '../engine/ports.ts';
import type { Tables } from './schema.ts';

/** What the work has of the connection, until the transaction ends: a statement after that would run in none. */
class OpenConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  #open = true;
  /** The first of them, which the others only follow from. */
  #failure: unknown;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#open) throw new Error('a statement came after the end of its transaction');
    try {
      return await this.#connection.executeQuery<R>(query);
    } catch (error) {
      this.#failure ??= error;
      throw this.#failure;
    }
  }

  close(): void {
    this.#open = false;
  }

  // oxlint-disable-next-line require-yield -- the interface demands a generator, and nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the store does not stream');
  }
}

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. What failed is not measured. `dialect` lends its language, not its driver. */
export async function inTransaction<T>(driver: Driver, dialect: Dialect, work: (db: Kysely<Tables>) => Promise<T>, measured: { whole?: Stopwatch | undefined; commit?: Stopwatch | undefined } = {}): Promise<T> {
  const { whole, commit } = measured;
  const startedMs = whole?.start() ?? 0;
  const connection = await driver.acquireConnection();
  const open = new OpenConnection(connection);
  try {
    await driver.beginTransaction(connection, {});
    try {
      const result = await work(queriesOn(open, dialect));
      open.close();
      const commitMs = commit?.start() ?? 0;
      await driver.commitTransaction(connection);
      commit?.stop(commitMs);
      whole?.stop(startedMs);
      return result;
    } catch (error) {
      open.close();
      await driver.rollbackTransaction(connection);
      throw error;
    }
  } finally {
    await driver.releaseConnection(connection);
  }
}

/** Kysely over this one connection. Making it costs about a microsecond. */
function queriesOn(connection: DatabaseConnection, dialect: Dialect): Kysely<Tables> {
  const nothing = async (): Promise<void> => {};
  const driver: Driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  };
  return new Kysely({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
    },
  });
}
