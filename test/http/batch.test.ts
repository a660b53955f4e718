/** POST /transactions/batch: an outcome for each transfer, faults of one and of the envelope, what it is charged, and that it holds up no one. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Clock } from '../../server/engine/ports.ts';
import { BATCH_TRANSFERS_MAX, TURN_MS_MAX } from '../../server/gateway/limits.ts';
import type { Refusal } from '../../server/gateway/types.ts';
import { BATCH_TRANSFERS_PER_UNIT, BYTES_PER_UNIT, costOfBytes } from '../../server/http/cost.ts';
import { BATCH_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../../server/http/limits.ts';
import type { HandlerParts } from '../../server/http/operations/parts.ts';
import { submitTransactionBatch } from '../../server/http/operations/submitTransactionBatch.ts';
import { realClock, TestServer } from './support/server.ts';
import type { Answer, Ask } from './support/server.ts';
import { PENDING, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

let server: TestServer;
beforeAll(async () => {
  server = await new TestServer().start();
});
afterEach(() => server.gateway.reset());
afterAll(() => server.stop());

const batch = (transactions: unknown, more: Ask = {}, to = server): Promise<Answer> =>
  to.ask({ method: 'POST', path: '/transactions/batch', body: { transactions }, ...more });
const transfers = (count: number): (typeof TRANSFER)[] =>
  Array.from({ length: count }, (_, nonce) => ({ ...TRANSFER, nonce }));
const conflict: Refusal = {
  ok: false,
  code: 'nonce_conflict',
  detail: 'Another payment holds it.',
  txHash: TX_HASH,
  errors: [{ pointer: '/nonce', message: 'Held.' }],
  extra: { nextNonce: 7 },
};
const full: Refusal = { ok: false, code: 'pool_full', detail: 'The pool is full.', retryAfterS: 5 };
const unstored: Refusal = {
  ok: false,
  code: 'store_unavailable',
  detail: 'It could not be stored.',
  txHash: TX_HASH,
  retryAfterS: 5,
};

describe('a batch', () => {
  test('is answered with an outcome for each transfer, in its order', async () => {
    server.gateway.onSubmitBatch = async () => [
      { ok: true, replayed: false, transaction: PENDING },
      conflict,
      { ok: true, replayed: true, transaction: PENDING },
      full,
    ];
    const { status, body, headers } = await batch(transfers(4));
    expect(status).toBe(200);
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'accepted',
      'refused',
      'replayed',
      'refused',
    ]);
    expect(body.results[0].transaction).toMatchObject({ txHash: TX_HASH, status: 'pending' });
    expect(body.results[1].problem).toEqual({
      type: '../docs/errors#nonce_conflict',
      title: 'Another payment holds this nonce',
      status: 409,
      detail: 'Another payment holds it.',
      code: 'nonce_conflict',
      retriable: false,
      requestId: headers['x-request-id'],
      txHash: TX_HASH,
      errors: [{ pointer: '/transactions/1/nonce', message: 'Held.' }],
      nextNonce: 7,
    });
    expect(body.results[3].problem).toMatchObject({ status: 503, code: 'pool_full', retriable: true, retryAfterS: 5 });
  });

  test('of 1,000 transfers reaches the gateway in one call, in order', async () => {
    const sent = transfers(BATCH_TRANSFERS_MAX);
    expect((await batch(sent)).body.results).toHaveLength(BATCH_TRANSFERS_MAX);
    expect(server.gateway.calls.map(({ method, args }) => [method, args[0]])).toEqual([['submitBatch', sent]]);
  });

  test('a transfer that does not fit the contract is refused alone, with pointers into the batch', async () => {
    const { body } = await batch([
      TRANSFER,
      { ...TRANSFER, amount: '0', memo: 'x' },
      { ...TRANSFER, txHash: null },
      7,
      { ...TRANSFER, amount: '340282366920938463463374607431768211456' },
      { ...TRANSFER, signature: TRANSFER.signature.toUpperCase() },
    ]);
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'accepted',
      'refused',
      'accepted',
      'refused',
      'refused',
      'refused',
    ]);
    expect(body.results[1].problem).toMatchObject({ code: 'invalid_request', status: 400, retriable: false });
    expect(body.results[1].problem.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/transactions/1/amount',
      '/transactions/1/memo',
    ]);
    expect(body.results[3].problem.errors).toMatchObject([{ pointer: '/transactions/3' }]);
    expect(body.results[4].problem.errors).toMatchObject([{ pointer: '/transactions/4/amount' }]);
    // Null for an optional member counts as absent, here too.
    expect(server.gateway.calls[0]?.args[0]).toEqual([TRANSFER, TRANSFER]);
  });

  test('says of a transfer what a single request is told', async () => {
    for (const wrong of [
      { ...TRANSFER, amount: 5 },
      { ...TRANSFER, from: '0xabc' },
      { ...TRANSFER, nonce: -1 },
      { from: TRANSFER.from },
      { ...TRANSFER, extra: 1 },
      [],
      null,
    ]) {
      const single = (await server.submit(JSON.stringify(wrong))).body;
      const { problem } = (await batch([wrong])).body.results[0];
      const inBatch = (pointer: string): string => `/transactions/0${pointer}`;
      expect(problem.errors).toEqual(
        single.errors.map(({ pointer, message }: { pointer: string; message: string }) => ({
          pointer: inBatch(pointer),
          message,
        })),
      );
      expect(problem).toMatchObject({ code: single.code, title: single.title, status: single.status });
    }
  });

  test.each<[string, unknown, string]>([
    ['no object', [TRANSFER], ''],
    ['without its list', {}, '/transactions'],
    ['with something that is no list', { transactions: TRANSFER }, '/transactions'],
    ['that is empty', { transactions: [] }, '/transactions'],
    [
      'of 1,001 transfers',
      { transactions: Array.from({ length: BATCH_TRANSFERS_MAX + 1 }, () => TRANSFER) },
      '/transactions',
    ],
    ['with another member', { transactions: [TRANSFER], atomic: true }, '/atomic'],
  ])('%s is refused as a whole', async (_, body, pointer) => {
    const answer = await batch([], { body: body as object });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer }] });
    expect(server.gateway.calls).toEqual([]);
  });

  test('that is no strict JSON is refused as a whole', async () => {
    const twice = `{"transactions":[${JSON.stringify(TRANSFER).replace('{', '{"nonce":1,')}]}`;
    expect((await batch([], { body: twice })).body).toMatchObject({ code: 'malformed_json' });
  });

  test('may be larger than other bodies, and has a bound of its own', async () => {
    const padded = (bytes: number): string => {
      const text = JSON.stringify({ transactions: [TRANSFER] });
      return text.replace('[', `[${' '.repeat(bytes - text.length)}`);
    };
    expect((await batch([], { body: padded(BODY_BYTES_MAX + 1) })).status).toBe(200);
    expect((await batch([], { body: padded(BATCH_BODY_BYTES_MAX) })).status).toBe(200);
    expect((await batch([], { body: padded(BATCH_BODY_BYTES_MAX + 1) })).body).toMatchObject({
      code: 'body_too_large',
    });
    expect((await server.submit(padded(BODY_BYTES_MAX + 1))).body).toMatchObject({ code: 'body_too_large' });
  });

  test('of which nothing could be stored is 503, and otherwise each transfer tells it', async () => {
    server.gateway.onSubmitBatch = async () => [unstored, unstored];
    const whole = await batch(transfers(2));
    expect([whole.status, whole.headers['retry-after'], whole.body.code, whole.body.txHash]).toEqual([
      503,
      '5',
      'store_unavailable',
      undefined,
    ]);
    server.gateway.onSubmitBatch = async () => [{ ok: true, replayed: false, transaction: PENDING }, unstored];
    expect((await batch(transfers(2))).body.results[1].problem).toMatchObject({
      code: 'store_unavailable',
      retryAfterS: 5,
    });
    server.gateway.onSubmitBatch = async () => [unstored, { ok: true, replayed: false, transaction: PENDING }];
    expect((await batch(transfers(2))).body.results[1]).toMatchObject({ outcome: 'accepted' });
    server.gateway.onSubmitBatch = async () => ({ ok: false, code: 'shutting_down', detail: 'It is shutting down.' });
    expect((await batch(transfers(2))).body).toMatchObject({ status: 503, code: 'shutting_down' });
  });

  test('does not wait for blocks, and has no Idempotency-Key', async () => {
    const answer = await batch(transfers(1), { headers: { Prefer: 'wait=30', 'Idempotency-Key': '"one"' } });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, undefined]);
    expect(server.gateway.calls.map(({ method }) => method)).toEqual(['submitBatch']);
  });

  test('needs the scope to write, and has no other method', async () => {
    expect((await batch(transfers(1), { token: 'txl_read_secret' })).body).toMatchObject({
      code: 'insufficient_scope',
    });
    const { status, headers } = await server.ask({ path: '/transactions/batch', unchecked: true });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });

  test('leaves the thread to other requests between turns', async () => {
    // Each look at the clock finds a millisecond gone, so a turn is over after a few transfers.
    let nowMs = 0;
    let turns = 0;
    const clock: Clock = {
      ...realClock,
      monotonicMs: () => (nowMs += 1),
      setTimer: (fn, delayMs) => realClock.setTimer(() => void ((turns += 1), fn()), delayMs),
    };
    const handle = submitTransactionBatch({
      gateway: server.gateway,
      clock,
      transferFaults: () => [],
    } as Partial<HandlerParts> as HandlerParts);
    const principal = { tokenId: 't', owner: 'o', scopes: [] };
    const answer = await handle({
      body: { transactions: transfers(100) },
      principal,
      mediaType: 'application/json',
      requestId: 'r',
      path: {},
      query: {},
      header: {},
      signal: new AbortController().signal,
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(turns).toBeGreaterThanOrEqual(100 / (TURN_MS_MAX + 1));
  });
});

describe('what a batch costs', () => {
  const QUOTA = 100_000;
  let limited: TestServer;
  beforeAll(async () => {
    const quota = { requests: QUOTA, windowS: 100_000_000 };
    limited = await new TestServer({ rateLimits: { perToken: quota, perClient: quota } }).start();
  });
  afterAll(() => limited.stop());

  const left = ({ headers }: Answer): number => Number(/"token";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);

  test('is one unit, one for every four transfers, and the bytes of body and answer', async () => {
    for (const count of [1, 4, 5, 1_000]) {
      const before = left(await limited.ask({ path: '/transactions' }));
      const body = Buffer.from(JSON.stringify({ transactions: transfers(count) }));
      const answer = await batch([], { body }, limited);
      const spent = before - left(answer);
      expect([count, spent]).toEqual([
        count,
        1 +
          Math.ceil(count / BATCH_TRANSFERS_PER_UNIT) +
          costOfBytes(body.length) +
          costOfBytes(Buffer.byteLength(answer.text)),
      ]);
    }
    expect(BYTES_PER_UNIT).toBe(16 * 1024);
  });

  test('is charged before any transfer is looked at', async () => {
    const quota = { requests: 20, windowS: 1_000 };
    const poor = await new TestServer({
      rateLimits: { perToken: quota, perClient: { requests: QUOTA, windowS: 100_000_000 } },
    }).start();
    try {
      expect((await batch(transfers(8), {}, poor)).status).toBe(200);
      poor.gateway.reset();
      const refused = await batch(transfers(80), {}, poor);
      expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
      expect(poor.gateway.calls).toEqual([]);
    } finally {
      await poor.stop();
    }
  });
});
