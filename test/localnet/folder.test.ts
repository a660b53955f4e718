import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openLocalnetFolder } from '../../scripts/localnet/folder.ts';
import { LocalnetError } from '../../scripts/localnet/failure.ts';
import { readState, writeState, type LocalnetState } from '../../scripts/localnet/state.ts';
import { openDataDir } from '../../server/app/data-dir.ts';
import { printed, removeTemporaryFolders, spawnSource, temporaryFolder } from '../app/support.ts';
import { endChild } from '../support/child-process.ts';

afterAll(removeTemporaryFolders);

const STATE: LocalnetState = {
  version: 1,
  supervisorPid: 1,
  chainId: 'txledger-dev-1',
  gateways: [],
  databaseUrlFile: '/x',
  parts: [],
};

describe('the folder of a network', () => {
  test('is made for its owner only, and may be an empty one', async () => {
    const folder = path.join(await temporaryFolder('localnet'), 'a', 'b');
    const layout = openLocalnetFolder(folder);
    expect([folder, layout.logs].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
    const empty = await temporaryFolder('localnet');
    await mkdir(path.join(empty, 'lost+found'));
    expect(openLocalnetFolder(empty).state).toBe(path.join(empty, 'localnet.json'));
  });

  test('is used again when a network was made in it, also when its first start died early', async () => {
    const folder = await temporaryFolder('localnet');
    await writeFile(path.join(folder, 'localnet.lock'), '');
    await mkdir(path.join(folder, 'node-0'));
    writeState(openLocalnetFolder(folder).state, STATE);
  });

  test('is refused when its chain is of format 1, and nothing is written into it', async () => {
    const folder = await temporaryFolder('localnet');
    await writeFile(path.join(folder, 'localnet.lock'), '');
    await writeFile(
      path.join(folder, 'genesis.json'),
      JSON.stringify({ app_state: { address_prefix: 'txlt', accounts: [], operators: [] } }),
    );
    expect(() => openLocalnetFolder(folder)).toThrow(LocalnetError);
    expect(() => openLocalnetFolder(folder)).toThrow(`DATA_DIR ${folder} cannot be used: this is a chain of format 1,`);
    expect(readdirSync(folder).sort()).toEqual(['genesis.json', 'localnet.lock']);
  });

  test('is refused when it holds an embedded chain, and nothing is written into it', async () => {
    const folder = await temporaryFolder('localnet');
    openDataDir(folder).release();
    const before = readdirSync(folder);
    expect(() => openLocalnetFolder(folder)).toThrow(`DATA_DIR ${folder} holds a chain of the embedded engine`);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('is refused when it holds something else, when it is a file, and when it lies below one', async () => {
    const folder = await temporaryFolder('localnet');
    const file = path.join(folder, 'holiday.jpg');
    writeFileSync(file, '');
    expect(() => openLocalnetFolder(folder)).toThrow('holds files of something else (holiday.jpg)');
    expect(() => openLocalnetFolder(file)).toThrow('is a file');
    expect(() => openLocalnetFolder(path.join(file, 'below'))).toThrow(LocalnetError);
    expect(readdirSync(folder)).toEqual(['holiday.jpg']);
  });

  test('belongs to one supervisor at a time, and is free again when that was killed', async () => {
    const folder = await temporaryFolder('localnet');
    const holder = spawnSource(`
      import { openLocalnetFolder } from './scripts/localnet/folder.ts';
      openLocalnetFolder(${JSON.stringify(folder)});
      globalThis.gc();
      console.log('locked');
      setInterval(() => undefined, 1000);
    `);
    try {
      await printed(holder, 'locked');
      expect(() => openLocalnetFolder(folder)).toThrow(`DATA_DIR ${folder} is in use by another running process`);
    } finally {
      await endChild(holder, 'SIGKILL');
    }
    expect(() => openLocalnetFolder(folder)).not.toThrow();
  });

  test('is refused by npm start, which says where its tokens are managed', async () => {
    const folder = await temporaryFolder('localnet');
    writeState(path.join(folder, 'localnet.json'), STATE);
    expect(() => openDataDir(folder)).toThrow(
      `belongs to \`npm run localnet\`. Name another one; for a command on its tokens set DATABASE_URL="$(cat ${folder}/database-url)"`,
    );
  });
});

describe('localnet.json', () => {
  test('is for its owner only, and comes back as it was written', async () => {
    const file = path.join(await temporaryFolder('localnet'), 'localnet.json');
    expect(readState(file)).toBeUndefined();
    writeState(file, STATE);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readState(file)).toEqual(STATE);
  });

  test.each([
    ['{', 'is not JSON'],
    ['null', 'is of another version'],
    ['{"version":2,"parts":[]}', 'is of another version of npm run localnet (2, expected 1)'],
  ])('that says %s is refused', async (text, message) => {
    const file = path.join(await temporaryFolder('localnet'), 'localnet.json');
    writeFileSync(file, text);
    expect(() => readState(file)).toThrow(message);
  });
});
