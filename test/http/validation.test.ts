/**
 * Requests of hot operations are judged by functions made from the contract; with response validation on, every request also goes through
 * express-openapi-validator, and a different verdict is a defect. Both servers must therefore answer alike, whatever is asked.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Ask, TestServer } from './support/server.ts';
import { RECEIVER, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

/** As in production, and as in the tests. */
const direct = new TestServer({ validateResponses: false });
const both = new TestServer();
const HEADERS = { 'X-Request-Id': 'same' };

beforeAll(() => Promise.all([direct.start(), both.start()]));
afterAll(() => Promise.all([direct.stop(), both.stop()]));

/** What both answer. */
async function answersOf(ask: Ask): Promise<readonly [status: number, text: string]> {
  const asked = { ...ask, headers: { ...HEADERS, ...ask.headers } };
  const [one, other] = await Promise.all([direct.ask(asked), both.ask(asked)]);
  expect([one.status, one.text]).toEqual([other.status, other.text]);
  return [one.status, one.text];
}

const TEXT = fc.oneof(
  fc.constantFrom(
    SENDER,
    RECEIVER,
    TX_HASH,
    'pending',
    'committed',
    '0',
    '1',
    '10',
    '1000',
    '1001',
    '9007199254740991',
    'true',
    '{}',
    '[]',
    '1e2',
    'a/b',
    'a,b',
    'x',
  ),
  fc.string({ maxLength: 12 }),
);
const QUERY = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom('limit', 'cursor', 'status', 'from', 'to', 'account', 'nonce', 'reference'),
      fc.string({ maxLength: 6 }),
    ),
    TEXT,
  ),
  { maxLength: 4 },
);
const isOrdinary = (path: string): boolean => !/\/\.{0,2}(?:$|[/?])/.test(path);

test('a list answers alike, whatever its query', async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(QUERY, async (query) => {
      const text = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
      const [status] = await answersOf({ path: query.length === 0 ? '/transactions' : `/transactions?${text}` });
      seen.add(status);
    }),
    { numRuns: 300 },
  );
  expect([...seen].toSorted()).toEqual([200, 400]);
});

test('one transaction and one account answer alike, whatever stands in the path', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/transactions/', '/accounts/'), TEXT, async (folder, text) => {
      const path = folder + encodeURIComponent(text);
      fc.pre(text !== '' && isOrdinary(path));
      await answersOf({ path });
    }),
    { numRuns: 150 },
  );
});

test('a submission answers alike, whatever its members', async () => {
  const VALUE = fc.oneof(
    TEXT,
    fc.integer(),
    fc.constantFrom(null, true, TRANSFER.signature),
    fc.array(fc.integer(), { maxLength: 2 }),
  );
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        fc.oneof(fc.constantFrom(...Object.keys(TRANSFER), 'txHash', 'extra'), fc.string({ maxLength: 6 })),
        VALUE,
        { maxKeys: 2 },
      ),
      async (members) => {
        const [status] = await answersOf({ method: 'POST', path: '/transactions', body: { ...TRANSFER, ...members } });
        seen.add(status);
      },
    ),
    { numRuns: 300 },
  );
  expect([...seen].toSorted()).toEqual([202, 400]);
});

test.each([
  ['the default of a parameter', '/transactions', { limit: 10 }],
  ['an integer as a number', '/transactions?limit=7&nonce=5&from=' + SENDER, { limit: 7, nonce: 5, from: SENDER }],
  ['what stands between signs that are too many', '/transactions?&limit=7&&nonce=5&', { limit: 7, nonce: 5 }],
  ['what has a name', '/transactions?=x&limit=7&=&nonce=5&=8&=%zz', { limit: 7, nonce: 5 }],
  ['nothing of a query that has no names', '/transactions?&&', { limit: 10 }],
])('handlers are given %s', async (_what, path, query) => {
  for (const server of [direct, both]) {
    server.gateway.reset();
    expect((await server.ask({ path })).status).toBe(200);
    expect(server.gateway.calls).toMatchObject([{ method: 'list', args: [query] }]);
  }
});

test('a value without a name is passed over everywhere, whatever it is', async () => {
  for (const server of [direct, both]) {
    server.gateway.onRpc = async () => ({ ok: true, json: '{}' });
    for (const path of ['/chain', '/livez', '/transactions', '/rpc/health', '/openapi.json']) {
      for (const search of ['=', '=x', '=x&=y', '&=%zz', '==', '=[a]'])
        expect([path, search, (await server.ask({ path: `${path}?${search}`, unchecked: true })).status]).toEqual([
          path,
          search,
          200,
        ]);
    }
    expect((await server.ask({ path: '/transactions?%20=x' })).status).toBe(400);
    server.gateway.reset();
  }
});
