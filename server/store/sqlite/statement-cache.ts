/**
 * Keeps compiled statements, because Kysely has SQLite compile the same text again at every call.
 *
 * The store's statements are set-based, so their text does not depend on how many rows they carry and a small cache holds them all.
 */
import type { SqliteDatabase, SqliteStatement } from 'kysely';

const STATEMENTS_MAX = 256;

export class StatementCache implements SqliteDatabase {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  prepare(text: string): SqliteStatement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    this.#statements.set(text, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}
