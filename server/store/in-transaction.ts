/**
 * Transactions whose statements are sent at once, so that those that are issued together cost one round trip.
 *
 * Kysely's own send each only after the answer to the one before. And when one of several fails, those that wait after it can run while
 * the transaction is being rolled back, and then outside of any: here they are refused.
 *
 * Statements that the work has sent and not waited for are part of the transaction too. Where the driver declares that a failed one turns
 * the commit into a rollback, the commit is sent right after them; elsewhere they are awaited first.
 */
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { Kysely } from 'kysely';
import type { Stopwatch } from '../engine/ports.ts';
import type { Tables } from './schema.ts';

/** The work's part of the connection, until the transaction ends: a statement after that would run in none. */
class OpenConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #unanswered = new Set<Promise<unknown>>();
  #sentFailure: { error: unknown } | undefined;
  #open = true;
  /** The first failure, which has caused the others. */
  #failure: unknown;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#open) throw new Error('a statement came after the end of its transaction');
    const answer = this.#connection.executeQuery<R>(query);
    this.#unanswered.add(answer);
    try {
      return await answer;
    } catch (error) {
      this.#failure ??= error;
      throw this.#failure;
    } finally {
      this.#unanswered.delete(answer);
    }
  }

  /** The answer is not waited for; a failure is that of the transaction. */
  send(query: CompiledQuery): void {
    this.executeQuery(query).catch((error: unknown) => (this.#sentFailure ??= { error }));
  }

  /**
   * Sends nothing from then on. Returns the statements that were sent and have no answer yet; throws the failure of a statement that was
   * not waited for.
   */
  close(): Promise<unknown>[] {
    this.#open = false;
    if (this.#sentFailure !== undefined) throw this.#sentFailure.error;
    return [...this.#unanswered];
  }

  refuse(): void {
    this.#open = false;
  }

  // oxlint-disable-next-line require-yield -- the interface demands a generator, and nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the store does not stream');
  }
}

/** A driver whose server turns the commit into a rollback when a statement before it failed, and which then throws RolledBackError. */
export interface PipeliningDriver extends Driver {
  readonly commitsUnasked: true;
}

/** The server rolled back instead of committing: one of the statements failed, with the cause. */
export class RolledBackError extends Error {
  override readonly name = 'RolledBackError';
}

export interface Transaction {
  /** On its connection only. */
  db: Kysely<Tables>;
  /** Sends a statement in this very turn of the event loop; its answer is not waited for. */
  send(statement: CompiledQuery): void;
  connection: DatabaseConnection;
}

export interface TransactionOptions {
  /** Absent: as the driver begins one. */
  begin?: (connection: DatabaseConnection) => Promise<void>;
  whole?: Stopwatch | undefined;
  commit?: Stopwatch | undefined;
}

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. Failed ones are not measured. `dialect` lends its
 * language, not its driver.
 */
export async function inTransaction<T>(
  driver: Driver | PipeliningDriver,
  dialect: Dialect,
  work: (transaction: Transaction) => Promise<T>,
  { begin = (connection) => driver.beginTransaction(connection, {}), whole, commit }: TransactionOptions = {},
): Promise<T> {
  const startedMs = whole?.start() ?? 0;
  const connection = await driver.acquireConnection();
  const open = new OpenConnection(connection);
  try {
    await begin(connection);
    try {
      const result = await work({
        db: queriesOn(open, dialect),
        send: (statement) => open.send(statement),
        connection,
      });
      const unanswered = open.close();
      const commitMs = commit?.start() ?? 0;
      await end(driver, connection, unanswered);
      commit?.stop(commitMs);
      whole?.stop(startedMs);
      return result;
    } catch (error) {
      open.refuse();
      await driver.rollbackTransaction(connection);
      throw error;
    }
  } finally {
    await driver.releaseConnection(connection);
  }
}

async function end(
  driver: Driver | PipeliningDriver,
  connection: DatabaseConnection,
  unanswered: readonly Promise<unknown>[],
): Promise<void> {
  if (!('commitsUnasked' in driver)) {
    await Promise.all(unanswered);
    return await driver.commitTransaction(connection);
  }
  const [committed, ...answers] = await Promise.allSettled([driver.commitTransaction(connection), ...unanswered]);
  const failed = answers.find((answer) => answer.status === 'rejected');
  // A commit whose outcome is unknown is the more important error than a statement that the same broken connection failed.
  if (committed?.status === 'rejected' && !(committed.reason instanceof RolledBackError && failed !== undefined))
    throw committed.reason;
  if (failed !== undefined) throw failed.reason;
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
