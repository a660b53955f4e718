import { exec } from 'node:child_process';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf, type Chain } from './support/development.ts';
import { mainJob } from './support/main-job.ts';
import { call, environment, freePort, READY_MS_MAX, Server } from './support/server.ts';
import { startPythonSigner, type PythonSigner } from './support/signer.ts';

/** The first minutes of a newcomer, with signatures made by a Python program that shares no code with the product. */

let chain: Chain<Server>;
let server: Server;
let python: PythonSigner;
let firstFile: string;

beforeAll(async () => {
  python = startPythonSigner();
  server = new Server({ dataDir: path.join(await temporaryFolder('e2e'), 'data'), port: await freePort() });
  await server.start();
  chain = chainOf(server, await server.development());
  firstFile = await readFile(path.join(server.dataDir, 'dev.json'), 'utf8');
}, READY_MS_MAX);

afterAll(async () => {
  python.end();
  await server.stop('SIGKILL');
  await removeTemporaryFolders();
});

describe('the first minutes', () => {
  test('print a warning, the accounts, the addresses, the token and a command to paste', () => {
    const { output, baseUrl } = server;
    expect(output).toContain('WARNING: the keys of these accounts are PUBLIC');
    for (const { name, address, seed } of chain.dev.accounts) {
      expect(output).toMatch(new RegExp(`^  ${name} +${address} +10,000,000,000,000\\.00 DEV$`, 'm'));
      expect(output).not.toContain(seed);
    }
    // Only the folder of this test is longer.
    const banner = output.split('\n').filter((line) => !line.startsWith('{') && !line.includes(server.dataDir));
    expect(banner.filter((line) => line.length > 100)).toEqual([]);
    expect(output).toContain(`  ${path.join(server.dataDir, 'dev.json')}\n`);
    for (const where of [baseUrl, `${baseUrl}/`, `${baseUrl}/docs`, `${baseUrl}/readyz`, `${baseUrl}/metrics`])
      expect(output).toContain(`  ${where}\n`);
    expect(output).toContain(chain.dev.token);
  });

  test('leave everything in dev.json, readable by its owner only', () => {
    expect(statSync(path.join(server.dataDir, 'dev.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(firstFile)).toEqual({
      baseUrl: server.baseUrl,
      rpcUrl: `${server.baseUrl}/rpc`,
      chainId: 'txledger-dev-1',
      token: expect.stringMatching(/^txl_[A-Za-z0-9]+_[A-Za-z0-9_-]{32,}$/),
      accounts: Array.from({ length: 10 }, (_, index) => ({
        name: `dev-${index}`,
        address: expect.stringMatching(/^txlt1[02-9ac-hj-np-z]{58}$/),
        seed: expect.stringMatching(/^[0-9a-f]{64}$/),
      })),
    });
  });

  test('give ten accounts whose addresses an independent program computes from the documented seeds', async () => {
    for (const { seed, address } of chain.dev.accounts) expect(await python.address(seed, 'txlt')).toBe(address);
  });

  test('commit a transfer signed in Python under the hash that Python computed, list it, and cancel one that waits', () =>
    mainJob(chain, python));

  test('print a command that sends a transfer and waits for it when it is pasted into a shell', async () => {
    const command = server.output.split('\n').find((line) => line.includes('npx txledger send'));
    const run = (line: string) => promisify(exec)(line, { cwd: ROOT, env: environment({}) });
    expect((await run(command?.trim() ?? 'false')).stdout).toMatch(/^committed /m);
    const again = await run(`${command?.trim()} --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({
      transaction: { status: 'committed', amount: '100', to: chain.account(1).address },
    });
  });

  test('serve the pages and the contract that the start printed', async () => {
    for (const page of ['/', '/docs'])
      expect((await call(server.baseUrl + page)).headers.get('content-type')).toMatch(/^text\/html/);
    expect((await call(`${server.baseUrl}/openapi.json`)).body.openapi).toMatch(/^3\.1\./);
    expect((await call(`${server.baseUrl}/metrics`)).body).toMatch(/^txledger_engine_height [1-9]/m);
    expect((await call(`${server.baseUrl}/chain`)).body).toMatchObject({
      chainId: 'txledger-dev-1',
      addressPrefix: 'txlt',
      blockIntervalMs: 1000,
    });
    expect((await call(`${server.baseUrl}/livez`)).status).toBe(200);
  });

  test(
    'go on after kill -9 and a restart: all that was acknowledged is there, dev.json is the same, and the main job works',
    async () => {
      const known = await chain.list();
      await server.stop('SIGKILL');
      await server.start();
      expect(await readFile(path.join(server.dataDir, 'dev.json'), 'utf8')).toBe(firstFile);
      expect(await chain.list()).toEqual(known);
      await mainJob(chain, python);
    },
    READY_MS_MAX,
  );

  test('write no token, no seed and no whole signature into the log', async () => {
    const log = server.output.split('\n').filter((line) => line.startsWith('{'));
    expect(log.length).toBeGreaterThan(0);
    const text = log.join('\n');
    expect(text).not.toContain(chain.dev.token);
    expect(text).not.toMatch(/[0-9a-f]{128}/);
    for (const { seed } of chain.dev.accounts) expect(text).not.toContain(seed);
  });
});
