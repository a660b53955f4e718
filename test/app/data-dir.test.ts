import { chmodSync, chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { DataDirError, openDataDir } from '../../server/app/data-dir.ts';
import { printed, removeTemporaryFolders, spawnSource, temporaryFolder } from './support.ts';
import { endChild } from '../support/child-process.ts';

const HOLD = (folder: string): string => `
  import { openDataDir } from './server/app/data-dir.ts';
  openDataDir(${JSON.stringify(folder)});
  globalThis.gc(); // a handle that nobody keeps would be closed here, and the lock with it
  console.log('locked');
  setInterval(() => undefined, 1000);
`;

afterAll(removeTemporaryFolders);

describe('DATA_DIR', () => {
  test('is made for its owner only when it does not exist, parents included', async () => {
    const folder = path.join(await temporaryFolder(), 'a', 'b');
    const dataDir = openDataDir(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(dataDir.files.lock).mode & 0o777).toBe(0o600);
    expect(dataDir.files.genesis).toBe(path.join(folder, 'genesis.json'));
    dataDir.release();
  });

  test('may be an empty existing folder, or one with only keys and a genesis that the operator put there', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'lost+found'));
    await writeFile(path.join(folder, 'genesis.json'), '{}');
    await writeFile(path.join(folder, 'operator_key.json.tmp'), '{}');
    await writeFile(path.join(folder, 'chain.db.tmp-wal'), '');
    openDataDir(folder).release();
    expect(() => openDataDir(folder).release()).not.toThrow();
  });

  test('is refused when it holds files of something else, and nothing is written into it', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'holiday.jpg'), '');
    expect(() => openDataDir(folder)).toThrow(DataDirError);
    expect(() => openDataDir(folder)).toThrow(`DATA_DIR ${folder} holds files of something else (holiday.jpg)`);
    expect(readdirSync(folder)).toEqual(['holiday.jpg']);
  });

  const asRoot = process.getuid?.() === 0 ? test : test.skip;
  const STRANGER = 12_345;
  const modeOf = (file: string): number => statSync(file).mode & 0o777;

  test.each([0o777, 0o770, 0o702, 0o775])(
    'with files in it and mode %o is refused, with what to do, and left as it is',
    async (mode) => {
      const folder = await temporaryFolder();
      openDataDir(folder).release();
      chmodSync(folder, mode);
      const shown = mode.toString(8).padStart(4, '0');
      expect(() => openDataDir(folder)).toThrow(
        `Others can write DATA_DIR ${folder}: its mode is ${shown}, expected 0700. Make sure that no one changed what is in it, then take their rights away (chmod 700 ${folder}).`,
      );
      expect(modeOf(folder)).toBe(mode);
      chmodSync(folder, 0o700);
      openDataDir(folder).release();
    },
  );

  test("in development is made its owner's alone when only its group could write it, as after a umask of 002, and says so", async () => {
    const folder = await temporaryFolder();
    openDataDir(folder).release();
    const told: string[] = [];
    const development = { tightens: true, onTightened: (message: string) => told.push(message) };
    chmodSync(folder, 0o775);
    openDataDir(folder, development).release();
    expect(modeOf(folder)).toBe(0o700);
    expect(told).toEqual([expect.stringContaining("(mode 0775); it is its owner's alone from now on (mode 0700)")]);
    openDataDir(folder, development).release();
    expect(told).toHaveLength(1);
    chmodSync(folder, 0o777);
    expect(() => openDataDir(folder, development)).toThrow('Others can write DATA_DIR');
  });

  test("that is empty is made its owner's alone, whichever users could write it", async () => {
    const folder = await temporaryFolder();
    chmodSync(folder, 0o777);
    openDataDir(folder).release();
    expect(modeOf(folder)).toBe(0o700);
  });

  test('that others can read may hold no file that they can write', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'chain.db'), '');
    chmodSync(folder, 0o755);
    chmodSync(path.join(folder, 'chain.db'), 0o664);
    expect(() => openDataDir(folder)).toThrow(
      `Others can write ${folder}/chain.db: its mode is 0664. Make sure that no one changed it, then take their rights away (chmod go-w ${folder}/chain.db).`,
    );
    chmodSync(folder, 0o700);
    openDataDir(folder).release();
  });

  asRoot('of another user, or with a file of another user in it, is refused, with what to do', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'chain.db'), '');
    chownSync(path.join(folder, 'chain.db'), STRANGER, STRANGER);
    expect(() => openDataDir(folder)).toThrow(
      `${folder}/chain.db belongs to user ${STRANGER}, and this process runs as user 0.`,
    );
    chownSync(folder, STRANGER, STRANGER);
    expect(() => openDataDir(folder)).toThrow(
      `DATA_DIR ${folder} belongs to user ${STRANGER}, and this process runs as user 0. Give it to that user (chown -R 0 ${folder})`,
    );
  });

  test('is refused when it is a file, or lies below one', async () => {
    const file = path.join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    expect(() => openDataDir(file)).toThrow('is a file');
    expect(() => openDataDir(path.join(file, 'below'))).toThrow(DataDirError);
  });

  test('belongs to one process at a time: a second one is told which folder is in use', async () => {
    const folder = await temporaryFolder();
    const holder = spawnSource(HOLD(folder));
    try {
      await printed(holder, 'locked');
      expect(() => openDataDir(folder)).toThrow(`DATA_DIR ${folder} is in use by another running process`);
    } finally {
      await endChild(holder, 'SIGKILL');
    }
  });

  test('is free again after its process was killed with SIGKILL, whatever that left behind', async () => {
    const folder = await temporaryFolder();
    const holder = spawnSource(HOLD(folder));
    await printed(holder, 'locked');
    await endChild(holder, 'SIGKILL');
    const dataDir = openDataDir(folder);
    expect(existsSync(dataDir.files.lock)).toBe(true);
    dataDir.release();
  });

  test('is locked within one process too', async () => {
    const folder = await temporaryFolder();
    const first = openDataDir(folder);
    expect(() => openDataDir(folder)).toThrow('in use');
    first.release();
    openDataDir(folder).release();
  });
});
