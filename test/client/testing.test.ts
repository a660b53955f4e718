/**
 * The test ledger against the service itself: the same requests in the same order get the same statuses, codes, headers and bodies. What the
 * two cannot have in common (times, heights, ids of requests, cursors) is left out; so are sentences about malformed requests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  cancelSignBytes,
  cancelTransaction,
  createClient,
  eachEntry,
  encodeAddress,
  getAccount,
  getChain,
  getTransaction,
  sendTransfer,
  signCancel,
  signerFromSeed,
  type Signer,
  signTransfer,
  submitCancel,
  waitForTransaction,
} from '../../client/src/index.ts';
import { createTestLedger, type TestLedger } from '../../client/src/testing/index.ts';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { freePort, Server } from '../e2e/support/server.ts';
import { answerFaults } from './support/contract.ts';

const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
const dataDir = mkdtempSync(join(tmpdir(), 'test-ledger-'));
let server: Server;
let development: DevelopmentFile;
let ledger: TestLedger;
/** The operations whose answers were compared with the contract, each with the statuses that were met. */
const judged = new Map<string, Set<number>>();
let signers: Signer[];
let addresses: string[];
/** One that no block has named. */
const NOBODY = 'AB'.repeat(32);

beforeAll(async () => {
  server = new Server({
    dataDir,
    port: await freePort(),
    variables: {
      BLOCK_INTERVAL_MS: '10',
      LOG_LEVEL: 'error',
      TXLEDGER_RATE_PER_IP_PER_S: '100000',
      TXLEDGER_RATE_PER_TOKEN_PER_S: '100000',
    },
  });
  await server.start();
  development = await server.development();
  const accounts = Object.fromEntries(
    development.accounts.map(({ name, seed }) => [name, { seed, balance: 10n ** 15n }]),
  );
  ledger = createTestLedger({ accounts, chainId: chain.chainId, blocks: 'auto' });
  signers = await Promise.all(development.accounts.map(({ seed }) => signerFromSeed(seed)));
  addresses = development.accounts.map(({ address }) => address);
}, 90_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Undefined for the one with every scope, '' for none. */
  token?: string;
}
interface Answered {
  status: number;
  headers: Record<string, string | null>;
  body: any;
}

const COMPARED_HEADERS = [
  'content-type',
  'location',
  'idempotent-replayed',
  'preference-applied',
  'allow',
  'www-authenticate',
  'contract-version',
];
/** What only one of the two has at a time, or has in its own way. */
const OWN = new Set([
  'requestId',
  'firstSeenAt',
  'blockTime',
  'at',
  'height',
  'genesisHash',
  'lastBlockTime',
  'serviceTime',
  'version',
  'blockIntervalMs',
  'idleBlockIntervalMs',
  'nextCursor',
]);
/** Codes of HTTP itself, whose sentences are the service's own. */
const SPOKEN_OTHERWISE = new Set([
  'invalid_request',
  'malformed_json',
  'unauthenticated',
  'unsupported_media_type',
  'not_acceptable',
  'method_not_allowed',
  'insufficient_scope',
  'body_too_large',
  'not_found',
]);

function comparable(value: any): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const spokenOtherwise = SPOKEN_OTHERWISE.has(value.code);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(spokenOtherwise && name === 'detail'))
      .map(([name, member]) => {
        if (OWN.has(name)) return [name, typeof member];
        // The service names a place once for each rule that it breaks.
        if (spokenOtherwise && name === 'errors')
          return [name, [...new Set((member as { pointer: string }[]).map(({ pointer }) => pointer))].sort()];
        // The cancel, signed by the operator of each of the two.
        if (name === 'txHash' && value.event === 'cancelled') return [name, typeof member];
        return [name, comparable(member)];
      }),
  );
}

async function ask(
  baseUrl: string,
  token: string,
  send: (request: Request) => Promise<Response>,
  asked: Asked,
): Promise<Answered> {
  const bearer = asked.token ?? token;
  const headers = {
    ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
    ...(asked.body !== undefined && { 'content-type': 'application/json' }),
    ...asked.headers,
  };
  const body =
    asked.body === undefined ? {} : { body: typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body) };
  const response = await send(new Request(baseUrl + asked.path, { method: asked.method ?? 'GET', headers, ...body }));
  return {
    status: response.status,
    headers: Object.fromEntries(COMPARED_HEADERS.map((name) => [name, response.headers.get(name)])),
    body: await response.json(),
  };
}

const asService = (asked: Asked): Promise<Answered> => ask(development.baseUrl, development.token, fetch, asked);
const asLedger = (asked: Asked): Promise<Answered> => {
  const { baseUrl, token, environment } = ledger.clientOptions;
  return ask(
    baseUrl,
    token,
    async (request) => {
      const response = await environment.fetch(request);
      const found = await answerFaults(request.method, new URL(request.url).pathname, response);
      expect(found?.faults ?? []).toEqual([]);
      if (found) judged.set(found.operationId, (judged.get(found.operationId) ?? new Set()).add(response.status));
      return response;
    },
    asked,
  );
};

/** Asks both, expects the same, and gives back the ledger's answer. */
async function both(asked: Asked): Promise<Answered> {
  const [service, ours] = [await asService(asked), await asLedger(asked)];
  expect({ asked, ...ours, body: comparable(ours.body) }).toEqual({
    asked,
    ...service,
    body: comparable(service.body),
  });
  return ours;
}

const transfer = async (from: number, to: string, amount: bigint, nonce: number): Promise<any> =>
  (await signTransfer({ signer: signers[from]!, chain, to, amount, nonce })).input;
const WAIT = { prefer: 'wait=20' };
const post = (body: unknown, headers: Record<string, string> = WAIT): Asked => ({
  method: 'POST',
  path: '/transactions',
  body,
  headers,
});

describe('The test ledger answers as the service does', () => {
  test('about accounts and the chain', async () => {
    await both({ path: '/chain', token: '' });
    const unknown = encodeAddress((await signerFromSeed('07'.repeat(32))).publicKey, 'txlt');
    const production = encodeAddress(signers[0]!.publicKey, 'txl');
    const weak = encodeAddress(new Uint8Array(32), 'txlt');
    for (const address of [
      addresses[0]!,
      unknown,
      production,
      weak,
      `${addresses[0]!.slice(0, -1)}q`,
      'txlt1',
      '0xabc',
    ])
      await both({ path: `/accounts/${address}` });
  });

  test('about many accounts at once, and what is wrong with a list of them', async () => {
    const ask = (...asked: string[]): Promise<Answered> =>
      both({ path: `/accounts?${asked.map((address) => `address=${address}`).join('&')}` });
    expect((await ask(addresses[3]!, addresses[1]!)).body.accounts.map(({ address }: any) => address)).toEqual([
      addresses[3],
      addresses[1],
    ]);
    await ask(...addresses);
    await ask(addresses[0]!, encodeAddress(new Uint8Array(32), 'txlt'), encodeAddress(signers[0]!.publicKey, 'txl'));
    await ask(addresses[0]!, addresses[1]!, addresses[0]!);
    await ask(addresses[0]!, '0xabc');
    await ask(...Array.from({ length: 101 }, () => addresses[0]!));
    await both({ path: '/accounts' });
    await both({ path: `/accounts?address=${addresses[0]}&limit=1` });
    await both({ path: `/accounts?address=${addresses[0]}`, token: '' });
  });

  test('to a dry run of anything, and to what is no transfer', async () => {
    const check = (body: unknown): Promise<Answered> => both({ method: 'POST', path: '/transactions/check', body });
    const [good, held] = [await transfer(0, addresses[1]!, 100n, 0), await transfer(0, addresses[1]!, 1n, 3)];
    const { signature: _signature, txHash: _hash, ...unsigned } = good;
    expect((await check(good)).body).toMatchObject({
      outcome: 'accepted',
      signatureStatus: 'valid',
      txHash: good.txHash,
    });
    expect((await check(unsigned)).body).toMatchObject({ outcome: 'accepted', signatureStatus: 'not_judged' });
    expect((await check({ ...unsigned, signature: null, txHash: null })).body.outcome).toBe('accepted');
    expect((await check({ ...good, amount: '101' })).body.problem.code).toBe('invalid_signature');
    expect((await check({ ...good, txHash: NOBODY })).body.problem.code).toBe('tx_hash_mismatch');
    expect((await check({ ...unsigned, amount: '9'.repeat(20) })).body.problem.code).toBe('insufficient_funds');
    expect((await check({ ...unsigned, to: encodeAddress(signers[0]!.publicKey, 'txl') })).body.problem.code).toBe(
      'invalid_address',
    );
    expect((await check({ ...unsigned, nonce: 5_000 })).body.problem.code).toBe('nonce_too_high');
    await both(post(held, {}));
    expect((await check(held)).body).toMatchObject({
      outcome: 'replayed',
      transaction: { reason: { code: 'waiting_for_nonce' } },
      account: { pendingOut: '1', gaps: [{ first: 0, last: 2 }] },
    });
    expect((await check({ ...held, signature: null, txHash: null, amount: '2' })).body.problem.code).toBe(
      'nonce_conflict',
    );
    for (const wrong of [{}, [], { ...good, amount: 5 }, { ...good, extra: 1 }, { ...good, signature: 'AB' }, '{'])
      expect((await check(wrong)).status).toBe(400);
    await both({ method: 'DELETE', path: `/transactions/${held.txHash}` });
    const { baseUrl, token } = ledger.clientOptions;
    for (const method of ['GET', 'DELETE'])
      expect(
        (await ledger.fetch(`${baseUrl}/transactions/check`, { method, headers: { authorization: `Bearer ${token}` } }))
          .status,
      ).toBe(405);
  });

  test('to a payment, its replay, another payment at its nonce, and its cancel when it is too late', async () => {
    const [first, other] = [await transfer(0, addresses[1]!, 100n, 0), await transfer(0, addresses[1]!, 101n, 0)];
    expect(await both(post(first))).toMatchObject({ status: 201, body: { status: 'committed' } });
    expect(await both(post({ ...first, txHash: null }, {}))).toMatchObject({
      status: 200,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(await both(post(other))).toMatchObject({
      status: 409,
      body: { code: 'nonce_conflict', txHash: first.txHash },
    });
    expect(await both({ method: 'DELETE', path: `/transactions/${first.txHash}` })).toMatchObject({
      status: 409,
      body: { code: 'already_settled' },
    });
    expect(
      (await both({ path: `/transactions/${first.txHash.toLowerCase()}` })).body.history.map(({ event }: any) => event),
    ).toEqual(['accepted', 'broadcast', 'committed']);
    await both({ path: `/accounts/${addresses[0]}` });
    await both({ path: `/accounts/${addresses[1]}` });
  });

  test('to a batch: outcomes of transfers, of what is wrong with one, and of the envelope', async () => {
    const [held, again] = [await transfer(9, addresses[1]!, 3n, 3), await transfer(9, addresses[1]!, 4n, 3)];
    const batch = (transactions: unknown, more: object = {}): Asked => ({
      method: 'POST',
      path: '/transactions/batch',
      body: { transactions, ...more },
    });
    const answer = await both(
      batch([
        held,
        { ...held, txHash: null },
        again,
        { ...held, nonce: 4 },
        { ...held, amount: '0' },
        { ...held, txHash: '0'.repeat(64) },
        7,
      ]),
    );
    expect(answer.body.results.map(({ outcome, problem }: any) => problem?.code ?? outcome)).toEqual([
      'accepted',
      'replayed',
      'nonce_conflict',
      'invalid_signature',
      'invalid_request',
      'tx_hash_mismatch',
      'invalid_request',
    ]);
    expect((await both(batch([held]))).body.results).toMatchObject([
      { outcome: 'replayed', transaction: { reason: { code: 'waiting_for_nonce' } } },
    ]);
    for (const asked of [
      batch([]),
      batch(held),
      batch([held], { atomic: true }),
      batch(Array.from({ length: 1001 }, () => held)),
      { ...batch([]), body: '[' },
      { ...batch([held]), token: '' },
    ])
      await both(asked);
    await both({ method: 'DELETE', path: `/transactions/${held.txHash}` });
  });

  test('to what waits for a nonce, is cancelled, and to payments at a void nonce', async () => {
    const waiting = await transfer(1, addresses[2]!, 5n, 2);
    expect(await both(post(waiting, {}))).toMatchObject({
      status: 202,
      body: { status: 'pending', reason: { code: 'waiting_for_nonce' } },
    });
    await both({ path: `/transactions/${waiting.txHash}` });
    await both({ path: '/transactions?status=pending' });
    await both({ path: `/accounts/${addresses[1]}` });
    const cancel = { method: 'DELETE', path: `/transactions/${waiting.txHash}` };
    expect(await both(cancel)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await both({ ...cancel, headers: { prefer: 'wait=0' } })).toMatchObject({ status: 200 });
    expect(await both(post(waiting))).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await both(post(await transfer(1, addresses[2]!, 6n, 2)))).toMatchObject({
      status: 409,
      body: { code: 'nonce_cancelled' },
    });
    // The account passes the void nonce by itself.
    for (const nonce of [0, 1])
      expect(await both(post(await transfer(1, addresses[2]!, 7n, nonce)))).toMatchObject({ status: 201 });
    expect((await both({ path: `/accounts/${addresses[1]}` })).body).toMatchObject({ nonce: 3, nextNonce: 3 });
    expect(await both(post(await transfer(1, addresses[2]!, 8n, 2)))).toMatchObject({
      status: 409,
      body: { code: 'nonce_too_low' },
    });
    await both({ path: `/transactions/${waiting.txHash}` });
  });

  test("to a cancel that the sender signs: theirs, another's, one too late, and what is no cancel", async () => {
    const [first, waiting] = [await transfer(9, addresses[2]!, 5n, 0), await transfer(9, addresses[2]!, 5n, 2)];
    expect(await both(post(first))).toMatchObject({ status: 201 });
    expect(await both(post(waiting, {}))).toMatchObject({ status: 202 });
    const sign = (signer: Signer, { nonce, txHash }: { nonce: number; txHash: string }): Promise<string> =>
      signCancel({ signer, chain, nonce, txHash });
    const cancel = (txHash: string, body: unknown, headers: Record<string, string> = {}): Asked => ({
      method: 'POST',
      path: `/transactions/${txHash}/cancel`,
      body,
      headers,
    });
    const signature = await sign(signers[9]!, waiting);
    const refused = await both(cancel(waiting.txHash, { signature: await sign(signers[8]!, waiting) }));
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_signature' } });
    expect(refused.body.signBytes).toBe(
      cancelSignBytes({ chainId: chain.chainId, from: addresses[9]!, nonce: 2, txHash: waiting.txHash }),
    );
    for (const body of [
      {},
      [],
      '{',
      { signature: signature.toUpperCase() },
      { signature, txHash: waiting.txHash },
      { signature: null },
    ])
      expect(await both(cancel(waiting.txHash, body))).toMatchObject({ status: 400 });
    expect(await both(cancel('AB', { signature }))).toMatchObject({ status: 400 });
    expect(await both(cancel(NOBODY, { signature }))).toMatchObject({ status: 404 });
    expect(await both({ path: `/transactions/${waiting.txHash}/cancel` })).toMatchObject({ status: 405 });
    expect(await both({ ...cancel(waiting.txHash, { signature }), token: '' })).toMatchObject({ status: 401 });
    expect(await both(cancel(waiting.txHash, { signature }, { 'content-type': 'text/plain' }))).toMatchObject({
      status: 415,
    });
    expect(await both(cancel(first.txHash, { signature: await sign(signers[9]!, first) }))).toMatchObject({
      status: 409,
      body: { code: 'already_settled' },
    });
    expect(await both(cancel(waiting.txHash.toLowerCase(), { signature }, { prefer: 'wait=20' }))).toMatchObject({
      status: 200,
      headers: { 'preference-applied': 'wait=20' },
      body: { status: 'cancelled' },
    });
    expect(await both(cancel(waiting.txHash, { signature }))).toMatchObject({ status: 200 });
    await both({ path: `/transactions/${waiting.txHash}` });
  });

  test('to everything it refuses', async () => {
    const good = await transfer(2, addresses[3]!, 5n, 0);
    const broken: unknown[] = [
      { ...good, signature: 'ab'.repeat(64) },
      { ...good, txHash: NOBODY },
      { ...good, amount: '0' },
      { ...good, amount: '340282366920938463463374607431768211456' },
      { ...good, amount: 5 },
      { ...good, nonce: -1 },
      { ...good, nonce: 2 ** 53 },
      { ...good, nonce: '0' },
      { ...good, from: 'x' },
      { ...good, to: encodeAddress(new Uint8Array(32), 'txlt') },
      { ...good, to: encodeAddress(signers[0]!.publicKey, 'txl') },
      { ...good, signature: good.signature.toUpperCase() },
      { ...good, extra: 1 },
      { ...good, amount: null },
      { from: good.from },
      {},
      [],
      '{"from":1,"from":2}',
      '{',
      await transfer(2, addresses[3]!, 10n ** 16n, 0),
      await transfer(2, addresses[3]!, 5n, 1_024),
    ];
    for (const body of broken) expect((await both(post(body))).status).toBeGreaterThanOrEqual(400);
    for (const path of [
      `/transactions/${NOBODY}`,
      '/transactions/AB',
      '/nowhere',
      '/transactions/',
      '/transactions?limit=0',
      '/transactions?limit=1e2',
      '/transactions?limit=1001',
      '/transactions?limit=1&limit=2',
      '/transactions?page=1',
      '/transactions?status=done',
      '/transactions?cursor=AAAA',
      '/transactions?nonce=1',
      `/transactions?from=${addresses[0]}x`,
    ]) {
      expect((await both({ path, headers: {} })).status).toBeGreaterThanOrEqual(400);
    }
    expect(await both({ method: 'DELETE', path: `/transactions/${NOBODY}`, headers: {} })).toMatchObject({
      status: 404,
    });
    expect(await both({ method: 'PUT', path: '/transactions', headers: {} })).toMatchObject({ status: 405 });
    expect(await both({ path: '/transactions', token: '' })).toMatchObject({ status: 401 });
    expect(await both({ path: '/transactions', token: 'wrong' })).toMatchObject({ status: 401 });
    expect(await both({ path: '/transactions', headers: { accept: 'text/html' } })).toMatchObject({ status: 406 });
    expect(await both({ ...post(good), headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
    expect(await both({ ...post('x'.repeat(20_000)) })).toMatchObject({ status: 413 });
  });

  test('to payments that bring an Idempotency-Key', async () => {
    const [first, other] = [await transfer(4, addresses[1]!, 1n, 0), await transfer(4, addresses[1]!, 2n, 1)];
    const key = { ...WAIT, 'idempotency-key': '"order \\"7\\""' };
    expect(await both(post(first, key))).toMatchObject({ status: 201 });
    expect(await both(post(first, key))).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
    expect(await both(post(other, key))).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused', txHash: first.txHash },
    });
    expect(await both(post(other, { ...WAIT, 'idempotency-key': 'not quoted' }))).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(await both(post(other, { ...WAIT, 'idempotency-key': 'another' }))).toMatchObject({ status: 201 });
    const third = await transfer(4, addresses[1]!, 3n, 2);
    expect(await both(post(third, { ...WAIT, 'idempotency-key': '"another"' }))).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused', txHash: other.txHash },
    });
  });

  test('to lists, page by page and by every filter', async () => {
    for (let nonce = 0; nonce < 5; nonce++) await both(post(await transfer(3, addresses[4 + (nonce % 2)]!, 1n, nonce)));
    for (const query of [
      '',
      '?limit=3',
      '?status=cancelled',
      `?from=${addresses[3]}`,
      `?to=${addresses[4]}`,
      `?account=${addresses[3]}`,
      `?from=${addresses[3]}&nonce=2`,
      `?from=${addresses[3]}&to=${addresses[5]}`,
    ]) {
      await both({ path: `/transactions${query}` });
    }
    const first = {
      service: await asService({ path: '/transactions?limit=2' }),
      ledger: await asLedger({ path: '/transactions?limit=2' }),
    };
    const pages = {
      service: await asService({ path: `/transactions?limit=2&cursor=${first.service.body.nextCursor}` }),
      ledger: await asLedger({ path: `/transactions?limit=2&cursor=${first.ledger.body.nextCursor}` }),
    };
    expect(comparable(pages.ledger.body)).toEqual(comparable(pages.service.body));
  });

  test('to statements, page by page, bounded by times, and to accounts at a height', async () => {
    for (const address of [
      addresses[0]!,
      addresses[3]!,
      addresses[4]!,
      encodeAddress((await signerFromSeed('08'.repeat(32))).publicKey, 'txlt'),
    ]) {
      for (const query of [
        '',
        '?order=asc&limit=2',
        '?from=2020-01-01T00:00:00Z',
        '?to=2020-01-01T00:00:00.5Z',
        '?order=up',
        '?limit=0',
        '?from=today',
        '?to=2026-02-30T00:00:00Z',
        '?cursor=AAAA',
        '?account=1',
      ]) {
        await both({ path: `/accounts/${address}/entries${query}` });
      }
      for (const height of ['0', '-1', '1e3', '9007199254740991'])
        await both({ path: `/accounts/${address}?height=${height}` });
    }
    const own = await asLedger({ path: `/accounts/${addresses[3]}/entries?limit=1000&order=asc` });
    let balance = BigInt((await asLedger({ path: `/accounts/${addresses[3]}?height=0` })).body.balance);
    for (const { direction, amount, balanceAfter, height } of own.body.entries) {
      balance += direction === 'in' ? BigInt(amount) : -BigInt(amount);
      expect(BigInt(balanceAfter)).toBe(balance);
      expect((await asLedger({ path: `/accounts/${addresses[3]}?height=${height}` })).body.balance).toBe(balanceAfter);
    }
    expect(own.body.entries.length).toBeGreaterThan(4);
    const client = createClient(ledger.clientOptions);
    const read: unknown[] = [];
    for await (const entry of eachEntry(client, { address: addresses[3]!, order: 'asc', limit: 2 })) read.push(entry);
    expect(read).toEqual(own.body.entries);
    expect(await getAccount(client, { address: addresses[3]!, height: 0 })).toMatchObject({ nonce: 0, nextNonce: 0 });
  });

  test('to 150 requests by chance: payments, gaps, replays, cancels, looks', async () => {
    let state = 20261122;
    const chance = (below: number): number => ((state = (state * 48271) % 2147483647), state % below);
    const sent: any[] = [];
    const next = new Map<number, number>();
    for (let step = 0; step < 150; step++) {
      const from = 5 + chance(4);
      const nonce = next.get(from) ?? 0;
      const to = addresses[chance(10)]!;
      const kind = chance(10);
      if (kind < 5 || sent.length === 0) {
        const ahead = chance(6) === 0 ? 1 + chance(3) : 0;
        const body = await transfer(from, to, chance(12) === 0 ? 10n ** 16n : BigInt(1 + chance(1000)), nonce + ahead);
        // What can execute is waited for, so that both have the same past; what waits for a nonce is not.
        const { status } = await both(post(body, ahead === 0 ? WAIT : {}));
        if (status < 300) sent.push(body);
      } else if (kind === 5) await both(post(sent[chance(sent.length)], {}));
      else if (kind < 8) await both({ method: 'DELETE', path: `/transactions/${sent[chance(sent.length)].txHash}` });
      else await both({ path: `/transactions/${sent[chance(sent.length)].txHash}` });
      for (let account = 5; account < 9; account++)
        next.set(account, (await both({ path: `/accounts/${addresses[account]}` })).body.nonce);
    }
    expect(sent.length).toBeGreaterThan(40);
    await both({ path: '/transactions?limit=1000' });
  });

  test('and by the contract', () => {
    const met = Object.fromEntries([...judged].map(([operationId, statuses]) => [operationId, [...statuses].sort()]));
    expect(met).toMatchObject({
      submitTransaction: [200, 201, 202, 400, 409, 413, 415, 422],
      submitTransactionBatch: [200, 400, 401],
      cancelTransaction: [200, 404, 409],
      submitCancel: [200, 400, 401, 404, 409, 415, 422],
      getTransaction: [200, 400, 404],
      listTransactions: [200, 400, 401, 406],
      getAccount: [200, 400, 404, 422],
      listEntries: [200, 400],
      listAccounts: [200, 400, 401, 422],
      checkTransaction: [200, 400],
      getChain: [200],
    });
  });
});

describe('A test ledger', () => {
  test('makes blocks only when told to, where a test wants to look at what is pending', async () => {
    const own = createTestLedger({ accounts: { alice: 100n, bob: 0n }, blocks: 'manual' });
    const { alice, bob } = own.accounts;
    const client = createClient(own.clientOptions);
    const { signed, transaction } = await sendTransfer(client, { signer: alice.signer, to: bob.address, amount: 60n });
    expect(transaction.status).toBe('pending');
    expect((await getAccount(client, { address: alice.address })).balance).toBe('100');
    const waiting = waitForTransaction(client, { txHash: signed.txHash });
    expect(own.commit()).toEqual({ height: 2, transactions: [{ txHash: signed.txHash, code: 0 }] });
    expect((await waiting).outcome).toBe('committed');
    expect((await getAccount(client, { address: bob.address })).balance).toBe('60');
  });

  test('holds an answer until the block that a test makes', async () => {
    const own = createTestLedger({ accounts: { alice: 100n, bob: 0n }, blocks: 'manual' });
    const { alice, bob } = own.accounts;
    const client = createClient({ ...own.clientOptions, chain: { chainId: 'txledger-test-1', addressPrefix: 'txlt' } });
    let answered = false;
    const held = sendTransfer(client, {
      signer: alice.signer,
      to: bob.address,
      amount: 1n,
      waitMs: 20_000,
      onResponse: ({ url }) => void (answered ||= url.endsWith('/transactions')),
    });
    while (own.commit().transactions.length === 0) {
      expect(answered).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await held).transaction.status).toBe('committed');
  });

  test('gives up on what a test calls too old', async () => {
    const own = createTestLedger({ accounts: { alice: 100n, bob: 0n } });
    const { alice, bob } = own.accounts;
    const client = createClient(own.clientOptions);
    const { signed } = await sendTransfer(client, { signer: alice.signer, to: bob.address, amount: 1n, nonce: 3 });
    own.expire(signed.txHash);
    expect((await getTransaction(client, { txHash: signed.txHash })).status).toBe('expired');
  });

  test('knows owners and scopes', async () => {
    const own = createTestLedger({
      accounts: { alice: 100n, bob: 0n },
      tokens: { other: { owner: 'other' }, reader: { owner: 'test', scopes: ['transactions:read'] } },
    });
    const { alice, bob } = own.accounts;
    const { signed } = await sendTransfer(createClient(own.clientOptions), {
      signer: alice.signer,
      to: bob.address,
      amount: 1n,
      nonce: 3,
    });
    const cancelAs = (token: string) =>
      cancelTransaction(createClient({ ...own.clientOptions, token }), { txHash: signed.txHash });
    await expect(cancelAs('other')).rejects.toMatchObject({ name: 'NotSubmitterError' });
    await expect(cancelAs('reader')).rejects.toMatchObject({ name: 'InsufficientScopeError' });
    await expect(cancelAs(own.clientOptions.token)).resolves.toMatchObject({ outcome: 'cancelled' });
  });

  test("takes a sender's cancel from every owner, and no one else's from any", async () => {
    const own = createTestLedger({
      accounts: { alice: 100n, bob: 0n },
      tokens: { other: { owner: 'other' }, reader: { owner: 'test', scopes: ['transactions:read'] } },
      blocks: 'manual',
    });
    const { alice, bob } = own.accounts;
    const client = createClient(own.clientOptions);
    const { signed } = await sendTransfer(client, { signer: alice.signer, to: bob.address, amount: 1n });
    const cancelAs = async (token: string, signer: Signer) =>
      submitCancel(createClient({ ...own.clientOptions, token }), {
        txHash: signed.txHash,
        signature: await signCancel({ signer, chain: await getChain(client), nonce: 0, txHash: signed.txHash }),
        waitMs: 0,
      });
    await expect(cancelAs(own.clientOptions.token, bob.signer)).rejects.toMatchObject({
      name: 'InvalidSignatureError',
    });
    await expect(cancelAs('reader', alice.signer)).rejects.toMatchObject({ name: 'InsufficientScopeError' });
    await expect(cancelAs('other', alice.signer)).resolves.toMatchObject({
      outcome: 'undecided',
      transaction: { reason: { code: 'cancel_requested' } },
    });
    own.commit();
    expect(await getTransaction(client, { txHash: signed.txHash })).toMatchObject({ status: 'cancelled' });
  });
});
