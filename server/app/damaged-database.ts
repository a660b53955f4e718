/**
 * Names a database that SQLite reports as cut off or torn: that is not a defect of this program. It imports nothing, because every command
 * loads it.
 *
 * @module
 */

/** Error codes of SQLite for a damaged file. */
export const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/;

/** The end of a sentence whose beginning names the file; undefined for any other error. */
export function damageIn(error: unknown): string | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || !DAMAGED.test(code)) return undefined;
  return `is damaged, or a part of it is missing (${String(message)}): make a new data folder of a backup (\`txledger restore\`), or put all files of a stopped service back together`;
}
