import { inspect } from 'node:util';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type AttemptRequest,
  type AttemptResponse,
  createClient,
  eachTransaction,
  getAccount,
  getChain,
  getTransaction,
  listTransactions,
  type SignedTransfer,
  submitTransaction,
  UnknownOutcomeError,
} from '../../client/src/index.ts';
import { VERSION } from '../../client/src/version.ts';
import { ROOT } from '../../scripts/steps.ts';
import { example } from './support/contract.ts';
import { type Answer, problem, ScriptedServer } from './support/scripted-server.ts';
import { testClient, type TestClient } from './support/client.ts';

const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const chain = (headers: Record<string, string> = {}): Answer => ({
  status: 200,
  body: example('DevelopmentChain'),
  headers,
});
const input = example('TransferWithHash');
const signed: SignedTransfer = { txHash: input.txHash.toUpperCase(), input };
const { from, to, amount } = input;
const accepted: Answer = {
  status: 202,
  body: { ...example<object>('PendingTransaction'), from, to, amount, txHash: signed.txHash },
  headers: { 'x-request-id': 'r-2' },
};
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

describe('retries', () => {
  test('are as many as the client says, and as a call says for itself', async () => {
    ledger = testClient(server.baseUrl, { maxRetries: 2 });
    server.script(problem('internal'));
    expect(await caught(getChain(ledger.client))).toMatchObject({ name: 'InternalError', attempts: 3 });
    expect(server.seen).toHaveLength(3);
    server.script(problem('internal'));
    await caught(getChain(ledger.client, { maxRetries: 4 }));
    expect(server.seen).toHaveLength(5);
    server.script(problem('internal'));
    await caught(getChain(ledger.client, { maxRetries: 0 }));
    expect(server.seen).toHaveLength(1);
  });

  test('that are switched off leave an unknown outcome unknown', async () => {
    server.script('drop');
    const error = await caught(submitTransaction(ledger.client, { signed, maxRetries: 0 }));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ attempts: 1, txHash: signed.txHash });
  });

  test('count for every page of a list that is looped over, and never reach the service as a filter', async () => {
    server.script(problem('internal'));
    await caught(eachTransaction(ledger.client, { maxRetries: 1, status: 'pending' }).next());
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/transactions?limit=100&status=pending',
      '/transactions?limit=100&status=pending',
    ]);
  });

  test('wait as Retry-After says, whatever their number', async () => {
    ledger = testClient(server.baseUrl, { maxRetries: 1 });
    server.script(problem('rate_limited', {}, { 'retry-after': '7' }), chain());
    await getChain(ledger.client);
    expect(ledger.pauses[0]).toBeGreaterThanOrEqual(7_000);
  });
});

describe('onResponse', () => {
  test('is told status, headers, request id, attempts and time of every answer, a success included', async () => {
    const told: AttemptResponse[] = [];
    ledger = testClient(server.baseUrl, { onResponse: (response) => void told.push(response) });
    server.script(
      problem('internal', {}, { 'x-request-id': 'r-1' }),
      chain({ 'x-request-id': 'r-2', ratelimit: '"ip";r=9;t=1' }),
    );
    const body = await getChain(ledger.client);
    expect(body).toEqual(example('DevelopmentChain'));
    expect(told).toMatchObject([
      { method: 'GET', url: `${server.baseUrl}/chain`, attempts: 1, status: 500, requestId: 'r-1' },
      { method: 'GET', url: `${server.baseUrl}/chain`, attempts: 2, status: 200, requestId: 'r-2' },
    ]);
    expect(told[1]!.headers.get('RateLimit')).toBe('"ip";r=9;t=1');
    expect(told[1]!.durationMs).toBeGreaterThan(0);
  });

  test('of a call is told of that call, after the one of the client', async () => {
    const order: string[] = [];
    ledger = testClient(server.baseUrl, { onResponse: () => void order.push('client') });
    server.script(chain(), { status: 200, body: example('LastPage') });
    await getChain(ledger.client, { onResponse: ({ requestId }) => void order.push(`call ${requestId}`) });
    await listTransactions(ledger.client, { limit: 1 });
    expect(order).toEqual(['client', 'call undefined', 'client']);
    expect(server.seen[1]!.path).toBe('/transactions?limit=1');
  });

  test('is not told of an attempt without a whole answer', async () => {
    const told: number[] = [];
    server.script('drop', 'cut', chain());
    await getChain(ledger.client, { onResponse: ({ attempts }) => void told.push(attempts) });
    expect(told).toEqual([3]);
  });

  test('takes away no answer by throwing, at once or later, and what it throws is not logged', async () => {
    const logged: unknown[] = [];
    const logger = { debug: () => undefined, warn: (...line: unknown[]) => void logged.push(line) };
    ledger = testClient(server.baseUrl, {
      logger,
      onResponse: () => {
        throw new Error('sensitive');
      },
    });
    server.script(accepted);
    expect(
      (await submitTransaction(ledger.client, { signed, onResponse: () => Promise.reject(new Error('sensitive')) }))
        .replayed,
    ).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged).toHaveLength(2);
    expect(logged).toMatchObject([
      [{ attempts: 1 }, 'onResponse'],
      [{ attempts: 1 }, 'onResponse'],
    ]);
    expect(inspect(logged, { depth: 9 })).not.toContain('sensitive');
  });
});

describe('onRequest', () => {
  test('adds headers to every attempt, the one of the call after the one of the client', async () => {
    const about: Omit<AttemptRequest, 'headers'>[] = [];
    ledger = testClient(server.baseUrl, { onRequest: ({ headers }) => headers.set('traceparent', '00-client') });
    server.script(problem('internal'), chain());
    await getChain(ledger.client, {
      onRequest: async ({ headers, ...rest }) => {
        about.push(rest);
        headers.set('traceparent', `${headers.get('traceparent')}-call-${rest.attempts}`);
      },
    });
    expect(server.seen.map(({ headers }) => headers.traceparent)).toEqual(['00-client-call-1', '00-client-call-2']);
    expect(about).toEqual([1, 2].map((attempts) => ({ method: 'GET', url: `${server.baseUrl}/chain`, attempts })));
  });

  test('never sees the token, neither then nor in what it kept, and cannot take its place', async () => {
    const kept: Headers[] = [];
    server.script(chain());
    await getChain(ledger.client, {
      onRequest: ({ headers }) => {
        kept.push(headers);
        headers.set('authorization', 'Bearer other');
      },
    });
    expect(server.seen[0]!.headers.authorization).toBe('Bearer txl_test_secret');
    expect(inspect(kept.map((headers) => [...headers]))).not.toContain('secret');
    const bare = createClient({ baseUrl: server.baseUrl });
    await getChain(bare, { onRequest: ({ headers }) => headers.set('authorization', 'Basic eDp5') });
    expect(server.seen[1]!.headers.authorization).toBe('Basic eDp5');
  });

  test('that throws ends the call before anything is sent, so that the outcome is known', async () => {
    const fault = new Error('no trace');
    const refuse = (): void => {
      throw fault;
    };
    server.script(accepted);
    expect(await caught(submitTransaction(ledger.client, { signed, onRequest: refuse }))).toBe(fault);
    expect(server.seen).toHaveLength(0);
    server.script('drop', accepted);
    const later = ({ attempts }: AttemptRequest): void => (attempts === 2 ? refuse() : undefined);
    expect(await caught(submitTransaction(ledger.client, { signed, onRequest: later }))).toMatchObject({
      name: 'UnknownOutcomeError',
      cause: fault,
    });
  });

  test('during which the signal aborts lets nothing be sent', async () => {
    const controller = new AbortController();
    server.script(accepted);
    const reason = await caught(
      submitTransaction(ledger.client, {
        signed,
        signal: controller.signal,
        onRequest: () => controller.abort('enough'),
      }),
    );
    expect(reason).toBe('enough');
    expect(server.seen).toHaveLength(0);
  });
});

describe('the user agent', () => {
  test('names the package, and the application before it', async () => {
    server.script(chain());
    await getChain(ledger.client);
    await getChain(createClient({ baseUrl: server.baseUrl, userAgent: 'shop/1.2 (staging)' }));
    expect(server.seen.map(({ headers }) => headers['user-agent'])).toEqual([
      `transaction-ledger-client/${VERSION}`,
      `shop/1.2 (staging) transaction-ledger-client/${VERSION}`,
    ]);
    expect(VERSION).toBe(JSON.parse(readFileSync(join(ROOT, 'client/package.json'), 'utf8')).version);
    expect(() => createClient({ baseUrl: server.baseUrl, userAgent: 'shop\r\nX: y' })).toThrow(
      'userAgent is visible ASCII',
    );
  });

  test('is left to the browser, which would have to ask the service for leave to send another', async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator')!;
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Mozilla/5.0 (X11)' }, configurable: true });
    try {
      const sent: string[][] = [];
      const fetch = async (request: Request): Promise<Response> => {
        sent.push([...request.headers.keys()]);
        return Response.json(example('UnknownAccount'));
      };
      const client = createClient({
        baseUrl: server.baseUrl,
        token: 'x',
        userAgent: 'shop/1.2',
        environment: { fetch },
      });
      await getAccount(client, { address: example('UnknownAccount').address });
      expect(sent).toEqual([['authorization']]);
    } finally {
      Object.defineProperty(globalThis, 'navigator', own);
    }
  });
});

test('A call that looks for one transaction keeps its other options', async () => {
  const found = example('CommittedTransactionDetail');
  server.script({ status: 200, body: found, headers: { 'x-request-id': 'r-9' } });
  let requestId: string | undefined;
  await getTransaction(ledger.client, {
    txHash: found.txHash,
    onResponse: (response) => void ({ requestId } = response),
  });
  expect(requestId).toBe('r-9');
});
