/**
 * Kysely's SQLite dialect with two differences.
 *
 * A write transaction takes the write lock when it begins (`begin immediate`): one that reads first and takes the lock later is refused
 * without waiting when another process wrote in between. And errors arrive already sorted into the store's own kinds, with the failed
 * commit apart from the failed statement.
 */
import type { DatabaseConnection, Dialect, DialectAdapter, Driver, QueryCompiler } from 'kysely';
import { CompiledQuery, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { commitFailure, statementFailure } from './failure.ts';
import type { SqliteConnection } from './library.ts';
import { StatementCache } from './statement-cache.ts';

class TransactionalDdlAdapter extends SqliteAdapter {
  /** SQLite's schema statements are transactional; Kysely's default plays safe. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One connection, which its transactions have in turn. */
export class StoreDriver extends SqliteDriver {
  readonly #connection: SqliteConnection;
  readonly #begin: CompiledQuery;
  #lastTurn: Promise<void> = Promise.resolve();
  #endTurn: () => void = () => {};

  constructor(connection: SqliteConnection, access: 'write' | 'read') {
    super({ database: new StatementCache(connection) });
    this.#connection = connection;
    this.#begin = CompiledQuery.raw(access === 'write' ? 'begin immediate' : 'begin');
  }

  /** Resolves when the callers before have released it. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#lastTurn;
    const turn = Promise.withResolvers<void>();
    this.#lastTurn = turn.promise;
    await before;
    this.#endTurn = turn.resolve;
    return await super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#endTurn();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(this.#begin);
    } catch (error) {
      throw statementFailure(error);
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      throw commitFailure(error);
    }
  }

  /** SQLite rolls back by itself on some errors (a full disk); a second rollback would hide the first error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

export class StoreDialect implements Dialect {
  readonly #driver: StoreDriver;
  readonly #base: SqliteDialect;

  constructor(driver: StoreDriver, connection: SqliteConnection) {
    this.#driver = driver;
    this.#base = new SqliteDialect({ database: connection });
  }

  createDriver(): Driver {
    return this.#driver;
  }

  createQueryCompiler(): QueryCompiler {
    return this.#base.createQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }

  createIntrospector(
    ...parameters: Parameters<SqliteDialect['createIntrospector']>
  ): ReturnType<SqliteDialect['createIntrospector']> {
    return this.#base.createIntrospector(...parameters);
  }
}
