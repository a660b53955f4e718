/** What a request costs is what it is charged: the limiter, the table of weights, and every way a request can be answered. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ACCOUNTS_MAX } from '../../server/gateway/limits.ts';
import {
  ACCOUNTS_PER_UNIT,
  BYTES_PER_UNIT,
  COST_FAILED_AUTHENTICATION,
  COST_PLAIN,
  COST_UPGRADE,
  METHOD_COSTS,
  OPERATION_COSTS,
} from '../../server/http/cost.ts';
import { readOperations } from '../../server/http/contract/operations.ts';
import { READINESS_CACHE_MS } from '../../server/http/limits.ts';
import { RateLimits } from '../../server/http/rate-limit.ts';
import { ownUses } from '../../server/http/shared/uses.ts';
import { RPC_METHODS } from '../../server/gateway/rpc/port.ts';
import { codes, documentText, table } from '../docs/support/tables.ts';
import { contract } from './support/contract-check.ts';
import { realClock, TestServer } from './support/server.ts';
import type { Ask } from './support/server.ts';
import { SENDER, TRANSFER } from './support/stub-gateway.ts';

/** So many values of the parameter; that they are the same is judged behind the quota. */
const addressesOf = (count: number): string => Array.from({ length: count }, () => `address=${SENDER}`).join('&');

const TOKEN = { tokenId: 'token' };

describe('the limiter', () => {
  let nowMs = 0;
  const clock = { ...realClock, monotonicMs: () => nowMs };
  const limits = (requests: number, windowS: number) =>
    new RateLimits({ perClient: { requests, windowS }, perToken: { requests, windowS } }, clock, ownUses(10));
  beforeEach(() => {
    nowMs = 1_000;
  });

  test('lets no more pass in any time than the burst and what came back since', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.record({ waitMs: fc.integer({ min: 0, max: 5_000 }), cost: fc.integer({ min: 1, max: 100 }) }), {
          maxLength: 200,
        }),
        (requests, windowS, asks) => {
          nowMs = 1_000;
          const meter = limits(requests, windowS);
          let spent = 0;
          for (const { waitMs, cost: asked } of asks) {
            const cost = Math.min(asked, requests);
            nowMs += waitMs;
            if (meter.takeAddress('10.0.0.1', cost).ok) spent += cost;
            expect(spent).toBeLessThanOrEqual(requests + ((nowMs - 1_000) * requests) / (windowS * 1000) + 0.01);
          }
        },
      ),
    );
  });

  test('what costs more than the whole quota passes when that is whole, and is paid off before the next', () => {
    const meter = limits(10, 2);
    expect(meter.takeAddress('10.0.0.1', 25).ok).toBe(true);
    expect(meter.takeAddress('10.0.0.1', 1)).toMatchObject({ ok: false, retryAfterS: 4 });
    nowMs += 4_999;
    expect(meter.takeAddress('10.0.0.1', 25).ok).toBe(false);
    nowMs += 1;
    expect(meter.takeAddress('10.0.0.1', 25).ok).toBe(true);
  });

  test('what is refused is charged nothing, and passes after Retry-After', () => {
    const meter = limits(10, 2);
    expect(meter.takeAddress('10.0.0.1', 8).ok).toBe(true);
    const refused = meter.takeAddress('10.0.0.1', 5);
    expect(refused).toMatchObject({ ok: false, retryAfterS: 1 });
    expect(refused.headers).toEqual({ RateLimit: '"client";r=2;t=2', 'RateLimit-Policy': '"client";q=10;w=2' });
    expect(meter.takeAddress('10.0.0.1', 2).ok).toBe(true);
    nowMs += 1000;
    expect(meter.takeAddress('10.0.0.1', 5).ok).toBe(true);
  });

  test('what is charged later counts for both, shows in the headers, and is paid off before the next request', () => {
    const meter = limits(10, 2);
    const verdict = meter.take('10.0.0.1', TOKEN, 1);
    verdict.charge(20);
    expect(verdict.headers.RateLimit).toBe('"token";r=0;t=5, "client";r=0;t=5');
    nowMs += 2_300;
    expect([meter.takeAddress('10.0.0.1', 1).ok, meter.takeToken(TOKEN, 1).ok]).toEqual([false, false]);
    nowMs += 200;
    expect([meter.takeAddress('10.0.0.1', 1).ok, meter.takeToken(TOKEN, 1).ok]).toEqual([true, true]);
  });

  test('a token with a rate of its own is counted by it, and keeps its debt when that changes', () => {
    const own = { ...TOKEN, limits: { ratePerS: 1 } };
    const quotas = { perToken: { requests: 20, windowS: 2 }, perClient: { requests: 1000, windowS: 1 } };
    const meter = new RateLimits(quotas, clock, ownUses(10));
    expect(meter.takeToken(own, 2).headers).toEqual({
      RateLimit: '"token";r=0;t=2',
      'RateLimit-Policy': '"token";q=2;w=2',
    });
    expect(meter.takeToken(own, 1)).toMatchObject({ ok: false, retryAfterS: 1 });
    // The debt is a moment: two seconds are a whole quota of either rate.
    expect(meter.takeToken({ ...TOKEN, limits: { ratePerS: 100 } }, 1).ok).toBe(false);
    nowMs += 1000;
    expect([meter.takeToken(own, 1).ok, meter.takeToken({ tokenId: 'another', quotaKey: 'jwt:acme' }, 20).ok]).toEqual([
      true,
      true,
    ]);
    expect(meter.takeToken({ tokenId: 'a third', quotaKey: 'jwt:acme' }, 1).ok).toBe(false);
  });
});

describe('the table of weights', () => {
  test('has every operation and every method, and no other', () => {
    const ids = readOperations(contract.document)
      .filter(({ rpcMethod }) => rpcMethod === undefined)
      .map(({ id }) => id);
    expect(Object.keys(OPERATION_COSTS).toSorted()).toEqual(ids.toSorted());
    expect(Object.keys(METHOD_COSTS).toSorted()).toEqual(
      [...Object.keys(RPC_METHODS), 'subscribe', 'unsubscribe', 'unsubscribe_all'].toSorted(),
    );
  });

  test('is what docs/OPERATING.md lists', () => {
    const page = 'docs/OPERATING.md';
    const rows = table(page, "| Cost | Operations | Methods of the chain's RPC |").slice(0, -1);
    const listed = (column: number) =>
      Object.fromEntries(rows.flatMap((row) => codes(row[column] ?? '').map((name) => [name, Number(row[0])])));
    expect(listed(1)).toEqual(OPERATION_COSTS);
    expect(listed(2)).toEqual(METHOD_COSTS);
    const text = documentText(page).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      `In addition: ${COST_FAILED_AUTHENTICATION} for a token that does not hold, ${COST_UPGRADE} for the upgrade to a websocket, and 1 for every further ${BYTES_PER_UNIT / 1024} KiB`,
    );
    expect(COST_PLAIN).toBe(1);
  });

  test('is zero for the probes alone', () => {
    const free = [...Object.entries(OPERATION_COSTS), ...Object.entries(METHOD_COSTS)]
      .filter(([, cost]) => cost === 0)
      .map(([name]) => name);
    expect(free).toEqual(['getLiveness', 'getReadiness']);
  });
});

describe('a request is charged', () => {
  const QUOTA = 2_000;
  const server = new TestServer({
    validateResponses: false,
    trustedProxies: ['127.0.0.1'],
    rateLimits: { perToken: { requests: QUOTA, windowS: 100_000 }, perClient: { requests: QUOTA, windowS: 100_000 } },
  });
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => server.gateway.reset());
  let lastAddress = 0;

  /** What the address and the token have left less after it, by asking once more. */
  const costs = async (ask: Ask) => {
    lastAddress += 1;
    const headers = { 'X-Forwarded-For': `10.1.0.${lastAddress}`, ...ask.headers };
    const answer = await server.ask({ ...ask, headers });
    const after = await server.ask({
      path: '/chain',
      token: null,
      headers: { 'X-Forwarded-For': `10.1.0.${lastAddress}` },
    });
    const left = Number(/"client";r=(\d+)/.exec(String(after.headers.ratelimit))?.[1]);
    return { status: answer.status, cost: QUOTA - left - OPERATION_COSTS.getChain };
  };
  const calls = (...methods: (string | undefined)[]) =>
    methods.map((method) =>
      method === undefined ? { jsonrpc: '2.0' } : { jsonrpc: '2.0', id: 1, method, params: { query: 'a.b EXISTS' } },
    );
  const rpc = (body: object | string): Ask => ({ method: 'POST', path: '/rpc', token: null, body });

  test.each<[string, Ask, number, number]>([
    ['a payment', { method: 'POST', path: '/transactions', body: TRANSFER }, 202, 1],
    ['a probe', { path: '/livez', token: null }, 200, 0],
    ['a probe of readiness', { path: '/readyz', token: null }, 200, 0],
    ['the metrics', { path: '/metrics', token: null }, 200, 40],
    [
      'a search by its path',
      { path: '/rpc/block_search?query=%22block.height%20=%201%22', token: null, unchecked: true },
      200,
      50,
    ],
    [
      'a method in a body',
      { method: 'POST', path: '/rpc/tx_search', token: null, body: { query: 'a.b EXISTS' }, unchecked: true },
      200,
      50,
    ],
    ['a call by JSON-RPC', rpc(calls('block_search')[0] ?? {}), 200, 51],
    ['each entry of a batch', rpc(calls('block_search', 'health', 'block')), 200, 57],
    ['an entry without id or method', rpc(calls(undefined, undefined, undefined)), 200, 4],
    ['an unknown method', rpc(calls('eth_call')), 200, 2],
    [
      'a batch that is too large, before it is built',
      rpc(calls(...Array.from({ length: 11 }, () => 'block_search'))),
      200,
      1,
    ],
    [
      'a body by its bytes',
      rpc(`{"jsonrpc":"2.0","id":1,"method":"health"}${' '.repeat(10 * BYTES_PER_UNIT)}`),
      200,
      12,
    ],
    ['no token', { path: '/transactions', token: null }, 401, 5],
    ['a token that cannot be one', { path: '/transactions', token: 'a,b' }, 401, 5],
    ['a token that does not hold', { path: '/transactions', token: 'txl_wrong_secret' }, 401, 5],
    ['a wrong token where none is needed', { path: '/rpc/health', token: 'txl_wrong_secret' }, 401, 5],
    ['a token without the scope', { path: '/transactions', token: 'txl_none_secret' }, 403, 1],
    ['a path that is not there', { path: '/nowhere', token: null, unchecked: true }, 404, 1],
    ['a path that cannot be read', { path: '/accounts/%ff', token: null, unchecked: true }, 400, 1],
    ['a method that a path does not have', { method: 'DELETE', path: '/chain', token: null, unchecked: true }, 405, 1],
    ['a method that a page does not have', { method: 'DELETE', path: '/docs', token: null, unchecked: true }, 405, 1],
    ['a foreign host', { path: '/chain', token: null, headers: { Host: 'evil.example' } }, 421, 1],
    ['a foreign origin', { path: '/chain', token: null, headers: { Origin: 'https://evil.example' } }, 403, 1],
    ['a dry run', { method: 'POST', path: '/transactions/check', body: TRANSFER }, 200, 1],
    ['one account', { path: `/accounts/${SENDER}` }, 200, 1],
    ['as many accounts as one unit pays for', { path: `/accounts?${addressesOf(ACCOUNTS_PER_UNIT)}` }, 200, 1],
    ['one account more', { path: `/accounts?${addressesOf(ACCOUNTS_PER_UNIT + 1)}` }, 200, 2],
    ['a hundred accounts, and the bytes of their answer', { path: `/accounts?${addressesOf(ACCOUNTS_MAX)}` }, 200, 26],
    ['more accounts than there may be', { path: `/accounts?${addressesOf(ACCOUNTS_MAX + 1)}` }, 400, 25],
    ['the front page', { path: '/', token: null, unchecked: true }, 200, 1],
  ])('%s', async (_name, ask, status, cost) => {
    expect(await costs(ask)).toEqual({ status, cost });
  });

  test('by the bytes of its answer, which its own header shows', async () => {
    server.gateway.onRpc = async () => ({ ok: true, json: JSON.stringify('x'.repeat(5 * BYTES_PER_UNIT)) });
    const answer = await server.ask({
      path: '/rpc/genesis',
      token: null,
      headers: { 'X-Forwarded-For': '10.2.0.1' },
      unchecked: true,
    });
    expect(answer.headers.ratelimit).toMatch(new RegExp(`^"client";r=${QUOTA - METHOD_COSTS.genesis - 5};`));
    expect((await costs({ path: '/openapi.json', token: null })).cost).toBeGreaterThan(10);
  });

  test('to its token after its address', async () => {
    const answer = await server.ask({
      path: '/transactions',
      token: 'txl_read_secret',
      headers: { 'X-Forwarded-For': '10.2.0.2' },
    });
    expect(answer.headers.ratelimit).toMatch(/^"token";r=1999;.*"client";r=1999;/);
  });
});

describe('an address whose quota is used up', () => {
  const server = new TestServer({
    validateResponses: false,
    rateLimits: { perToken: { requests: 100, windowS: 100_000 }, perClient: { requests: 1, windowS: 80_000 } },
  });
  beforeAll(async () => {
    await server.start();
    expect((await server.ask({ path: '/chain', token: null })).status).toBe(200);
  });
  afterAll(() => server.stop());

  test.each<Ask>([
    { path: '/chain' },
    { path: '/metrics', token: null },
    { path: '/openapi.json', token: null },
    { path: '/docs', unchecked: true },
    { path: '/', unchecked: true },
    { path: '/nowhere', unchecked: true },
    { method: 'DELETE', path: '/chain', unchecked: true },
    { method: 'HEAD', path: '/chain', unchecked: true },
    { path: '/chain', headers: { Host: 'evil.example' } },
    { path: '/rpc/health', token: null },
    { method: 'POST', path: '/rpc', body: { jsonrpc: '2.0', method: 'health' } },
  ])('is refused $path', async (ask) => {
    let asked = 0;
    server.gateway.onAuthenticate = async () => {
      asked += 1;
      return undefined;
    };
    expect([(await server.ask(ask)).status, asked]).toEqual([429, 0]);
  });

  test('is answered by the probes, also with a wrong host', async () => {
    for (const path of ['/livez', '/readyz']) expect((await server.ask({ path, token: null })).status).toBe(200);
    expect(
      (await server.ask({ path: '/livez', token: null, headers: { Host: 'evil.example' }, unchecked: true })).status,
    ).not.toBe(429);
  });
});

describe('a flood of probes', () => {
  const server = new TestServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());

  test('asks the gateway once in a while, not once each', async () => {
    let asked = 0;
    const { onReadiness } = server.gateway;
    server.gateway.onReadiness = async () => {
      asked += 1;
      return await onReadiness();
    };
    const startedMs = performance.now();
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 10 }, () => server.ask({ path: '/readyz', token: null })));
    expect(asked).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - startedMs) / READINESS_CACHE_MS));
    expect(asked).toBeLessThan(100);
  });
});
