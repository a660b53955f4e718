/**
 * Hash chain of the audit trail of chain.db: the row of each line has a hash over the hash of the line before and the contents of the line,
 * so a line that was changed, removed, swapped or inserted no longer fits (protocol.md, rule 35; docs/decisions/0147). With one of these
 * hashes kept elsewhere an auditor sees whether the lines up to it are still the same.
 *
 * The hash is computed where the row is written, from the entry of the log alone: a chain.db that is written again from the log has the
 * same.
 */
import { createHash } from 'node:crypto';
import { NO_HASH } from '../../log/log.ts';
import { StoreDamagedError } from '../errors.ts';
import { hexOfHash } from '../hash-bytes.ts';
import type { SqliteConnection } from '../sqlite/library.ts';

/** Beginning of the hashed bytes, so that no other hash of this program can be taken for one of a line. */
const DOMAIN = Buffer.from('txledger audit line 1\n');
/** The `user_version` of chain.db from which on lines have hashes. */
const CHAINED_VERSION = 9;
const INTEGER_BYTES = 8;
const LENGTH_BYTES = 4;
/** Held in memory at a time while the lines of an earlier version get their hashes. */
const LINES_A_TIME = 256;

/** A line as its row has it, with its texts or their bytes in UTF-8. `details` is JSON. */
interface AuditLine<Text extends string | Uint8Array = Uint8Array> {
  id: number;
  atMs: number;
  actor: Text;
  action: Text;
  subject: Text;
  details: Text;
}

/** The last line. */
export interface AuditHead {
  /** 0 before the first line. */
  id: number;
  /** 64 upper-case hex digits; zeros before the first line. */
  hash: string;
}

/**
 * SHA-256 of the domain, the hash of the line before (32 zero bytes before line 1), id and time in 8 bytes each, and actor, action, subject
 * and details, each after its length in 4 bytes. Numbers are big-endian.
 */
export function auditLineHash(
  previous: Uint8Array,
  { id, atMs, actor, action, subject, details }: AuditLine<string | Uint8Array>,
): Buffer {
  const hash = createHash('sha256').update(DOMAIN).update(previous).update(integer(id)).update(integer(atMs));
  for (const text of [actor, action, subject, details]) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  }
  return hash.digest();
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(INTEGER_BYTES);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/** The bytes of a text are selected, because other bytes can be read as the same text. */
const MEMBERS = `id, at_ms AS atMs, CAST(actor AS BLOB) AS actor, CAST(action AS BLOB) AS action, CAST(subject AS BLOB) AS subject, CAST(details AS BLOB) AS details`;

/** False for a chain.db of an earlier version. */
export const hasAuditChain = (sql: SqliteConnection): boolean =>
  Number(sql.pragma('user_version', { simple: true })) >= CHAINED_VERSION;

/** The last line of the rows: the log may have later lines. */
export function auditHead(sql: SqliteConnection): AuditHead {
  const row = sql.prepare('SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1').get() as
    | { id: number; hash: Buffer }
    | undefined;
  return { id: row?.id ?? 0, hash: hexOfHash(row?.hash ?? NO_HASH) };
}

/** Throws StoreDamagedError with the first line that does not fit the one before. @returns how many there are. */
export function checkAuditChain(sql: SqliteConnection): number {
  let previous: Uint8Array = NO_HASH;
  let count = 0;
  const lines = sql.prepare(`SELECT ${MEMBERS}, hash FROM audit ORDER BY id`).iterate();
  for (const line of lines as Iterable<AuditLine & { hash: Buffer }>) {
    count += 1;
    if (line.id !== count)
      throw new StoreDamagedError(`line ${count} of the audit trail is missing: the next one is line ${line.id}`);
    if (!auditLineHash(previous, line).equals(line.hash))
      throw new StoreDamagedError(
        `line ${line.id} of the audit trail does not fit the line before it: one of the two was changed, swapped, put in or removed. Compare it with the log output, and with a backup from before`,
      );
    previous = line.hash;
  }
  return count;
}

/** The step that gives the lines of an earlier version their hashes, inside its transaction. */
export function chainOldLines(sql: SqliteConnection): void {
  sql.exec(`
    CREATE TABLE chained_audit (
      id INTEGER PRIMARY KEY,
      at_ms INTEGER NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      details TEXT NOT NULL,
      hash BLOB NOT NULL
    ) STRICT;
  `);
  const lines = sql.prepare<[number], AuditLine>(
    `SELECT ${MEMBERS} FROM audit WHERE id > ? ORDER BY id LIMIT ${LINES_A_TIME}`,
  );
  const copy = sql.prepare<[Buffer, number]>(
    'INSERT INTO chained_audit SELECT id, at_ms, actor, action, subject, details, ? FROM audit WHERE id = ?',
  );
  let previous: Uint8Array = NO_HASH;
  let last = 0;
  for (;;) {
    const some = lines.all(last);
    for (const line of some) {
      const hash = auditLineHash(previous, line);
      copy.run(hash, line.id);
      previous = hash;
      last = line.id;
    }
    if (some.length < LINES_A_TIME) break;
  }
  sql.exec(`
    DROP TABLE audit;
    ALTER TABLE chained_audit RENAME TO audit;
    CREATE TRIGGER audit_refuses_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
    CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
    CREATE TRIGGER audit_refuses_insert BEFORE INSERT ON audit WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM audit)
      BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
  `);
}
