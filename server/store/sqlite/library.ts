/** The one place that imports the SQLite library, which is CommonJS and has its error class on the default export. */
import Database from 'better-sqlite3';

export const { SqliteError } = Database;
export type SqliteConnection = Database.Database;

export function openConnection(path: string): SqliteConnection {
  return new Database(path);
}
