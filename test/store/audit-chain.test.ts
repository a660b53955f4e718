/** The hashes of the audit trail: every change of a line is named, an earlier version's lines get theirs, and the same lines have the same ones. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { CHAIN_FILE_ID } from '../../server/ledger/index.ts';
import { decodeAccess, encodeAccess } from '../../server/store/embedded/access-entry.ts';
import { accessWriter } from '../../server/store/embedded/admin.ts';
import { auditHead, checkAuditChain } from '../../server/store/embedded/audit-chain.ts';
import { type ChainConnection, openChainDatabase, writing } from '../../server/store/embedded/connection.ts';
import { MIGRATIONS } from '../../server/store/embedded/migrations.ts';
import type { AuditEntry } from '../../server/store/types.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';

/** The last schema without hashes. */
const BEFORE = 8;
/** Some times what is held in memory at a time, and a part of it. */
const LINES = 600;

let file: string;
let sql: ChainConnection;
beforeEach(async () => {
  file = path.join(await temporaryFolder('audit-chain'), 'chain.db');
  sql = openChainDatabase({ path: file });
});
afterEach(async () => {
  sql.close();
  await removeTemporaryFolders();
});

/** Half of a surrogate pair and a NUL get into no database as they are. */
const WORDS = ['host', 'Zürich 漢字 🙂', 'half \ud83d of a pair', 'a\u0000b', ''];
const line = (i: number): AuditEntry => ({
  atMs: 1_700_000_000_000 + i,
  actor: `gateway:${i}`,
  action: i % 2 === 0 ? 'server.start' : 'server.stop',
  subject: String(WORDS[i % WORDS.length]),
  details: { text: WORDS[(i + 1) % WORDS.length], i, nested: { list: [1, null, 1.5] } },
});
const lines = (count: number): AuditEntry[] => Array.from({ length: count }, (_, i) => line(i));

/** As the writer of chain.db does. */
const append = (entries: readonly AuditEntry[]): void =>
  writing(sql, () => accessWriter(sql)(decodeAccess(encodeAccess([['appendAudit', entries]]))));

function tamper(...statements: string[]): void {
  for (const trigger of sql.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
    sql.exec(`DROP TRIGGER ${trigger}`);
  for (const statement of statements) sql.exec(statement);
}

const hashes = (): Buffer[] => sql.prepare<[], Buffer>('SELECT hash FROM audit ORDER BY id').pluck().all();
const LINE = 'id, at_ms, actor, action, subject, details, hash';

describe('a hash', () => {
  test('is that of the documented bytes', () => {
    append([
      { atMs: 258, actor: 'a', action: 'server.start', subject: 'é', details: {} },
      { atMs: 259, actor: 'b', action: 'server.stop', subject: '', details: { n: 1 } },
    ]);
    const sha256 = (...parts: (string | Buffer)[]): Buffer =>
      createHash('sha256')
        .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
        .digest();
    const number = (value: number, bytes: number): Buffer => {
      const made = Buffer.alloc(bytes);
      made.writeUIntBE(value, bytes - 4, 4);
      return made;
    };
    const text = (value: string): Buffer => Buffer.concat([number(Buffer.byteLength(value), 4), Buffer.from(value)]);
    const begin = 'txledger audit line 1\n';
    const first = sha256(
      ...[begin, Buffer.alloc(32), number(1, 8), number(258, 8)],
      ...['a', 'server.start', 'é', '{}'].map(text),
    );
    const second = sha256(
      ...[begin, first, number(2, 8), number(259, 8)],
      ...['b', 'server.stop', '', '{"n":1}'].map(text),
    );
    expect(hashes()).toEqual([first, second]);
    expect(auditHead(sql)).toEqual({ id: 2, hash: second.toString('hex').toUpperCase() });
  });

  test('goes on over entries, and is the same however the lines are grouped', () => {
    append(lines(3));
    append(lines(7).slice(3));
    const inTwo = hashes();
    expect(checkAuditChain(sql)).toBe(7);
    tamper('DELETE FROM audit');
    expect(auditHead(sql)).toEqual({ id: 0, hash: '0'.repeat(64) });
    append(lines(7));
    expect(hashes()).toEqual(inTwo);
  });
});

describe('is named: ', () => {
  beforeEach(() => append(lines(9)));

  test.each([
    ['the time', 'at_ms = at_ms + 1'],
    ['the actor', "actor = 'gateway:x'"],
    ['the action', "action = 'server.refuse'"],
    ['the subject', "subject = subject || ' '"],
    ['the details', "details = replace(details, ':4', ':5')"],
    ['text that moves from one member to the next', "actor = 'gateway:', action = '4server.start'"],
    ['the hash', 'hash = zeroblob(32)'],
  ])('a line with another value for %s', (_what, change) => {
    tamper(`UPDATE audit SET ${change} WHERE id = 5`);
    expect(() => checkAuditChain(sql)).toThrow(/^line 5 of the audit trail does not fit the line before it/);
  });

  test('a text with other bytes that are read as the same', () => {
    const bytes = Buffer.concat([Buffer.from('half '), Buffer.of(0xff), Buffer.from(' of a pair')]);
    const read = (): unknown => sql.prepare('SELECT subject FROM audit WHERE id = 3').pluck().get();
    const before = read();
    tamper(`UPDATE audit SET subject = CAST(x'${bytes.toString('hex')}' AS TEXT) WHERE id = 3`);
    expect(read()).toBe(before);
    expect(() => checkAuditChain(sql)).toThrow(/^line 3 of the audit trail does not fit/);
  });

  test('a line that was removed', () => {
    tamper('DELETE FROM audit WHERE id = 4');
    expect(() => checkAuditChain(sql)).toThrow(/^line 4 of the audit trail is missing: the next one is line 5/);
  });

  test('a line that was removed, with the next ones in its place', () => {
    tamper('DELETE FROM audit WHERE id = 4', 'UPDATE audit SET id = id - 1 WHERE id > 4');
    expect(() => checkAuditChain(sql)).toThrow(/^line 4 of the audit trail does not fit/);
  });

  test.each([
    ['with their hashes', LINE.replace('id, ', '')],
    ['without their hashes', LINE.replace('id, ', '').replace(', hash', '')],
  ])('two lines that were swapped %s', (_what, members) => {
    const swapped = members
      .split(', ')
      .map((name) => `${name} = (SELECT ${name} FROM old WHERE old.id = 9 - audit.id)`)
      .join(', ');
    tamper(`CREATE TABLE old AS SELECT * FROM audit`, `UPDATE audit SET ${swapped} WHERE id IN (4, 5)`);
    expect(() => checkAuditChain(sql)).toThrow(/^line 4 of the audit trail does not fit/);
  });

  test('a line that was put in', () => {
    tamper(
      'UPDATE audit SET id = -id WHERE id >= 6',
      'UPDATE audit SET id = 1 - id WHERE id < 0',
      `INSERT INTO audit SELECT 6, at_ms, actor, action, subject, details, hash FROM audit WHERE id = 5`,
    );
    expect(() => checkAuditChain(sql)).toThrow(/^line 6 of the audit trail does not fit/);
  });

  test('not what was cut off at the end, nor a trail that was hashed again: the last line tells, to whoever kept it', () => {
    const kept = auditHead(sql);
    tamper('DELETE FROM audit WHERE id > 7');
    expect(checkAuditChain(sql)).toBe(7);
    expect(auditHead(sql).id).toBe(7);
    tamper('DELETE FROM audit');
    append(lines(9).map((each) => ({ ...each, actor: 'nobody' })));
    expect(checkAuditChain(sql)).toBe(9);
    expect(auditHead(sql)).not.toEqual(kept);
    expect(auditHead(sql).id).toBe(kept.id);
  });
});

/** A file of the schema before, with these lines. */
function oldFile(count: number): void {
  sql.close();
  file = `${file}.old`;
  const old = new Database(file);
  old.pragma(`application_id = ${CHAIN_FILE_ID}`);
  for (const step of MIGRATIONS.slice(0, BEFORE))
    if (typeof step === 'string') old.exec(step);
    else step(old);
  const insert = old.prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?)');
  for (const [i, { atMs, actor, action, subject, details }] of lines(count).entries())
    insert.run(i + 1, atMs, actor, action, subject, JSON.stringify(details));
  old.pragma(`user_version = ${BEFORE}`);
  old.close();
}

test.each([0, 1, 256, LINES])('%d lines of an earlier version get the hashes that they would have had', (count) => {
  append(lines(count));
  const expected = hashes();
  append([line(count)]);
  const last = auditHead(sql);
  oldFile(count);
  sql = openChainDatabase({ path: file });
  expect(hashes()).toEqual(expected);
  expect(checkAuditChain(sql)).toBe(count);
  append([line(count)]);
  expect(auditHead(sql)).toEqual(last);
  for (const statement of [
    "UPDATE audit SET actor = 'x'",
    'DELETE FROM audit',
    "INSERT OR REPLACE INTO audit VALUES (1, 1, 'x', 'x', 'x', '{}', x'00')",
  ])
    expect(() => sql.exec(statement)).toThrow('append-only');
  expect(sql.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'chained_audit'").pluck().get()).toBe(0);
});
