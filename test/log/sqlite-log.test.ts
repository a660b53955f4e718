/** The log in real files: what is appended is there, nothing else is, and what does not fit together is refused with a sentence. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ENTRY_FORMAT, type LogEntry, type LogPlace } from '../../server/log/log.ts';
import { openLogReader, SqliteLog } from '../../server/log/sqlite-log.ts';
import { CHAIN_FILE_ID } from '../../server/ledger/index.ts';

const CHAIN = { chainId: 'log-test', genesisHash: 'AB'.repeat(32) };
const ALL = Number.MAX_SAFE_INTEGER;
let folder: string;
let file: string;
let log: SqliteLog;
let closed: boolean;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'txledger-log-'));
  file = path.join(folder, 'log.db');
  log = SqliteLog.open({ path: file, chain: CHAIN });
  closed = false;
});
afterEach(() => {
  if (!closed) log.close();
  rmSync(folder, { recursive: true });
});

const close = (): void => {
  log.close();
  closed = true;
};
const reopen = (options: { bytesMax?: number } = {}): void => {
  if (!closed) close();
  log = SqliteLog.open({ path: file, chain: CHAIN, ...options });
  closed = false;
};
const sizeOf = (name: string): number => statSync(name).size;
const entry = (text: string): Buffer => Buffer.concat([Buffer.of(ENTRY_FORMAT), Buffer.from(text)]);
const textOf = ({ bytes }: LogEntry): string => Buffer.from(bytes).subarray(1).toString();

function append(text: string | Buffer, behind = log.head()): LogPlace {
  const appended = log.append(behind, typeof text === 'string' ? entry(text) : text);
  if (appended.outcome !== 'durable') throw new Error(`an append was ${JSON.stringify(appended)}`);
  return appended.place;
}
const start = (): LogPlace => {
  const [first] = new Database(file, { readonly: true })
    .prepare<[], [number, Buffer]>('SELECT seq, hash FROM log ORDER BY seq')
    .raw()
    .all();
  return { seq: 0, hash: (first as [number, Buffer])[1] };
};
const texts = (after = start()): string[] | undefined => log.tail(after, ALL)?.map(textOf);
/** Changes the file as something else than this program would. */
function tamper(sql: string, ...values: unknown[]): void {
  close();
  const other = new Database(file);
  other.prepare(sql).run(...values);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
}
const refused = (): string => {
  const before = readFileSync(file);
  let message = '';
  try {
    reopen();
  } catch (error) {
    message = `${(error as Error).name}: ${(error as Error).message}`;
  }
  // What is refused is left as it was found.
  if (message !== '') expect(readFileSync(file).equals(before)).toBe(true);
  return message;
};

test('a first start that was cut off while it made the file: what it left is taken back, and the log begins', () => {
  const cut = path.join(folder, 'cut.db');
  const sql = new Database(path.join(folder, 'begun.db'));
  sql.pragma('cache_size = 1');
  // As `application_id = ...` is written before the file has a write-ahead log; with a small cache the pages are in the file before the commit.
  sql.exec('BEGIN IMMEDIATE; CREATE TABLE log (bytes BLOB)');
  const insert = sql.prepare('INSERT INTO log VALUES (randomblob(4000))');
  for (let row = 0; row < 20; row += 1) insert.run();
  for (const end of ['', '-journal']) copyFileSync(path.join(folder, `begun.db${end}`), cut + end);
  sql.close();
  expect([sizeOf(cut), sizeOf(`${cut}-journal`)]).not.toContain(0);
  const begun = SqliteLog.open({ path: cut, chain: CHAIN });
  expect(begun.head().seq).toBe(0);
  begun.close();
});

describe('appending', () => {
  test('entries are there in order, here, through a reader, and after the next start', () => {
    const words = Array.from({ length: 50 }, (_, at) => `entry ${at} ${'x'.repeat(at * 100)}`);
    const reader = openLogReader(file);
    for (const word of words) {
      const place = append(word);
      expect(reader.log.head()).toEqual(place);
    }
    expect(texts()).toEqual(words);
    expect(reader.log.tail(start(), ALL)?.map(textOf)).toEqual(words);
    reader.close();
    reopen();
    expect(texts()).toEqual(words);
    expect(log.head().seq).toBe(words.length);
  });

  test('the hash is SHA-256 of the hash before, the number in 8 bytes, and the bytes', () => {
    const first = start();
    const bytes = Buffer.from([ENTRY_FORMAT, 2, 3]);
    const place = append(bytes);
    const number = Buffer.from('0000000000000001', 'hex');
    expect(Buffer.from(place.hash)).toEqual(
      createHash('sha256')
        .update(Buffer.concat([first.hash, number, bytes]))
        .digest(),
    );
  });

  test('nothing is appended behind a place that is not the last entry', () => {
    const first = append('first');
    const second = append('second');
    const behindFirst = log.append(first, entry('late'));
    const ahead = log.append({ seq: 7, hash: second.hash }, entry('ahead'));
    const another = log.append({ seq: second.seq, hash: first.hash }, entry('of another history'));
    expect([behindFirst.outcome, ahead.outcome, another.outcome]).toEqual(['taken', 'taken', 'taken']);
    expect(texts()).toEqual(['first', 'second']);
  });

  test('a tail ends at its bound, and has one entry at least', () => {
    const places = ['a'.repeat(100), 'b'.repeat(100), 'c'.repeat(100)].map((text) => append(text));
    expect(log.tail(start(), 1)?.length).toBe(1);
    expect(log.tail(start(), 202)?.length).toBe(2);
    expect(log.tail(places[2] as LogPlace, ALL)).toEqual([]);
  });

  test('an entry without the format version, and one that is too long, are defects of the caller', () => {
    expect(() => log.append(log.head(), Buffer.from([ENTRY_FORMAT + 1]))).toThrow(TypeError);
    expect(() => log.append(log.head(), Buffer.alloc(64 * 1024 * 1024 + 1, ENTRY_FORMAT))).toThrow(RangeError);
  });
});

describe('what holds an append', () => {
  test("another process's lock: nothing is written, reads go on, and it goes on", () => {
    append('first');
    append('before');
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    expect(log.append(log.head(), entry('held'))).toEqual({ outcome: 'held', reason: 'SQLITE_BUSY' });
    expect(log.drop(1)).toBe('held');
    expect(texts()).toEqual(['first', 'before']);
    other.exec('ROLLBACK');
    other.close();
    append('after');
    expect(texts()).toEqual(['first', 'before', 'after']);
  });

  test('a file that may not grow: nothing is written, and it goes on once entries were dropped', () => {
    reopen({ bytesMax: 80 * 1024 });
    const written: string[] = [];
    const long = 'x'.repeat(4000);
    let held: string | undefined;
    while (held === undefined && written.length < 100) {
      const appended = log.append(log.head(), entry(`${written.length} ${long}`));
      if (appended.outcome === 'durable') written.push(`${written.length} ${long}`);
      else held = appended.outcome === 'held' ? appended.reason : appended.outcome;
    }
    expect(held).toBe('SQLITE_FULL');
    expect(written.length).toBeGreaterThan(5);
    expect(texts()).toEqual(written);
    expect(log.drop(log.head().seq)).toBe('more');
    append('there is room');
    reopen();
    expect(log.head().seq).toBe(written.length + 1);
  });
});

describe('a write whose outcome is not known', () => {
  let failing: { when: RegExp; code: string } | undefined;
  const failed = (text: string): void => {
    if (failing?.when.test(text) === true) throw new Database.SqliteError('the disk failed', failing.code);
  };
  /** A connection whose statements fail as SQLite says it. */
  const connect = (name: string): Database.Database =>
    new Proxy(new Database(name), {
      get: (target, member) => {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        if (member === 'prepare')
          return (text: string) => {
            const statement = target.prepare(text);
            const { run } = statement;
            return Object.assign(statement, {
              run: (...parameters: unknown[]) => {
                failed(text);
                return Reflect.apply(run, statement, parameters) as unknown;
              },
            });
          };
        return (...parameters: unknown[]) => {
          failed(String(parameters[0]));
          return Reflect.apply(value, target, parameters) as unknown;
        };
      },
    });

  beforeEach(() => {
    close();
    failing = undefined;
    log = SqliteLog.open({ path: file, chain: CHAIN, connect });
    closed = false;
    for (const text of ['first', 'second', 'third']) append(text);
  });

  test.each([
    ['an append', /^INSERT INTO log/, () => log.append(log.head(), entry('lost'))],
    ['a drop', /^DELETE FROM log/, () => log.drop(1)],
    ['a checkpoint', /^wal_checkpoint\(PASSIVE/, () => log.checkpoint()],
  ])('of %s ends all writing, also when the disk is well again', (_, when, write) => {
    failing = { when, code: 'SQLITE_IOERR_FSYNC' };
    expect(write).toThrow(/may be there or not/);
    failing = undefined;
    expect(() => log.append(log.head(), entry('later'))).toThrow(/may be there or not/);
    expect(() => log.drop(1)).toThrow(/may be there or not/);
    expect(() => log.checkpoint()).toThrow(/may be there or not/);
    expect(texts()).toEqual(['first', 'second', 'third']);
  });

  test('is that of an append for which there was no memory: its entry may be on the disk already', () => {
    failing = { when: /^INSERT INTO log/, code: 'SQLITE_NOMEM' };
    expect(() => log.append(log.head(), entry('lost'))).toThrow(/may be there or not/);
  });

  test('is not that of a checkpoint for which the disk has no room: it tells what is left', () => {
    failing = { when: /^wal_checkpoint\(PASSIVE/, code: 'SQLITE_FULL' };
    expect(log.checkpoint()).toBeGreaterThan(0);
    append('goes on');
  });
});

describe('dropping', () => {
  test('entries go in pieces; entry 0 and the last one stay', () => {
    const places = Array.from({ length: 600 }, (_, at) => append(String(at)));
    expect(log.drop(400)).toBe('more');
    expect(log.tail(start(), ALL)).toBeUndefined();
    while (log.drop(400) === 'more') expect(log.tail(places[399] as LogPlace, ALL)?.length).toBe(200);
    expect(log.tail(places[398] as LogPlace, ALL)).toBeUndefined();
    reopen();
    expect(texts(places[399])?.length).toBe(200);
    while (log.drop(ALL) === 'more');
    expect(log.head()).toEqual(places.at(-1));
    append('goes on');
    reopen();
    expect(texts(places.at(-1))).toEqual(['goes on']);
  });

  test('a piece has no more bytes than are dropped at once, and one entry at least', () => {
    const mib = 1024 * 1024;
    for (let at = 0; at < 20; at += 1) append('x'.repeat(at === 0 ? 20 * mib : mib));
    const first = (): number | undefined =>
      new Database(file, { readonly: true })
        .prepare<[], number>('SELECT min(seq) FROM log WHERE seq > 0')
        .pluck()
        .get();
    const firsts: (number | undefined)[] = [];
    while (log.drop(19) === 'more') firsts.push(first());
    expect(firsts).toEqual([2, 17, 20]);
  });

  test('the file is used again and does not grow', () => {
    const sizes: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      for (let at = 0; at < 50; at += 1) append('x'.repeat(10_000));
      while (log.drop(ALL) === 'more');
      log.checkpoint();
      sizes.push(statSync(file).size);
    }
    expect(sizes.at(-1)).toBeLessThanOrEqual((sizes[1] as number) * 1.1);
  });
});

describe('what is refused', () => {
  beforeEach(() => {
    for (const text of ['first', 'second', 'third']) append(text);
  });

  test('a changed entry', () => {
    tamper('UPDATE log SET bytes = ? WHERE seq = 2', entry('secone'));
    expect(refused()).toMatch(/^LogDamagedError: .*the hash of entry 2 .*backup/);
  });

  test('a changed entry that got a hash of its own', () => {
    const [{ hash }] = log.tail(start(), 1) as [LogEntry];
    const bytes = entry('secone');
    const forged = createHash('sha256')
      .update(Buffer.concat([hash, Buffer.from('0000000000000002', 'hex'), bytes]))
      .digest();
    tamper('UPDATE log SET bytes = ?, hash = ? WHERE seq = 2', bytes, forged);
    expect(refused()).toMatch(/^LogDamagedError: .*the hash of entry 3/);
  });

  test('a missing entry', () => {
    tamper('DELETE FROM log WHERE seq = 2');
    expect(refused()).toMatch(/^LogDamagedError: .*entry 3 behind entry 1: entries are missing/);
  });

  test('the log of another chain, and one without any entry', () => {
    close();
    expect(() => SqliteLog.open({ path: file, chain: { ...CHAIN, chainId: 'other' } })).toThrow(
      /is the log of .*log-test/,
    );
    tamper('DELETE FROM log');
    expect(refused()).toMatch(/has no entry/);
  });

  test('an entry and a file of a later version', () => {
    tamper('UPDATE log SET bytes = ?, hash = ? WHERE seq = 3', ...later());
    expect(refused()).toMatch(/^LogVersionError: .*entry 3 has format 2/);
    const sql = new Database(file);
    sql.pragma('user_version = 2');
    sql.close();
    expect(refused()).toMatch(/^LogVersionError: .*has version 2, and this program knows 1/);
  });

  test('is left as it was found, its write-ahead log too, as a kill leaves it', () => {
    const copy = path.join(folder, 'copy.db');
    for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
    const before = ['', '-wal'].map((end) => readFileSync(copy + end));
    expect(before[1]?.length).toBeGreaterThan(0);
    expect(() => SqliteLog.open({ path: copy, chain: { ...CHAIN, chainId: 'other' } })).toThrow(/is the log of/);
    expect(['', '-wal'].map((end) => readFileSync(copy + end))).toEqual(before);
  });

  test('a database of something else, an empty file beside a log that is not, and what a reader finds of them', () => {
    const other = path.join(folder, 'other.db');
    const sql = new Database(other);
    sql.pragma(`application_id = ${CHAIN_FILE_ID}`);
    sql.exec('CREATE TABLE coins (id INTEGER)');
    sql.close();
    const message = /is no log: it has version 0 and other tables/;
    expect(() => SqliteLog.open({ path: other, chain: CHAIN })).toThrow(message);
    expect(() => openLogReader(other)).toThrow(message);
    const emptied = path.join(folder, 'emptied.db');
    copyFileSync(`${file}-wal`, `${emptied}-wal`);
    writeFileSync(emptied, '');
    expect(() => SqliteLog.open({ path: emptied, chain: CHAIN })).toThrow(/is empty and its write-ahead log is not/);
    expect(() => openLogReader(path.join(folder, 'none.db'))).toThrow(/cannot be used \(SQLITE_CANTOPEN/);
  });

  test('a file that is no log', () => {
    close();
    writeFileSync(file, 'no database at all, but a text that is long enough to be read as the head of one'.repeat(20));
    for (const end of ['-wal', '-shm']) if (existsSync(file + end)) writeFileSync(file + end, '');
    expect(refused()).toMatch(/^LogDamagedError: .*is damaged or no log/);
  });

  test('an older copy, and another entry at a place that was applied', () => {
    close();
    const copy = `${file}.copy`;
    copyFileSync(file, copy);
    reopen();
    const fourth = append('fourth');
    close();
    copyFileSync(copy, file);
    reopen();
    expect(() => log.tail(fourth, ALL)).toThrow(/does not have entry 4 as it was applied; its last entry is 3/);
    append('another fourth');
    expect(() => log.tail(fourth, ALL)).toThrow(/does not have entry 4 as it was applied/);
    append('fifth');
    expect(() => log.tail(fourth, ALL)).toThrow(/does not have entry 4 as it was applied/);
  });

  function later(): [Buffer, Buffer] {
    const [, { hash }] = log.tail(start(), ALL) as [LogEntry, LogEntry];
    const bytes = Buffer.concat([Buffer.of(ENTRY_FORMAT + 1), Buffer.from('third')]);
    const number = Buffer.from('0000000000000003', 'hex');
    return [
      bytes,
      createHash('sha256')
        .update(Buffer.concat([hash, number, bytes]))
        .digest(),
    ];
  }
});

test('a start writes what it read into the file and syncs it: nothing is left that only memory may have', () => {
  append('written');
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  const copy = path.join(folder, 'copy.db');
  for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
  const killed = SqliteLog.open({ path: copy, chain: CHAIN });
  expect(statSync(`${copy}-wal`).size).toBe(0);
  expect(killed.head().seq).toBe(1);
  killed.close();
});
