import { existsSync, readdirSync, statSync } from 'node:fs';
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
