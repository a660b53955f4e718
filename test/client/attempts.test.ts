import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  cancelTransaction,
  ConnectionError,
  getChain,
  type SignedTransfer,
  submitTransaction,
  UnknownOutcomeError,
} from '../../client/src/index.ts';
import { ATTEMPTS_MAX, BACKOFF_MS_BASE, BACKOFF_MS_MAX } from '../../client/src/limits.ts';
import { freePort } from '../e2e/support/server.ts';
import { catalogue, example, problemExample } from './support/contract.ts';
import { type Answer, problem, ScriptedServer } from './support/scripted-server.ts';
import { ATTEMPT_TIMEOUT_MS, SHORT_TIMEOUT_MS, testClient, type TestClient } from './support/client.ts';

const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const input = example('TransferWithHash');
const txHash: string = input.txHash.toUpperCase();
const signed: SignedTransfer = { txHash, input };
const pending = example('PendingTransaction');
const cancelled = example('CancelledTransaction');
const chain: Answer = { status: 200, body: example('DevelopmentChain') };
const accepted: Answer = { status: 202, body: { ...pending, ...pick(input), txHash } };

function pick({ from, to, amount }: { from: string; to: string; amount: string }): object {
  return { from, to, amount };
}

const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );

let ledger: TestClient;
beforeEach(() => {
  ledger = testClient(server.baseUrl);
});
afterEach(() => expect(ledger.faults).toEqual([]));

describe('attempts', () => {
  test('send the very same bytes every time', async () => {
    ledger = testClient(server.baseUrl, { attemptTimeoutMs: SHORT_TIMEOUT_MS });
    server.script('drop', problem('store_unavailable'), 'hang', 'cut', accepted);
    expect(await submitTransaction(ledger.client, { signed })).toEqual({
      transaction: (accepted as any).body,
      replayed: false,
    });
    expect(server.seen).toHaveLength(5);
    expect(new Set(server.seen.map(({ body }) => body))).toEqual(new Set([JSON.stringify(input)]));
  });

  test('are repeated after problems that pass and not after those that stay', async () => {
    for (const code of Object.keys(catalogue)) {
      const { status, retriable } = catalogue[code]!;
      // fetch itself repeats a 421 once, over a new connection (Fetch standard, HTTP-network-or-cache fetch).
      if (status === 421) continue;
      server.script({ status, body: problemExample(code) }, accepted);
      const call = submitTransaction(ledger.client, { signed });
      await (retriable ? call : caught(call));
      expect({ code, attempts: server.seen.length }).toEqual({ code, attempts: retriable ? 2 : 1 });
    }
    // The codes that this operation never answers with are faults of the script.
    ledger.faults.length = 0;
  });

  test('wait longer and longer, by chance, up to a bound', async () => {
    ledger = testClient(server.baseUrl, {}, () => 0.999);
    server.script(problem('internal'));
    await caught(getChain(ledger.client));
    expect(server.seen).toHaveLength(ATTEMPTS_MAX);
    expect(ledger.pauses).toEqual(
      Array.from({ length: ATTEMPTS_MAX - 1 }, (_, n) => 0.999 * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_BASE * 2 ** n)),
    );
    const jittered = testClient(server.baseUrl, {}, () => 0);
    await caught(getChain(jittered.client, { timeoutMs: 1_000 }));
    expect(jittered.pauses.every((pause) => pause === 0)).toBe(true);
  });

  test('wait at least as long as Retry-After says, in seconds or as a date', async () => {
    server.script(problem('rate_limited', {}, { 'retry-after': '7' }), chain);
    await getChain(ledger.client);
    expect(ledger.pauses[0]).toBeGreaterThanOrEqual(7_000);
    expect(ledger.pauses[0]).toBeLessThan(8_000);
    server.script(problem('rate_limited', {}, { 'retry-after': new Date(Date.now() + 20_000).toUTCString() }), chain);
    await getChain(ledger.client);
    expect(ledger.pauses[1]).toBeGreaterThan(15_000);
    expect(ledger.pauses[1]).toBeLessThan(21_000);
  });

  test('end when the service asks for more than a minute, or for more than is left', async () => {
    server.script(problem('rate_limited', {}, { 'retry-after': '61' }));
    expect(await caught(getChain(ledger.client, { timeoutMs: 1_000_000 }))).toMatchObject({
      name: 'RateLimitedError',
      retryAfterMs: 61_000,
    });
    server.script(problem('rate_limited', {}, { 'retry-after': '5' }));
    expect(await caught(getChain(ledger.client, { timeoutMs: 4_000 }))).toMatchObject({
      name: 'RateLimitedError',
      retryAfterMs: 5_000,
    });
    expect(ledger.pauses).toEqual([]);
  });

  test('ask for the token anew, so that a rotated one serves', async () => {
    let asked = 0;
    ledger = testClient(server.baseUrl, { token: async () => `txl_${++asked}` });
    server.script(problem('internal'), chain);
    await getChain(ledger.client);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer txl_1', 'Bearer txl_2']);
  });

  test('have a time of their own', async () => {
    ledger = testClient(server.baseUrl, { attemptTimeoutMs: SHORT_TIMEOUT_MS });
    server.script('hang', chain);
    await getChain(ledger.client);
    expect(server.seen).toHaveLength(2);
    server.script('hang');
    expect(await caught(getChain(ledger.client, { timeoutMs: SHORT_TIMEOUT_MS }))).toMatchObject({
      name: 'AttemptTimeoutError',
    });
  });
});

describe('an unknown outcome', () => {
  test.each<[string, Answer]>([
    ['the connection ended', 'drop'],
    ['the answer was cut short', 'cut'],
    ['the service does not know itself', problem('store_unavailable')],
    ['the service failed', problem('internal')],
    ['a proxy gave up', { status: 504, body: '<html>' }],
    ['the answer was no answer', { status: 200, body: 'ok' }],
    [
      'the answer was about another transaction',
      { status: 202, body: { ...pending, ...pick(input), amount: '999999', txHash } },
    ],
  ])('carries the hash and is never called a failure: %s', async (_, answer) => {
    ledger = testClient(server.baseUrl);
    server.script(answer);
    const error = await caught(submitTransaction(ledger.client, { signed }));
    ledger.faults.length = 0;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ name: 'UnknownOutcomeError', txHash, operation: 'submitTransaction' });
    expect(error.message).toContain(txHash);
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('stays unknown when a later attempt is refused for a reason that may pass', async () => {
    for (const code of [
      'insufficient_funds',
      'nonce_too_high',
      'too_many_pending',
      'pool_full',
      'unauthenticated',
      'insufficient_scope',
    ]) {
      server.script('drop', problem(code, {}, { 'retry-after': '100' }));
      expect(await caught(submitTransaction(ledger.client, { signed }))).toMatchObject({
        name: 'UnknownOutcomeError',
        txHash,
      });
    }
  });

  test('becomes known when a later attempt is refused for ever', async () => {
    for (const code of ['nonce_too_low', 'nonce_cancelled', 'invalid_address']) {
      server.script('drop', problem(code));
      expect(await caught(submitTransaction(ledger.client, { signed }))).toMatchObject({ code });
    }
    server.script('drop', problem('nonce_conflict', { txHash: 'AB'.repeat(32) }));
    expect(await caught(submitTransaction(ledger.client, { signed }))).toMatchObject({
      name: 'NonceConflictError',
      txHash: 'AB'.repeat(32),
    });
  });

  test('is not claimed when nothing can have arrived', async () => {
    server.script(problem('pool_full', {}, { 'retry-after': '100' }));
    expect(await caught(submitTransaction(ledger.client, { signed }))).toMatchObject({ name: 'PoolFullError' });
    const nobody = testClient(`http://127.0.0.1:${await freePort()}`);
    expect(await caught(submitTransaction(nobody.client, { signed }))).toBeInstanceOf(ConnectionError);
  });

  test('is what a cancel of which nobody heard ends with', async () => {
    server.script('drop');
    expect(await caught(cancelTransaction(ledger.client, { txHash: txHash.toLowerCase() }))).toMatchObject({
      name: 'UnknownOutcomeError',
      txHash,
      operation: 'cancelTransaction',
    });
    server.script('drop', { status: 200, body: { ...cancelled, txHash } });
    expect((await cancelTransaction(ledger.client, { txHash })).outcome).toBe('cancelled');
  });
});

describe('an abort', () => {
  test('rejects with its reason at once when nothing was sent', async () => {
    server.script(accepted);
    const reason = new Error('changed my mind');
    expect(await caught(submitTransaction(ledger.client, { signed, signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.seen).toHaveLength(0);
  });

  test('ends a read at once, with its reason', async () => {
    server.script('hang');
    const abort = new AbortController();
    const arrived = server.arrival();
    const call = caught(getChain(ledger.client, { signal: abort.signal }));
    await arrived;
    const reason = new Error('enough');
    abort.abort(reason);
    expect(await call).toBe(reason);
  });

  test('after something was sent leaves the outcome unknown, with the hash', async () => {
    server.script('hang');
    const abort = new AbortController();
    const arrived = server.arrival();
    const call = caught(submitTransaction(ledger.client, { signed, signal: abort.signal }));
    await arrived;
    abort.abort();
    expect(await call).toMatchObject({ name: 'UnknownOutcomeError', txHash, cause: abort.signal.reason });
  });

  test('ends a pause', async () => {
    const abort = new AbortController();
    ledger = testClient(server.baseUrl, {
      environment: {
        setTimer: (callback, delayMs) => {
          const timer = setTimeout(callback, delayMs);
          if (delayMs !== ATTEMPT_TIMEOUT_MS) setImmediate(() => abort.abort());
          return () => clearTimeout(timer);
        },
      },
    });
    server.script(problem('rate_limited', {}, { 'retry-after': '30' }));
    expect(await caught(getChain(ledger.client, { signal: abort.signal }))).toBe(abort.signal.reason);
  });

  test('leaves no listener behind on the signal', async () => {
    server.script(problem('internal'), chain);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => void (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => void (listeners--, remove(...args));
    await getChain(ledger.client, { signal });
    expect(listeners).toBe(0);
  });
});
