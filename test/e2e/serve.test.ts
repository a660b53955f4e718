import { once } from 'node:events';
import { chmodSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { encodeTransaction, signBytes, signTransaction, txHash } from '../../server/ledger/index.ts';
import { operatorKeyOf } from '../../server/app/operator-key.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { openChainReader } from '../../server/store/embedded/connection.ts';
import { call, freePort, READY_MS_MAX, Server, txledger, type Answer } from './support/server.ts';

const TEST_MS_MAX = 2 * READY_MS_MAX;

/** A production chain as its operator makes it: keys, genesis, tokens, `serve`. */

const CHAIN_ID = 'acme-1';
const payer = operatorKeyOf(new Uint8Array(32).fill(7), 'txl');
const governor = operatorKeyOf(new Uint8Array(32).fill(9), 'txl').address;
const payee = operatorKeyOf(new Uint8Array(32).fill(8), 'txl');
const REVOKED_WITHIN_MS = 5000;

let folder: string;
let files: { GENESIS_FILE: string; VALIDATOR_KEY_FILE: string; OPERATOR_KEY_FILE: string };
let dataDir: string;
let server: Server;

async function succeeds(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await txledger(args, { DATA_DIR: dataDir });
  if (code !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

const makeToken = (owner: string, ...scopes: string[]): Promise<string> =>
  succeeds(['token', 'create', '--owner', owner, ...scopes.flatMap((scope) => ['--scope', scope])]);

function transfer(nonce: number, amount = 10n) {
  const signed = signTransaction(
    { kind: 'transfer', chainId: CHAIN_ID, from: payer.address, to: payee.address, amount, nonce },
    payer.seed,
  );
  return {
    from: payer.address,
    to: payee.address,
    amount: String(amount),
    nonce,
    signature: signed.signature,
    txHash: txHash(encodeTransaction(signed)),
  };
}

const submit = (token: string, body: object): Promise<Answer> =>
  call(`${server.baseUrl}/transactions`, {
    method: 'POST',
    token,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', prefer: 'wait=30' },
  });
const cancel = (token: string, hash: string): Promise<Answer> =>
  call(`${server.baseUrl}/transactions/${hash}`, { method: 'DELETE', token });
const list = (token: string): Promise<Answer> => call(`${server.baseUrl}/transactions`, { token });

/** Where the log and the audit trail end, as the log output says. */
const headsIn = (output: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line.includes('"the log and the audit trail end here"'))
    .map((line) => {
      const { logSeq, logHash, auditId, auditHash } = JSON.parse(line) as Record<string, unknown>;
      return { logSeq, logHash, auditId, auditHash };
    });

beforeAll(async () => {
  folder = await temporaryFolder('e2e');
  dataDir = path.join(folder, 'data');
  const file = (name: string): string => path.join(folder, name);
  files = {
    GENESIS_FILE: file('genesis.json'),
    VALIDATOR_KEY_FILE: file('validator.json'),
    OPERATOR_KEY_FILE: file('operator.json'),
  };
  const operator = await succeeds(['operator-key', 'create', '--out', files.OPERATOR_KEY_FILE]);
  await succeeds(['validator-key', 'create', '--out', files.VALIDATOR_KEY_FILE]);
  await succeeds([
    ...[
      'genesis',
      'create',
      '--chain-id',
      CHAIN_ID,
      '--validator-key',
      files.VALIDATOR_KEY_FILE,
      '--canceller',
      operator,
    ],
    ...['--governor', governor, '--currency', 'EUR:2'],
    ...['--account', `${payer.address}=1000`, '--out', files.GENESIS_FILE],
  ]);
  server = new Server({
    command: 'serve',
    dataDir,
    port: await freePort(),
    variables: { ...files, BLOCK_INTERVAL_MS: '50' },
  });
}, TEST_MS_MAX);

afterAll(async () => {
  await server.stop('SIGKILL');
  await removeTemporaryFolders();
});

function blocksIn(file: string): unknown {
  const sql = openChainReader(file);
  try {
    return sql.prepare('SELECT count(*) FROM blocks').pluck().get();
  } finally {
    sql.close();
  }
}

describe('serve', () => {
  test('needs its three files and makes none of them', async () => {
    const { code, stderr } = await txledger(['serve'], { DATA_DIR: dataDir });
    expect(code).toBe(2);
    for (const name of Object.keys(files)) expect(stderr).toContain(`${name} is not set`);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('needs a token that its operator made, and says how', async () => {
    const { code, stderr } = await txledger(['serve'], { DATA_DIR: dataDir, ...files });
    expect(code).toBe(2);
    expect(stderr).toContain('There is no usable token');
    expect(stderr).toContain('txledger token create');
    expect(blocksIn(path.join(dataDir, 'chain.db'))).toBe(0);
    const { entries } = JSON.parse(await succeeds(['audit', 'list', '--json']));
    expect(entries).toMatchObject([
      {
        action: 'server.refuse',
        details: { command: 'serve', chainId: CHAIN_ID, reason: expect.stringContaining('There is no usable token') },
      },
    ]);
  });

  test.each(['OPERATOR_KEY_FILE', 'VALIDATOR_KEY_FILE'] as const)(
    'refuses to start while others can read %s',
    async (name) => {
      await makeToken('first', 'transactions:read');
      chmodSync(files[name], 0o640);
      const { code, stderr } = await txledger(['serve'], { DATA_DIR: dataDir, ...files });
      chmodSync(files[name], 0o600);
      expect(code).toBe(2);
      expect(stderr).toContain('its mode is 0640, expected 0600');
    },
    TEST_MS_MAX,
  );

  test('refuses a genesis that is not there, with its path', async () => {
    const { code, stderr } = await txledger(['serve'], {
      DATA_DIR: dataDir,
      ...files,
      GENESIS_FILE: path.join(folder, 'other.json'),
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot read the genesis file at ${path.join(folder, 'other.json')}`);
  });

  test(
    'runs the operator’s chain: a transfer is committed, and every file in DATA_DIR is for its owner only',
    async () => {
      const acme = await makeToken('acme', 'transactions:read', 'transactions:write');
      await server.start();
      expect((await call(`${server.baseUrl}/chain`)).body).toMatchObject({ chainId: CHAIN_ID, addressPrefix: 'txl' });
      const sent = transfer(0);
      expect(await submit(acme, sent)).toMatchObject({
        status: 201,
        body: { txHash: sent.txHash, status: 'committed' },
      });
      expect((await call(`${server.baseUrl}/accounts/${payee.address}`, { token: acme })).body.balance).toBe('10');
      expect(server.output).not.toContain('PUBLIC');
      for (const name of ['lock.db', 'chain.db', 'search.db']) {
        expect([name, statSync(path.join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
      }
    },
    TEST_MS_MAX,
  );

  test(
    'lets a token do what its scopes say and nothing else',
    async () => {
      const reader = await makeToken('acme', 'transactions:read');
      expect((await list(reader)).status).toBe(200);
      expect(await submit(reader, transfer(1))).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
      const writer = await makeToken('acme', 'transactions:write');
      expect(await list(writer)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    },
    TEST_MS_MAX,
  );

  test(
    'shows no payment to anyone without a token that may read, by any way into the RPC',
    async () => {
      const reader = await makeToken('acme', 'transactions:read');
      const writer = await makeToken('acme', 'transactions:write');
      const json = (body: object): object => ({
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const search = { query: `transfer.from='${payer.address}'` };
      const ways = [
        [`/rpc/tx_search?${new URLSearchParams({ query: `"${search.query}"` })}`, {}],
        ['/rpc/tx_search', json(search)],
        ['/rpc', json({ jsonrpc: '2.0', id: 1, method: 'tx_search', params: search })],
        ['/rpc/block', {}],
        ['/rpc/unconfirmed_txs', {}],
      ] as const;
      for (const [way, options] of ways) {
        const ask = (token?: string) =>
          call(`${server.baseUrl}${way}`, { ...options, ...(token === undefined ? {} : { token }) });
        expect({ way, ...(await ask()) }).toMatchObject({ way, status: 401 });
        const poor = await ask(writer);
        expect([way, poor.status === 403 || poor.body.error?.code === -32001]).toEqual([way, true]);
        expect({ way, ...(await ask(reader)) }).toMatchObject({
          way,
          status: 200,
          body: { result: expect.anything() },
        });
      }
      const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/rpc/websocket`);
      const [{ message }] = (await once(socket, 'error')) as [Error];
      expect(message).toContain('401');
      // What a probe, a monitor or a client needs before it has a token.
      for (const path of ['/livez', '/readyz', '/metrics', '/chain', '/openapi.json', '/docs', '/'])
        expect([path, (await call(`${server.baseUrl}${path}`)).status]).toEqual([path, 200]);
    },
    TEST_MS_MAX,
  );

  test(
    'lets the sender take back by signature what another owner submitted, and tells the bytes of a wrong one',
    async () => {
      const [first, signer] = [
        await makeToken('first', 'transactions:write'),
        await makeToken('signer', 'transactions:write'),
      ];
      const { txHash, nonce } = transfer(9);
      const sent = await call(`${server.baseUrl}/transactions`, {
        method: 'POST',
        token: first,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(transfer(9)),
      });
      expect(sent).toMatchObject({ status: 202 });
      expect(await cancel(signer, txHash)).toMatchObject({ status: 403, body: { code: 'not_submitter' } });
      const unsigned = {
        kind: 'cancel',
        chainId: CHAIN_ID,
        from: payer.address,
        nonce,
        signer: payer.address,
        txHash,
      } as const;
      const take = (seed: Uint8Array, prefer = 'wait=30'): Promise<Answer> =>
        call(`${server.baseUrl}/transactions/${txHash}/cancel`, {
          method: 'POST',
          token: signer,
          headers: { 'content-type': 'application/json', prefer },
          body: JSON.stringify({ signature: signTransaction(unsigned, seed).signature }),
        });
      expect(await take(payee.seed)).toMatchObject({
        status: 422,
        body: { code: 'invalid_signature', signBytes: Buffer.from(signBytes(unsigned)).toString() },
      });
      const taken = await take(payer.seed);
      expect(taken).toMatchObject({ status: 200, body: { txHash, status: 'cancelled' } });
      expect(taken.headers.get('preference-applied')).toBe('wait=30');
      expect(await take(payer.seed, 'wait=0')).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    },
    TEST_MS_MAX,
  );

  test('keeps its rates: two seconds of them at once, by address before the token is known', async () => {
    const token = await makeToken('counted', 'transactions:read');
    expect((await list(token)).headers.get('ratelimit-policy')).toBe('"token";q=2000;w=2, "client";q=4000;w=2');
    const refused = await call(`${server.baseUrl}/transactions`);
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([401, '"client";q=4000;w=2']);
  });

  test(
    'lets only the owner that submitted cancel, or a token that may cancel any',
    async () => {
      const acme = await makeToken('acme', 'transactions:write');
      const sameOwner = await makeToken('acme', 'transactions:write');
      const other = await makeToken('other', 'transactions:write');
      const any = await makeToken('desk', 'transactions:write', 'transactions:cancel-any');
      const [one, two] = [transfer(5), transfer(6)];
      for (const body of [one, two]) {
        expect(
          (
            await call(`${server.baseUrl}/transactions`, {
              method: 'POST',
              token: acme,
              body: JSON.stringify(body),
              headers: { 'content-type': 'application/json' },
            })
          ).status,
        ).toBe(202);
      }
      expect(await cancel(other, one.txHash)).toMatchObject({ status: 403, body: { code: 'not_submitter' } });
      expect((await cancel(sameOwner, one.txHash)).status).toBe(200);
      expect((await cancel(any, two.txHash)).status).toBe(200);
    },
    TEST_MS_MAX,
  );

  test(
    'lets only the owner that an address is bound to submit for it',
    async () => {
      const acme = await makeToken('acme', 'transactions:write');
      const other = await makeToken('other', 'transactions:write');
      await succeeds(['address', 'bind', payer.address, '--owner', 'acme']);
      const body = transfer(1);
      expect(await submit(other, body)).toMatchObject({ status: 403, body: { code: 'not_submitter' } });
      expect((await submit(acme, body)).status).toBe(201);
    },
    TEST_MS_MAX,
  );

  test(
    'stops to honour a token within 5 s of its revocation, and one that has expired at once',
    async () => {
      const token = await makeToken('acme', 'transactions:read');
      expect((await list(token)).status).toBe(200);
      const id = token.split('_')[1] ?? '';
      await succeeds(['token', 'revoke', id]);
      // The promise itself is 5 s: within it the answer may be either, after it only one.
      await sleep(REVOKED_WITHIN_MS);
      expect(await list(token)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });

      const short = await succeeds([
        'token',
        'create',
        '--owner',
        'acme',
        '--scope',
        'transactions:read',
        '--expires-in',
        '1s',
      ]);
      await sleep(1100);
      expect((await list(short)).status).toBe(401);

      const tokens = await succeeds(['token', 'list', '--all']);
      expect(tokens).toMatch(new RegExp(`${id}.*revoked`));
      expect(tokens).not.toContain(token);
      expect(tokens).not.toContain(token.split('_')[2]);
    },
    TEST_MS_MAX,
  );

  test(
    'goes on with its chain after kill -9',
    async () => {
      const acme = await makeToken('acme', 'transactions:read', 'transactions:write');
      const before = (await list(acme)).body;
      await server.stop('SIGKILL');
      await server.start();
      expect((await list(acme)).body).toEqual(before);
      expect((await submit(acme, transfer(2))).status).toBe(201);
      const [atStart] = headsIn(server.output);
      expect(await server.stop('SIGTERM')).toBe(0);
      const [, atStop] = headsIn(server.output);
      // The line of the stop is the last one of the trail.
      const { entries } = JSON.parse(await succeeds(['audit', 'list', '--json']));
      const { id: auditId, hash: auditHash, action } = entries.at(-1);
      expect([action, atStop]).toEqual(['server.stop', expect.objectContaining({ auditId, auditHash })]);
      expect(Number(atStop?.['auditId'])).toBeGreaterThan(Number(atStart?.['auditId']));
      // What was left at the stop is what the next start finds.
      await server.start();
      expect(headsIn(server.output)).toEqual([atStop]);
      expect(await server.stop('SIGTERM')).toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    'refuses a DATA_DIR that holds another chain',
    async () => {
      const otherGenesis = path.join(folder, 'other-genesis.json');
      await succeeds([
        ...[
          'genesis',
          'create',
          '--chain-id',
          'other-1',
          '--validator-key',
          files.VALIDATOR_KEY_FILE,
          '--canceller',
          payer.address,
        ],
        ...['--governor', governor, '--currency', 'EUR:2'],
        ...['--account', `${payer.address}=1000`, '--out', otherGenesis],
      ]);
      const { code, stderr } = await txledger(['serve'], {
        DATA_DIR: dataDir,
        ...files,
        GENESIS_FILE: otherGenesis,
        PORT: String(await freePort()),
      });
      expect(code).toBe(2);
      expect(stderr).toMatch(/acme-1|other-1|genesis/);
    },
    TEST_MS_MAX,
  );
});
