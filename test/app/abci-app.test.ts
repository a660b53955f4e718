/** `txledger app` as a process: how it is configured, how it starts, and how it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import {
  ABCI_LISTEN_DEFAULT,
  isLocal,
  parseAbciAddress,
  readAppConfig,
  SNAPSHOT_INTERVAL_BLOCKS_DEFAULT,
} from '../../server/app/app-config.ts';
import { EXIT_CONFIG, EXIT_DIED, EXIT_OK } from '../../server/app/lifetime.ts';
import { CHAIN_FILE_ID } from '../../server/ledger/index.ts';
import { environment, txledger } from '../e2e/support/server.ts';
import { AbciClient, initChainOf } from '../engine/support/abci-client.ts';
import { DEV_ACCOUNTS, signedTransfer, testGenesis } from '../ledger/support.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';
import { endChild } from '../support/child-process.ts';

const TIMEOUT_MS = 60_000;

describe('the configuration', () => {
  const read = (env: Record<string, string>) => readAppConfig(env, { cwd: '/srv' });

  test('needs nothing, and listens on loopback then', () => {
    expect(read({})).toEqual({
      ok: true,
      config: {
        listen: { host: '127.0.0.1', port: 26658 },
        listenText: ABCI_LISTEN_DEFAULT,
        dataDir: '/srv/data',
        logLevel: 'info',
        snapshotIntervalBlocks: SNAPSHOT_INTERVAL_BLOCKS_DEFAULT,
        chainId: undefined,
      },
    });
  });

  test('names every fault at once, and passes over what other commands read', () => {
    const result = read({
      ABCI_LISTEN: 'http://x',
      TXLEDGER_SNAPSHOT_INTERVAL: '-1',
      TXLEDGER_CHAIN_ID: 'A',
      TXLEDGER_TYPO: 'secret',
      TXLEDGER_URL: 'http://x',
    });
    expect(result.ok ? [] : result.faults.map(({ name, value }) => [name, value])).toEqual([
      ['ABCI_LISTEN', 'http://x'],
      ['TXLEDGER_SNAPSHOT_INTERVAL', '-1'],
      ['TXLEDGER_CHAIN_ID', 'A'],
      ['TXLEDGER_TYPO', '(hidden)'],
    ]);
    expect(read({ TXLEDGER_SNAPSHOT_INTERVAL: '0' })).toMatchObject({
      ok: true,
      config: { snapshotIntervalBlocks: 0 },
    });
  });

  test.each([
    ['tcp://127.0.0.1:26658', { host: '127.0.0.1', port: 26658 }, true],
    ['tcp://localhost:1', { host: 'localhost', port: 1 }, true],
    ['tcp://[::1]:26658', { host: '::1', port: 26658 }, true],
    ['tcp://0.0.0.0:26658', { host: '0.0.0.0', port: 26658 }, false],
    ['unix:///run/a.sock', { path: '/run/a.sock' }, true],
  ])('%s is an address', (text, address, local) => {
    expect(parseAbciAddress(text)).toEqual(address);
    expect(isLocal(parseAbciAddress(text)!)).toBe(local);
  });

  test.each([
    '',
    '127.0.0.1:26658',
    'tcp://127.0.0.1',
    'tcp://127.0.0.1:0',
    'tcp://127.0.0.1:70000',
    'tcp://node:26658',
    'tcp://[127.0.0.1]:1',
    'tcp://::1:1',
    'unix://relative',
    `unix:///${'x'.repeat(107)}`,
  ])('%s is none', (text) => expect(parseAbciAddress(text)).toBeUndefined());
});

describe('the process', () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await endChild(child, 'SIGKILL');
    await removeTemporaryFolders();
  });

  async function start(dataDir: string, socket: string) {
    const child = spawn(process.execPath, ['server/cli/txledger.ts', 'app'], {
      cwd: ROOT,
      env: environment({ DATA_DIR: dataDir, ABCI_LISTEN: `unix://${socket}` }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines: any[] = [];
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
      child.stdout.on('data', (chunk: Buffer) => {
        lines.push(
          ...chunk
            .toString()
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as object),
        );
        if (lines.some(({ msg }) => msg === 'ready')) resolve();
      });
    });
    const client = await AbciClient.connect({ path: socket });
    return { child, lines, client };
  }

  test(
    'says in one line that it is ready, keeps its files to itself, and ends with 0 on SIGTERM',
    async () => {
      const folder = await temporaryFolder('abci');
      const [dataDir, socket] = [path.join(folder, 'app'), path.join(folder, 'abci.sock')];
      const { child, lines, client } = await start(dataDir, socket);
      expect(lines.map(({ level, msg, height }) => ({ level, msg, height }))).toEqual([
        { level: 'info', msg: 'ready', height: 0 },
      ]);
      expect(statSync(socket).mode & 0o077).toBe(0);
      expect(statSync(path.join(dataDir, 'app.db')).mode & 0o077).toBe(0);
      // What is in hand when the signal comes is answered.
      const answers = client.all([
        { initChain: initChainOf(testGenesis()) },
        { finalizeBlock: { height: 1n } },
        { commit: {} },
      ]);
      await answers;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await exit).toEqual([EXIT_OK, null]);
      const again = await start(dataDir, socket);
      expect(again.lines[0]).toMatchObject({
        msg: 'ready',
        height: 1,
        accounts: DEV_ACCOUNTS,
        stateBytes: expect.any(Number),
        openedMs: expect.any(Number),
      });
    },
    TIMEOUT_MS,
  );

  test(
    'a second one on the folder does not wait and says why, and so does one on the address',
    async () => {
      const folder = await temporaryFolder('abci');
      const [dataDir, socket] = [path.join(folder, 'app'), path.join(folder, 'abci.sock')];
      await start(dataDir, socket);
      const second = await txledger(['app'], {
        DATA_DIR: dataDir,
        ABCI_LISTEN: `unix://${path.join(folder, 'other.sock')}`,
      });
      expect(second).toMatchObject({
        code: EXIT_CONFIG,
        stdout: '',
        stderr: expect.stringContaining('is in use by another running process'),
      });
      const third = await txledger(['app'], { DATA_DIR: path.join(folder, 'other'), ABCI_LISTEN: `unix://${socket}` });
      expect(third).toMatchObject({
        code: EXIT_CONFIG,
        stdout: '',
        stderr: expect.stringMatching(/ABCI_LISTEN unix:.*cannot be listened on: .*EADDRINUSE/),
      });
    },
    TIMEOUT_MS,
  );

  test(
    'a damaged database is named, and no stack trace printed',
    async () => {
      const folder = await temporaryFolder('abci');
      mkdirSync(path.join(folder, 'app'));
      const sql = new Database(path.join(folder, 'app', 'app.db'));
      sql.pragma(`application_id = ${CHAIN_FILE_ID}`);
      sql.pragma('user_version = 9');
      sql.close();
      const result = await txledger(['app'], {
        DATA_DIR: path.join(folder, 'app'),
        ABCI_LISTEN: `unix://${path.join(folder, 's')}`,
      });
      expect(result).toMatchObject({
        code: EXIT_CONFIG,
        stderr: expect.stringMatching(/^[^\n]*app\.db has schema version 9, this program knows 2[^\n]*\n$/),
      });
    },
    TIMEOUT_MS,
  );

  test(
    'a defect tells the node, is logged, and ends it with 1',
    async () => {
      const folder = await temporaryFolder('abci');
      const [dataDir, socket] = [path.join(folder, 'app'), path.join(folder, 'abci.sock')];
      const { child, lines, client } = await start(dataDir, socket);
      await client.ask({ initChain: initChainOf(testGenesis()) });
      await client.ask({ finalizeBlock: { height: 1n, txs: [signedTransfer().raw] } });
      const sql = new Database(path.join(dataDir, 'app.db'));
      sql.exec('DROP TABLE accounts');
      sql.close();
      const exit = once(child, 'exit');
      expect((await client.ask({ commit: {} })).exception?.error).toMatch(/no such table: accounts/);
      expect(await exit).toEqual([EXIT_DIED, null]);
      expect(lines.at(-1)).toMatchObject({
        level: 'error',
        msg: 'a defect: the process ends',
        err: { message: expect.stringContaining('no such table') },
      });
    },
    TIMEOUT_MS,
  );
});
