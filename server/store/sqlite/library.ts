/** The one place that imports the SQLite library, which is CommonJS. */
import Database from 'better-sqlite3';

export type SqliteConnection = Database.Database;

export function openConnection(path: string): SqliteConnection {
  return new Database(path);
}

/**
 * SQLite's extended result code, or undefined when the error is not SQLite's. Recognised by its code and not by its class: the native part
 * of the library exists once in a process, and the class of its errors is that of the realm that loaded it first.
 */
export function sqliteCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** For queries only, of a file that exists. */
export function openReadOnly(path: string): SqliteConnection {
  return new Database(path, { readonly: true, fileMustExist: true });
}
