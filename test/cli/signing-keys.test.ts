import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { documentOf, run, serveAnswers } from './support.ts';

/** Keys that pay: files of their own, and development keys, whose seeds are public, on development chains alone. */

const RECEIVER = developmentAccounts()[1]?.address as string;
const ACME = { chainId: 'acme-1', addressPrefix: 'txl' };
/** With the addresses of a test network, and still no development chain. */
const TRIAL = { chainId: 'trial-1', addressPrefix: 'txlt' };
const DEVELOPMENT_ID = { chainId: 'txledger-dev-1', addressPrefix: 'txl' };

let folder: string;
let chain = ACME;
let asked: string[] = [];
let service: Awaited<ReturnType<typeof serveAnswers>>;
beforeAll(async () => {
  folder = await temporaryFolder('cli');
  service = await serveAnswers((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const known = {
      ...chain,
      height: 5,
      lastBlockTime: '2026-11-22T17:30:00.000Z',
      blockIntervalMs: 1000,
      genesisHash: 'A'.repeat(64),
      currency: { code: 'EUR', scale: 2 },
      openingMinimum: '1',
      format: 2,
    };
    response.setHeader('content-type', 'application/json');
    if (request.url === '/chain') response.end(JSON.stringify(known));
    else response.writeHead(404).end();
  });
});
afterAll(async () => {
  await service.close();
  await removeTemporaryFolders();
});
afterEach(() => {
  asked = [];
  chain = ACME;
});

const send = (...args: string[]) =>
  run(['send', ...args, '--url', service.url, '--timeout', '5s'], {
    variables: { TXLEDGER_TOKEN: 'txl_a_b', DATA_DIR: path.join(folder, 'none') },
  });
const payments = async (): Promise<string> => {
  const file = path.join(folder, 'payments.csv');
  await writeFile(file, `to,amount\n${RECEIVER},5\n`);
  return file;
};

describe('a development key', () => {
  const ways: readonly (readonly [string, () => Promise<readonly string[]>])[] = [
    ['a transfer', async () => ['--to', RECEIVER, '--amount', '1']],
    ['a transfer with --json', async () => ['--to', RECEIVER, '--amount', '1', '--json']],
    [
      'a transfer from a named account',
      async () => ['--from', 'dev-3', '--to', RECEIVER, '--amount', '1', '--nonce', '0'],
    ],
    ['a dry run', async () => ['--to', RECEIVER, '--amount', '1', '--dry-run']],
    ['a file', async () => ['--file', await payments()]],
  ];

  test.each(ways)('signs nothing for a chain of another name: %s', async (_, words) => {
    for (const other of [ACME, TRIAL, DEVELOPMENT_ID]) {
      [chain, asked] = [other, []];
      const { code, stdout, stderr } = await send(...(await words()));
      expect(code).toBe(EXIT.usage);
      expect(stdout + stderr).toContain(`${other.chainId} is no development chain, and dev-`);
      expect(stdout + stderr).toContain('nothing was signed');
      expect(stdout + stderr).not.toMatch(/hash {7}/);
      // The service was asked what it is, and was told nothing.
      expect(asked).toEqual(['GET /chain']);
    }
  });

  test('leaves no result file behind', async () => {
    const file = await payments();
    await send('--file', file);
    await expect(stat(path.join(folder, 'payments.result.csv'))).rejects.toThrow('ENOENT');
  });

  test('is named as such with --json', async () => {
    const { error } = documentOf(await send('--to', RECEIVER, '--amount', '1', '--json'));
    expect(error).toMatchObject({ code: 'development_key', chainId: 'acme-1', exitCode: EXIT.usage });
  });
});

describe('key create and show', () => {
  test.each(['key', 'operator-key', 'governor-key'])(
    '%s: a file for its owner alone, its address, and never its secret',
    async (name) => {
      const file = path.join(folder, `${name}.json`);
      const made = await run([name, 'create', '--out', file, '--prefix', 'txlt']);
      expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^txlt1[a-z0-9]{58}\n$/) });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const content = await readFile(file, 'utf8');
      const { address, seed } = JSON.parse(content);
      expect(address).toBe(made.stdout.trim());

      const shown = documentOf(await run([name, 'show', file, '--json']));
      expect(shown).toEqual({ address, publicKey: expect.stringMatching(/^[0-9a-f]{64}$/) });
      const told = await run([name, 'show', file]);
      expect(told.stdout).toBe(`address     ${address}\npublic key  ${shown.publicKey}\n`);
      expect(JSON.stringify([made, shown, told])).not.toContain(seed);

      expect(await run([name, 'create', '--out', file])).toMatchObject({
        code: EXIT.usage,
        stderr: expect.stringContaining('is not overwritten'),
      });
      expect(await readFile(file, 'utf8')).toBe(content);
    },
  );

  test('show reads a bare seed too, and no file that others can read or that holds something else', async () => {
    const [account] = developmentAccounts();
    const file = path.join(folder, 'seed.hex');
    await writeFile(file, `${account?.seed}\n`, { mode: 0o600 });
    expect(documentOf(await run(['key', 'show', file, '--prefix', 'txlt', '--json'])).address).toBe(account?.address);
    await chmod(file, 0o644);
    expect(await run(['key', 'show', file])).toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringContaining('mode is 0644, expected 0600'),
    });
    await chmod(file, 0o600);
    await writeFile(file, JSON.stringify({ address: RECEIVER, seed: account?.seed }));
    const { code, stderr } = await run(['key', 'show', file]);
    expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining('does not belong to its seed')]);
    expect(stderr).not.toContain(account?.seed);
  });

  test('send signs with such a file, and refuses one of another network', async () => {
    const file = path.join(folder, 'payer.json');
    const { stdout } = await run(['key', 'create', '--out', file]);
    await send('--key-file', file, '--to', stdout.trim(), '--amount', '1', '--dry-run');
    expect(asked).toEqual(['GET /chain', `GET /accounts/${stdout.trim()}`]);
    chain = TRIAL;
    expect(await send('--key-file', file, '--to', RECEIVER, '--amount', '1')).toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringContaining('an address of another network: those of trial-1 start with txlt1'),
    });
  });
});
