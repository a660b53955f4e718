/** The one place that imports the SQLite library, which is CommonJS. */
import Database from 'better-sqlite3';

export type SqliteConnection = Database.Database;

export function openConnection(path: string): SqliteConnection {
  return new Database(path);
}

/**
 * SQLite's extended result code, or undefined when the error is not SQLite's. Told by its code and not by its class: the
 * native part of the library exists once in a process, and its class belongs to whichever copy of the rest loaded first.
 */
export function sqliteCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}
