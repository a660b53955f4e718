import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { verifyReceipt } from '../../client/src/index.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { call } from '../e2e/support/server.ts';
import { documentOf, run, serveAnswers, TEST_MS_MAX, withDevelopment } from './support.ts';

const dev = withDevelopment();

const here = (...args: string[]) => run(args, { variables: dev().variables });
/** A data folder of no service. */
const elsewhere = () => path.join(dev().folder, 'none');

/** What a failure's document must say, whatever the failure is. */
async function failure(result: ReturnType<typeof run>, exit: number): Promise<any> {
  const { code, stdout } = await result;
  const { error } = JSON.parse(stdout);
  expect({ code, exitCode: error.exitCode, message: typeof error.message, named: typeof error.code }).toEqual({
    code: exit,
    exitCode: exit,
    message: 'string',
    named: 'string',
  });
  return error;
}

describe('what there is', () => {
  test(
    'chain, account, dev accounts say what the service says',
    async () => {
      const [chain, account, accounts] = await Promise.all([
        here('chain', '--json'),
        here('account', 'dev-9', '--json'),
        here('dev', 'accounts', '--balances', '--json'),
      ]);
      const { body } = await call(`${dev().server.baseUrl}/chain`);
      expect(documentOf(chain)).toMatchObject({ chainId: body.chainId, genesisHash: body.genesisHash });
      expect(documentOf(account)).toEqual(
        (await call(`${dev().server.baseUrl}/accounts/${developmentAccounts()[9]?.address}`, { token: dev().token }))
          .body,
      );
      expect(documentOf(accounts).accounts[9]).toEqual({
        ...developmentAccounts()[9],
        balance: documentOf(account).balance,
      });
    },
    TEST_MS_MAX,
  );

  test(
    "cancel --key-file signs with the sender's key, and with no other",
    async () => {
      const { txHash } = documentOf(
        await here('send', '--from', 'dev-4', '--to', 'dev-1', '--amount', '5', '--nonce', '4', '--json'),
      );
      const keyOf = async (index: number): Promise<string> => {
        const file = path.join(dev().folder, `dev-${index}.hex`);
        await writeFile(file, developmentAccounts()[index]?.seed ?? '', { mode: 0o600 });
        return file;
      };
      expect(await failure(here('cancel', txHash, '--key-file', await keyOf(5), '--json'), EXIT.refused)).toMatchObject(
        { code: 'invalid_signature' },
      );
      expect(documentOf(await here('cancel', txHash, '--key-file', await keyOf(4), '--json'))).toMatchObject({
        txHash,
        status: 'cancelled',
      });
    },
    TEST_MS_MAX,
  );

  test(
    'list, get, cancel follow a transfer',
    async () => {
      const { txHash } = documentOf(
        await here('send', '--from', 'dev-2', '--to', 'dev-1', '--amount', '5', '--nonce', '4', '--json'),
      );
      await here('send', '--from', 'dev-2', '--to', 'dev-1', '--amount', '6', '--nonce', '5');
      const pending = documentOf(
        await here('list', '--account', 'dev-2', '--status', 'pending', '--limit', '1', '--json'),
      );
      expect(pending.transactions).toHaveLength(1);
      const rest = documentOf(
        await here('list', '--account', 'dev-2', '--status', 'pending', '--cursor', pending.nextCursor, '--json'),
      );
      expect(rest.transactions.map((each: { txHash: string }) => each.txHash)).toEqual([txHash]);
      expect(documentOf(await here('list', '--from', 'dev-2', '--all', '--json')).transactions).toHaveLength(2);
      const atNonce = documentOf(await here('list', '--from', 'dev-2', '--nonce', '4', '--json'));
      expect(atNonce.transactions.map((each: { txHash: string }) => each.txHash)).toEqual([txHash]);
      expect(await failure(here('list', '--nonce', '4', '--json'), EXIT.usage)).toMatchObject({ code: 'usage' });
      expect((await here('get', txHash)).stdout).toMatch(/^nonce +4$/m);

      expect(documentOf(await here('cancel', txHash, '--json'))).toMatchObject({ txHash, status: 'cancelled' });
      expect(documentOf(await here('get', txHash.toLowerCase(), '--json')).history.at(-1)).toMatchObject({
        event: 'cancelled',
      });
      // Decided against it: that is no success of a command that waits for the block.
      expect(await failure(here('get', txHash, '--wait', '--json'), EXIT.refused)).toMatchObject({
        code: 'cancelled',
        txHash,
      });
      expect((await here('get', txHash)).stdout).toMatch(/^hash .*\nstatus {6}cancelled\n/);
    },
    TEST_MS_MAX,
  );
});

describe('receipt', () => {
  test(
    'prints the receipt, and with --verify what it proves by the genesis file or the hash of a header',
    async () => {
      const genesis = path.join(dev().variables['DATA_DIR'] as string, 'genesis.json');
      const sent = documentOf(
        await here('send', '--from', 'dev-4', '--to', 'dev-1', '--amount', '7', '--wait', '--json'),
      );
      const receipt = documentOf(await here('receipt', sent.txHash));
      expect(await verifyReceipt(receipt, { genesis: JSON.parse(await readFile(genesis, 'utf8')) })).toMatchObject({
        paid: true,
        txHash: sent.txHash,
      });
      const proven = {
        kind: 'transfer',
        paid: true,
        txHash: sent.txHash,
        amount: '7',
        from: developmentAccounts()[4]?.address,
        code: 0,
      };
      const { height, block } = receipt;
      for (const trust of [genesis, `${height}:${block.commit.block_id.hash}`])
        expect(documentOf(await here('receipt', sent.txHash, '--verify', trust, '--json'))).toMatchObject(proven);
      for (const [trust, amount] of [
        [genesis, '0\\.07 DEV'],
        // The decimal point is the service's word then, and only the minor units are proven.
        [
          `${height}:${block.commit.block_id.hash}`,
          '7 minor units \\(0\\.07 DEV by the currency that the service names\\)',
        ],
      ] as const)
        expect((await here('receipt', sent.txHash, '--verify', trust)).stdout).toMatch(
          new RegExp(`^proven +transfer\nhash +[0-9A-F]{64}\n[^]*\namount +${amount}\n`),
        );
      expect(
        await failure(here('receipt', sent.txHash, '--verify', `${height}:${'AB'.repeat(32)}`, '--json'), EXIT.refused),
      ).toMatchObject({ code: 'invalid_receipt', check: 'trust' });
      for (const wrong of ['12:AB', 'no-such-file.json'])
        expect((await here('receipt', sent.txHash, '--verify', wrong)).code).toBe(EXIT.usage);
    },
    TEST_MS_MAX,
  );

  test(
    'of a cancelled transfer proves the cancel, and is no success',
    async () => {
      const { txHash } = documentOf(
        await here('send', '--from', 'dev-5', '--to', 'dev-1', '--amount', '5', '--nonce', '4', '--json'),
      );
      await here('cancel', txHash);
      const genesis = path.join(dev().variables['DATA_DIR'] as string, 'genesis.json');
      const told = await failure(here('receipt', txHash, '--verify', genesis, '--json'), EXIT.refused);
      expect(told).toMatchObject({
        code: 'not_paid',
        txHash,
        proven: { kind: 'cancel', code: 0, nonce: 4, cancels: txHash },
      });
    },
    TEST_MS_MAX,
  );
});

describe('exit codes', () => {
  test(
    '2: the command line, also what commander finds',
    async () => {
      for (const args of [
        ['list', '--limit', '0'],
        ['send'],
        ['nonsense'],
        ['token'],
        ['list', '--all', '--limit', '3'],
        ['get', 'ABC'],
        ['chain', '--url', 'ftp://127.0.0.1'],
      ]) {
        const { code, stdout } = await here(...args);
        expect({ args, code, stdout }).toEqual({ args, code: EXIT.usage, stdout: '' });
      }
      await failure(here('send', '--json'), EXIT.usage);
      await failure(run(['list', '--json'], { variables: { DATA_DIR: elsewhere() } }), EXIT.usage);
    },
    TEST_MS_MAX,
  );

  test(
    '3: refused by the service',
    async () => {
      expect(await failure(here('get', 'AB'.repeat(32), '--json'), EXIT.refused)).toMatchObject({
        code: 'not_found',
        status: 404,
        requestId: expect.any(String),
      });
      expect(
        await failure(
          run(['list', '--json'], {
            variables: {
              DATA_DIR: elsewhere(),
              TXLEDGER_URL: dev().server.baseUrl,
              TXLEDGER_TOKEN: `${dev().token.slice(0, -4)}0000`,
            },
          }),
          EXIT.refused,
        ),
      ).toMatchObject({ code: 'unauthenticated' });
    },
    TEST_MS_MAX,
  );

  test(
    '5: nobody answers, or somebody else',
    async () => {
      const nobody = await serveAnswers(() => {});
      await nobody.close();
      expect(
        await failure(here('chain', '--url', nobody.url, '--timeout', '1s', '--json'), EXIT.unreachable),
      ).toMatchObject({ code: 'unreachable' });
      const stranger = await serveAnswers((_request, response) => response.end('<html>'));
      try {
        await failure(here('chain', '--url', stranger.url, '--timeout', '1s', '--json'), EXIT.unreachable);
      } finally {
        await stranger.close();
      }
    },
    TEST_MS_MAX,
  );

  test(
    'a development token is shown to its own server only',
    async () => {
      let authorization: unknown = 'never asked';
      const stranger = await serveAnswers((request, response) => {
        authorization = request.headers.authorization;
        response.end('{}');
      });
      try {
        expect((await failure(here('list', '--url', stranger.url, '--json'), EXIT.usage)).message).toContain(
          `There is no token for ${stranger.url}`,
        );
        await here('chain', '--url', stranger.url, '--timeout', '1s');
        expect(authorization).toBeUndefined();
      } finally {
        await stranger.close();
      }
    },
    TEST_MS_MAX,
  );
});

describe('token rotate', () => {
  const works = async (each: string): Promise<boolean> =>
    (await call(`${dev().server.baseUrl}/transactions`, { token: each })).status === 200;

  test(
    'both hold during the overlap, the new one alone after it',
    async () => {
      const old = documentOf(
        await here(
          'token',
          'create',
          '--owner',
          'acme',
          '--scope',
          'transactions:read',
          '--expires-in',
          '30d',
          '--json',
        ),
      );
      const rotated = documentOf(await here('token', 'rotate', old.id, '--overlap', '4s', '--json'));
      const endMs = Date.parse(rotated.replaces.expiresAt);
      expect(rotated).toMatchObject({ owner: 'acme', scopes: ['transactions:read'], replaces: { id: old.id } });
      expect(Date.parse(rotated.expiresAt) - Date.parse(rotated.createdAt)).toBeCloseTo(30 * 86_400_000, -4);
      expect(await works(rotated.token)).toBe(true);
      if (Date.now() < endMs) expect((await works(old.token)) || Date.now() >= endMs).toBe(true);
      while (Date.now() < endMs || (await works(old.token))) expect(Date.now()).toBeLessThan(endMs + 10_000);
      expect(await works(rotated.token)).toBe(true);
      expect((await failure(here('token', 'rotate', old.id, '--json'), EXIT.usage)).code).toBe('expired');
    },
    TEST_MS_MAX,
  );

  test(
    'never lengthens the life of the old one, and refuses what does not hold',
    async () => {
      const short = documentOf(
        await here(
          'token',
          'create',
          '--owner',
          'acme',
          '--scope',
          'transactions:read',
          '--expires-in',
          '10m',
          '--json',
        ),
      );
      expect(documentOf(await here('token', 'rotate', short.id, '--overlap', '2h', '--json')).replaces.expiresAt).toBe(
        short.expiresAt,
      );
      await here('token', 'revoke', short.id);
      expect((await failure(here('token', 'rotate', short.id, '--json'), EXIT.usage)).code).toBe('revoked');
      expect((await failure(here('token', 'rotate', '0'.repeat(16), '--json'), EXIT.usage)).code).toBe('unknown');
      const listed = documentOf(await here('token', 'list', '--all', '--json')).tokens;
      expect(listed.find(({ id }: { id: string }) => id === short.id)).toHaveProperty('revokedAt');
    },
    TEST_MS_MAX,
  );

  test(
    'dev.json follows when its own token is rotated',
    async () => {
      const { stdout } = await here('token', 'rotate', dev().token.split('_')[1] as string);
      const file = JSON.parse(await readFile(path.join(dev().server.dataDir, 'dev.json'), 'utf8'));
      expect(`${file.token}\n`).toBe(stdout);
      expect((await here('account', 'dev-0')).code).toBe(EXIT.ok);
    },
    TEST_MS_MAX,
  );
});

describe('config check', () => {
  const check = (variables: Record<string, string>, ...args: string[]) =>
    run(['config', 'check', ...args, '--json'], { variables });

  test(
    'tells every fault, and hides what may be secret',
    async () => {
      const secret = 'postgres://user:hunter2@127.0.0.1/db';
      const error = await failure(
        check(
          { DATA_DIR: elsewhere(), PORT: 'eighty', BLOCK_INTERVAL_MS: '1', TXLEDGER_PENDINGMAX: secret },
          '--for',
          'start',
        ),
        EXIT.usage,
      );
      expect(error.faults.map(({ name }: { name: string }) => name).toSorted()).toEqual([
        'BLOCK_INTERVAL_MS',
        'PORT',
        'TXLEDGER_PENDINGMAX',
      ]);
      expect(error.faults).toContainEqual({
        name: 'PORT',
        value: 'eighty',
        expected: 'a whole number from 0 to 65535',
      });
      expect(JSON.stringify(error)).not.toContain('hunter2');
    },
    TEST_MS_MAX,
  );

  test(
    'tells what it comes to; the variables of the other commands are no mistake',
    async () => {
      const result = await check(
        { DATA_DIR: elsewhere(), LOG_LEVEL: 'warn', TXLEDGER_URL: dev().server.baseUrl, TXLEDGER_TOKEN: dev().token },
        '--for',
        'start',
      );
      expect(documentOf(result)).toMatchObject({
        command: 'start',
        variables: { HOST: '127.0.0.1', PORT: '8080', DATA_DIR: elsewhere(), LOG_LEVEL: 'warn' },
      });
      expect(result.stdout).not.toContain(dev().token);
    },
    TEST_MS_MAX,
  );

  test(
    'for serve it reads the files too',
    async () => {
      const files = {
        GENESIS_FILE: 'genesis.json',
        VALIDATOR_KEY_FILE: 'priv_validator_key.json',
        OPERATOR_KEY_FILE: 'operator_key.json',
      };
      const named = Object.fromEntries(
        Object.entries(files).map(([name, file]) => [name, path.join(dev().server.dataDir, file)]),
      );
      expect(documentOf(await check({ DATA_DIR: elsewhere(), ...named })).variables).toMatchObject(named);
      const error = await failure(
        check({ DATA_DIR: elsewhere(), ...named, OPERATOR_KEY_FILE: elsewhere() }),
        EXIT.usage,
      );
      expect(error).toMatchObject({ code: 'invalid_files', problems: [expect.stringContaining('OPERATOR_KEY_FILE')] });
    },
    TEST_MS_MAX,
  );
});
