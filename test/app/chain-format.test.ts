/** Files of a chain of format 1 (fixtures/chain-format-1.tar.gz, of a server that was killed) are refused as they are, and moved aside only when a person says so. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { DataDirError, openDataDir } from '../../server/app/data-dir.ts';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { moveOldData, type MoveOptions } from '../../server/app/move-old-data.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { CHAIN_FILE_ID, CHAIN_FORMAT, formatOfFileId } from '../../server/ledger/index.ts';
import { openSqliteStore } from '../../server/store/index.ts';
import { openChainDatabase } from '../../server/store/embedded/connection.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const FIXTURE = path.join(import.meta.dirname, 'fixtures', 'chain-format-1.tar.gz');
const NOW_MS = Date.parse('2026-11-22T15:53:08.123Z');

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await temporaryFolder('format');
  folder = path.join(parent, 'data');
  mkdirSync(folder, { mode: 0o700 });
  execFileSync('tar', ['xzf', FIXTURE, '--no-same-owner', '-C', folder]);
  for (const name of readdirSync(folder)) execFileSync('chmod', ['600', path.join(folder, name)]);
});
afterAll(removeTemporaryFolders);

/** Each file with the hash of its bytes. */
const contents = (where: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(where)
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(path.join(where, name)))
          .digest('hex'),
      ]),
  );

/** As the folder of another chain. */
function rename(chainId: string): void {
  const { genesis } = dataDirFiles(folder);
  writeFileSync(genesis, readFileSync(genesis, 'utf8').replace('txledger-dev-1', chainId));
}

describe('a folder of chain format 1', () => {
  test('is refused with what it is and what to do, and nothing in it changes', () => {
    const before = contents(folder);
    expect(() => openDataDir(folder)).toThrow(DataDirError);
    expect(() => openDataDir(folder)).toThrow(
      `DATA_DIR ${folder} cannot be used (genesis.json): this is a chain of format 1, and this version carries on chains of format 2 only: start a new chain with a new ` +
        'genesis, or run the version that made this one. `npm start -- --move-old-data` moves the folder aside and starts a new development chain; it deletes nothing.',
    );
    expect(contents(folder)).toEqual(before);
  });

  test('of production is refused without the offer to move it', () => {
    rename('ledger-1');
    expect(() => openDataDir(folder)).toThrow(/or run the version that made this one\.$/);
  });

  test.each(['genesis.json', 'chain.db', 'gateway.db', 'app.db', 'snapshots.db', 'search.db'])(
    'is known by its %s alone, however little of it is in the file',
    (name) => {
      for (const other of readdirSync(folder)) if (!other.startsWith(name)) rmSync(path.join(folder, other));
      const before = contents(folder);
      expect(() => openDataDir(folder)).toThrow(
        `DATA_DIR ${folder} cannot be used (${name}): this is a chain of format 1`,
      );
      expect(contents(folder)).toEqual(before);
    },
  );

  test.each(['blocks.db', 'ledger.db', 'before-upgrade'])(
    'is known by %s, which versions before chain.db left, also without its lock',
    (name) => {
      rmSync(folder, { recursive: true });
      mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 });
      expect(() => openDataDir(folder)).toThrow(`(${name}): this is a chain of format 1`);
    },
  );
});

describe('the databases of this version', () => {
  test('say their chain format in their first bytes, however early the process that made them dies', async () => {
    rmSync(folder, { recursive: true });
    const files = openDataDir(folder).files;
    const idOf = (file: string): number => readFileSync(file).readUInt32BE(68);
    const chain = openChainDatabase({ path: files.chain });
    const gateway = await openSqliteStore({ path: files.gateway });
    const app = openSqliteAppStore(files.app);
    // Not closed yet, so that everything else is in their logs.
    expect([files.chain, files.gateway, files.app].map(idOf)).toEqual(Array(3).fill(CHAIN_FILE_ID));
    expect(formatOfFileId(CHAIN_FILE_ID)).toBe(CHAIN_FORMAT);
    chain.close();
    await gateway.close();
    app.close();
  });

  test("of a later format are refused as such, and another program's are left to what opens them", () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { mode: 0o700 });
    const { chain } = dataDirFiles(folder);
    const write = (id: number): void => {
      const sql = new Sqlite(chain);
      sql.pragma(`application_id = ${id}`);
      sql.close();
    };
    writeFileSync(dataDirFiles(folder).lock, '');
    write(CHAIN_FILE_ID + 1);
    expect(() => openDataDir(folder)).toThrow(
      'this is a chain of format 3, which is newer than this version (format 2): install the version that made it.',
    );
    write(0x0f05_5111);
    openDataDir(folder).release();
  });
});

describe('moving a development folder aside', () => {
  const move = (changes: Partial<MoveOptions> = {}) =>
    moveOldData({ folder, clock: { nowMs: () => NOW_MS }, ask: undefined, isConfirmed: true, ...changes });
  const TARGET = 'data.format-1-20261122T155308Z';

  test('leaves every byte of it under the new name', async () => {
    const withoutLock = (where: string) =>
      Object.entries(contents(where)).filter(([name]) => !name.startsWith('lock.db'));
    const before = withoutLock(folder);
    expect(await move()).toBe(path.join(parent, TARGET));
    expect(readdirSync(parent)).toEqual([TARGET]);
    expect(withoutLock(path.join(parent, TARGET))).toEqual(before);
    openDataDir(folder).release();
    // There is nothing to move now.
    expect(await move()).toBeUndefined();
  });

  test('finds another name where that one is taken', async () => {
    mkdirSync(path.join(parent, TARGET));
    expect(await move()).toBe(path.join(parent, `${TARGET}-2`));
  });

  test('is asked for at a terminal, with both names, and not done without a yes', async () => {
    const questions: string[] = [];
    const answering = (answer: boolean) => async (question: string) => {
      questions.push(question);
      return answer;
    };
    expect(await move({ isConfirmed: false })).toBeUndefined();
    expect(await move({ isConfirmed: false, ask: answering(false) })).toBeUndefined();
    expect(() => openDataDir(folder)).toThrow('chain of format 1');
    expect(await move({ isConfirmed: false, ask: answering(true) })).toBe(path.join(parent, TARGET));
    expect(questions).toEqual(
      Array(2).fill(
        `DATA_DIR ${folder} holds a development chain of format 1, which this version cannot carry on. Move it to ${path.join(parent, TARGET)} and begin a new chain?`,
      ),
    );
  });

  test('waits for no process that works on it, but is refused', async () => {
    const other = new Sqlite(dataDirFiles(folder).lock);
    other.exec('BEGIN EXCLUSIVE');
    await expect(move()).rejects.toThrow(
      `DATA_DIR ${folder} is in use by another running process. Two processes on one folder would move files that are in use`,
    );
    await expect(
      move({ isConfirmed: false, ask: () => Promise.reject(new Error('asked all the same')) }),
    ).rejects.toThrow('is in use');
    other.close();
    expect(existsSync(folder)).toBe(true);
  });

  test('is not done to the folder of another chain, of a chain without its genesis, or of this format', async () => {
    const { genesis } = dataDirFiles(folder);
    renameSync(genesis, `${genesis}.tmp`);
    expect(await move()).toBeUndefined();
    renameSync(`${genesis}.tmp`, genesis);
    rename('ledger-1');
    expect(await move()).toBeUndefined();
    rmSync(folder, { recursive: true });
    openDataDir(folder).release();
    expect(await move()).toBeUndefined();
  });
});
