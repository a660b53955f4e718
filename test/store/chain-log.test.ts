/** log.db beside chain.db: which of the two goes on from which, what a start moves, and that neither readers nor a start wait for each other. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SqliteLog } from '../../server/log/sqlite-log.ts';
import { attachLog, ChainLog, logBeside, verifiedTail } from '../../server/store/embedded/chain-log.ts';
import { formatWitness } from '../../server/store/embedded/log-witness.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import { countCommits, openChainReader } from '../../server/store/embedded/connection.ts';
import { ChainReader } from '../../server/store/embedded/reader.ts';
import { Snapshots } from '../../server/store/embedded/snapshots.ts';
import { encodeEntries, type JournalEntry } from '../../server/store/embedded/journal.ts';
import { accepted, ChainRows, chainTransfer } from './support/chain-rows.ts';

const CHAIN = { chainId: 'txledger-test-1', genesisHash: 'AB' };
/** 16 MiB, and what comes until the next block after it. */
const WAL_BYTES_MAX = 24 * 1024 * 1024;

let rows: ChainRows;
beforeEach(() => void (rows = new ChainRows()));
afterEach(() => rows.remove());

const reopened = (): string[] => {
  rows.log.close();
  const log = new ChainLog({ sql: rows.sql, chainFile: rows.path, chain: CHAIN });
  log.close();
  const reader = openChainReader(rows.path);
  attachLog(reader, rows.path);
  const found = new ChainReader(reader)
    .journal()
    .map((entry) => (entry.kind === 'accepted' ? entry.transfer.hash : ''));
  reader.close();
  return found;
};
const hashOf = (seq: number): string => chainTransfer(seq).hash;

function removeLog(): void {
  for (const end of ['', '-wal', '-shm']) rmSync(logBeside(rows.path) + end, { force: true });
}

/** Of a log that is open, with what is in its write-ahead log. */
function openedCopy(file: string, copy: string): void {
  const sql = new Database(file);
  sql.prepare('VACUUM INTO ?').run(copy);
  sql.close();
}

test('a log that is missing is refused, and none is made in its place', () => {
  rows.journal(accepted(chainTransfer(1)));
  rows.block([chainTransfer(1)]);
  rows.log.close();
  removeLog();
  expect(() => new ChainLog({ sql: rows.sql, chainFile: rows.path, chain: CHAIN })).toThrow(/log\.db is missing/);
  expect(existsSync(logBeside(rows.path))).toBe(false);
});

test('a log that ends before what chain.db holds goes on behind it', () => {
  const copy = path.join(rows.folder, 'older-log.db');
  openedCopy(logBeside(rows.path), copy);
  rows.journal(accepted(chainTransfer(1)));
  rows.block([chainTransfer(1)]);
  const { seq } = rows.log.head;
  rows.log.close();
  removeLog();
  copyFileSync(copy, logBeside(rows.path));
  const log = new ChainLog({ sql: rows.sql, chainFile: rows.path, chain: CHAIN });
  expect(log.head.seq).toBe(seq);
  log.append([accepted(chainTransfer(2))]);
  expect(log.head.seq).toBe(seq + 1);
  log.close();
  expect(reopened()).toEqual([hashOf(2)]);
});

/** As the service writes it. */
function witness({ seq, hash } = rows.log.head, chain = CHAIN): void {
  writeFileSync(path.join(rows.folder, 'log_witness.json'), formatWitness({ ...chain, seq, hash }));
}

/** log.db as it is now is kept; what it gives puts it back. */
function olderLog(): () => void {
  const copy = path.join(rows.folder, 'older-log.db');
  openedCopy(logBeside(rows.path), copy);
  return () => {
    rows.log.close();
    removeLog();
    copyFileSync(copy, logBeside(rows.path));
  };
}

const open = (): ChainLog => new ChainLog({ sql: rows.sql, chainFile: rows.path, chain: CHAIN });

describe('the witness of the log', () => {
  test('a log that was put back to an older state is refused, and left as it was found', () => {
    rows.journal(accepted(chainTransfer(1)));
    rows.block([chainTransfer(1)]);
    const putBack = olderLog();
    rows.journal(accepted(chainTransfer(2)));
    const { seq } = rows.log.head;
    witness();
    putBack();
    const before = readFileSync(logBeside(rows.path));
    const said = new RegExp(
      `log\\.db is missing or an old copy: .*log_witness\\.json says that its last entry was ${seq}, and log\\.db and chain\\.db end at entry ${seq - 1}\\. .*txledger restore`,
    );
    expect(open).toThrow(said);
    expect(() => verifiedTail(rows.path, rows.reader(), CHAIN)).toThrow(said);
    expect(readFileSync(logBeside(rows.path)).equals(before)).toBe(true);
    expect(existsSync(`${logBeside(rows.path)}-wal`)).toBe(false);
  });

  test('a second one, which is elsewhere, is asked too', () => {
    rows.journal(accepted(chainTransfer(1)));
    witness();
    const otherWitnessFile = path.join(mkdtempSync(path.join(rows.folder, 'elsewhere-')), 'witness.json');
    const { seq, hash } = rows.log.head;
    rows.log.close();
    const openBoth = (): ChainLog =>
      new ChainLog({ sql: rows.sql, chainFile: rows.path, chain: CHAIN, otherWitnessFile });
    openBoth().close();
    writeFileSync(otherWitnessFile, formatWitness({ ...CHAIN, seq: seq + 1, hash }));
    expect(openBoth).toThrow(
      new RegExp(
        `elsewhere-.*/witness\\.json says that its last entry was ${seq + 1}, .*; then remove .*/witness\\.json`,
      ),
    );
  });

  test('a log that lacks what chain.db has goes on from chain.db', () => {
    const putBack = olderLog();
    rows.journal(accepted(chainTransfer(1)));
    rows.block([chainTransfer(1)]);
    const { seq } = rows.log.head;
    witness();
    putBack();
    const log = open();
    expect(log.head.seq).toBe(seq);
    log.close();
  });

  test('it may be older than the log, whose entries were dropped since, and need not be there', () => {
    rows.journal(accepted(chainTransfer(1)));
    witness();
    for (const seq of [2, 3, 4]) {
      rows.block([chainTransfer(seq - 1)]);
      rows.journal(accepted(chainTransfer(seq)));
    }
    expect(reopened()).toEqual([hashOf(4)]);
    rmSync(path.join(rows.folder, 'log_witness.json'));
    open().close();
  });

  test('a log with another entry at its place is of another history', () => {
    rows.journal(accepted(chainTransfer(1)));
    witness({ seq: rows.log.head.seq, hash: Buffer.alloc(32, 1) });
    rows.log.close();
    expect(open).toThrow(/log\.db is of another history: its entry \d+ is not the one that/);
    // It is behind chain.db, whose rows name it.
    rows.sql.prepare('UPDATE chain SET entry_seq = ?, entry_hash = ?').run(rows.log.head.seq, rows.log.head.hash);
    expect(open).toThrow(/log\.db is of another history/);
  });

  test('one of another chain and one that cannot be read are refused, each with what to do', () => {
    rows.log.close();
    const { seq, hash } = rows.log.head;
    witness({ seq, hash }, { ...CHAIN, genesisHash: 'CD' });
    expect(open).toThrow(/log_witness\.json is of chain txledger-test-1 with genesis CD/);
    for (const text of ['', '{', '[]', 'null', '{"chainId":"a","genesisHash":"b","seq":-1,"hash":"00"}']) {
      writeFileSync(path.join(rows.folder, 'log_witness.json'), text);
      expect(open).toThrow(/log_witness\.json cannot be read: it names the last entry of log\.db\. .*remove it if/);
    }
  });

  test('without log.db and without rows it refuses the folder', () => {
    rows.journal(accepted(chainTransfer(1)));
    witness();
    rows.log.close();
    removeLog();
    expect(open).toThrow(/log\.db is missing or an old copy/);
    expect(existsSync(logBeside(rows.path))).toBe(false);
  });
});

test('an older chain.db beside a log that no longer has what comes behind it is refused', () => {
  rows.journal(accepted(chainTransfer(1)));
  const copy = path.join(rows.folder, 'older.db');
  rows.sql.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(rows.path, copy);
  for (const seq of [2, 3, 4]) {
    rows.block([chainTransfer(seq - 1)]);
    rows.journal(accepted(chainTransfer(seq)));
  }
  const older = new Database(copy);
  expect(() => new ChainLog({ sql: older, chainFile: rows.path, chain: CHAIN })).toThrow(
    /has no entry 1, which comes behind what chain.db holds: chain.db is an older copy/,
  );
  older.close();
});

test('the tail of a version before is moved, also by the start after one that was killed on the way', () => {
  const groups: JournalEntry[][] = [
    [accepted(chainTransfer(1)), accepted(chainTransfer(2))],
    [accepted(chainTransfer(3))],
  ];
  rows.sql.exec('CREATE TABLE old_journal (id INTEGER PRIMARY KEY, entries TEXT NOT NULL)');
  for (const group of groups)
    rows.sql.prepare('INSERT INTO old_journal (entries) VALUES (?)').run(encodeEntries(group));
  // Readers of such a file find it where it is.
  const reader = openChainReader(rows.path);
  attachLog(reader, rows.path);
  expect(new ChainReader(reader).transferByHash(hashOf(3))?.seq).toBe(3);
  reader.close();
  // A part of it is in the log already.
  rows.log.append(groups[0] as JournalEntry[]);
  expect(reopened()).toEqual([1, 2, 3].map(hashOf));
  expect(rows.sql.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'old_journal'").pluck().get()).toBe(0);
  expect(reopened()).toEqual([1, 2, 3].map(hashOf));
});

test('a start does not wait for a command that reads the log for long', () => {
  rows.journal(accepted(chainTransfer(1)));
  const reading = new Database(logBeside(rows.path), { readonly: true });
  reading.exec('BEGIN');
  reading.prepare('SELECT count(*) FROM log').get();
  rows.journal(accepted(chainTransfer(2)));
  expect(reopened()).toEqual([1, 2].map(hashOf));
  reading.close();
});

test('what is verified beside a running service is what comes behind the snapshot, or it is told to begin another', () => {
  rows.journal(accepted(chainTransfer(1)));
  rows.block([chainTransfer(1)]);
  rows.journal(accepted(chainTransfer(2)));
  const reading = openChainReader(rows.path);
  reading.exec('BEGIN');
  expect(verifiedTail(rows.path, reading, CHAIN)?.groups).toEqual([encodeEntries([accepted(chainTransfer(2))])]);
  for (const seq of [3, 4]) {
    rows.block([chainTransfer(seq - 1)]);
    rows.journal(accepted(chainTransfer(seq)));
  }
  expect(verifiedTail(rows.path, reading, CHAIN)).toBeUndefined();
  reading.exec('COMMIT');
  reading.exec('BEGIN');
  expect(verifiedTail(rows.path, reading, CHAIN)?.groups).toEqual([encodeEntries([accepted(chainTransfer(4))])]);
  reading.close();
});

test('its write-ahead log begins again although threads keep their snapshots from one read to the next', () => {
  const commits = new CommitCount(commitCountMemory());
  countCommits(rows.sql, commits);
  const sql = rows.reader();
  const snapshots = new Snapshots(sql, commits);
  const reader = new ChainReader(sql, snapshots);
  let seq = 0;
  let most = 0;
  for (let block = 0; block < 60; block += 1) {
    const moved = [];
    for (let group = 0; group < 20; group += 1) {
      const some = Array.from({ length: 100 }, () => chainTransfer((seq += 1)));
      rows.journal(...some.map((transfer) => accepted(transfer)));
      moved.push(...some);
      reader.list({ limit: 1 });
      most = Math.max(most, statSync(`${logBeside(rows.path)}-wal`).size);
    }
    rows.block(moved.slice(0, 1));
    reader.list({ limit: 1 });
  }
  snapshots.close();
  expect(existsSync(`${logBeside(rows.path)}-wal`)).toBe(true);
  expect(most).toBeLessThan(WAL_BYTES_MAX);
});

test('the log of another chain is refused', () => {
  rows.log.close();
  expect(() => SqliteLog.open({ path: logBeside(rows.path), chain: { ...CHAIN, chainId: 'other' } })).toThrow(
    /is the log of/,
  );
  expect(() => new ChainLog({ sql: rows.sql, chainFile: rows.path, chain: { ...CHAIN, chainId: 'other' } })).toThrow(
    /is the log of/,
  );
  reopened();
});
