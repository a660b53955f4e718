/** `Ledger-Height` of answers and `Ledger-Height-Min` of requests: who has which, and what is said of a height that is not reached. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { refuse } from '../../server/gateway/refusals.ts';
import type { Gateway } from '../../server/gateway/types.ts';
import { readOperations } from '../../server/http/contract/operations.ts';
import { resolve } from '../../server/http/contract/bundle.ts';
import { contract } from './support/contract-check.ts';
import { type Ask, TestServer } from './support/server.ts';
import { COMMITTED, SENDER, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const ORIGIN = 'https://app.example.org';
const server = new TestServer({ corsOrigins: [ORIGIN] });
/** As in production: requests of hot operations do not come to the middleware of the validator. */
const direct = new TestServer({ validateResponses: false });
beforeAll(() => Promise.all([server.start(), direct.start()]));
afterAll(() => Promise.all([server.stop(), direct.stop()]));
beforeEach(() => {
  server.gateway.reset();
  direct.gateway.reset();
});

const MIN = 'Ledger-Height-Min';
const operations = readOperations(contract.document);

/** Each read, what the gateway is asked by it, and the height that it answers. */
const READS: Readonly<Record<string, [path: string, asks: keyof Gateway, height: string]>> = {
  listTransactions: ['/transactions', 'list', '42'],
  getTransaction: [`/transactions/${TX_HASH}`, 'get', '42'],
  getReceipt: [`/transactions/${TX_HASH}/receipt`, 'receipt', '42'],
  listAccounts: [`/accounts?address=${SENDER}`, 'accounts', '42'],
  getAccount: [`/accounts/${SENDER}`, 'account', '42'],
  listEntries: [`/accounts/${SENDER}/entries`, 'entries', '42'],
  listEvents: ['/events', 'events', '1204'],
};
const cases = Object.entries(READS).map(([id, [path, asks, height]]) => ({ id, path, asks, height }));

test('the operations that take a least height are these', () => {
  const taking = operations.filter(({ headers }) => headers.includes(MIN)).map(({ id }) => id);
  expect(taking.toSorted()).toEqual(Object.keys(READS).toSorted());
});

describe('a read', () => {
  test.each(cases)('names the last block that its answer reflects: $id', async ({ path, height }) => {
    for (const each of [server, direct]) expect((await each.ask({ path })).headers['ledger-height']).toBe(height);
    expect(server.gateway.calls.map(({ method }) => method)).not.toContain('reach');
  });

  test('of the past, and one as CSV, name it too', async () => {
    const past = await server.ask({ path: `/accounts/${SENDER}?height=7` });
    expect([past.body.height, past.headers['ledger-height']]).toEqual([7, '42']);
    server.gateway.onEntries = async () => ({ ok: true, entries: [], height: 42 });
    const csv = await server.ask({ path: `/accounts/${SENDER}/entries`, headers: { Accept: 'text/csv' } });
    expect([csv.status, csv.headers['ledger-height']]).toEqual([200, '42']);
  });

  test.each(cases)('waits for a least height before it asks for anything: $id', async ({ path, asks }) => {
    for (const { gateway, ask } of [server, direct].map((each) => ({
      gateway: each.gateway,
      ask: (asked: Ask) => each.ask(asked),
    }))) {
      let reached = (): void => undefined;
      const reaching = new Promise<undefined>((done) => (reached = () => done(undefined)));
      const asked = new Promise<void>((done) => {
        gateway.onReach = () => {
          done();
          return reaching;
        };
      });
      const answer = ask({ path, headers: { [MIN]: '42' } });
      await asked;
      expect(gateway.calls).toEqual([{ method: 'reach', args: [42] }]);
      reached();
      expect((await answer).status).toBe(200);
      expect(gateway.calls.map(({ method }) => method)).toEqual(['reach', asks]);
    }
  });

  test.each(cases)('is 503 where that height is not reached: $id', async ({ path }) => {
    for (const { gateway, ask } of [server, direct].map((each) => ({
      gateway: each.gateway,
      ask: (asked: Ask) => each.ask(asked),
    }))) {
      gateway.onReach = async () => refuse('height_not_reached', 'The last block here is 41.');
      const answer = await ask({ path, headers: { [MIN]: '42' } });
      expect(answer).toMatchObject({ status: 409, body: { code: 'height_not_reached', retriable: true } });
      expect(answer.headers['ledger-height']).toBeUndefined();
      expect(gateway.calls.map(({ method }) => method)).toEqual(['reach']);
    }
  });

  test.each(['01', '-1', '+1', '1.0', '1e2', '0x10', 'x', '', '12345678901234567', '1, 2'])(
    'is 400 with the least height %j',
    async (value) => {
      for (const { path } of cases) {
        const ask = { path, headers: { [MIN]: value } };
        const answers = [await server.ask(ask), await direct.ask(ask)];
        for (const { status, body } of answers)
          expect([status, body.code, body.errors[0].pointer]).toEqual([
            400,
            'invalid_request',
            '#/header/ledger-height-min',
          ]);
        expect(answers[0]?.body.errors).toEqual(answers[1]?.body.errors);
      }
      expect([...server.gateway.calls, ...direct.gateway.calls]).toEqual([]);
    },
  );

  test.each(['0', '42', '9007199254740991', '9999999999999999'])('takes the least height %s', async (value) => {
    await server.ask({ path: '/transactions', headers: { [MIN]: value } });
    expect(server.gateway.calls[0]).toEqual({ method: 'reach', args: [Number(value)] });
  });
});

describe('a write', () => {
  const submit = (headers = {}) => server.ask({ method: 'POST', path: '/transactions', body: TRANSFER, headers });

  test('names the block that decided what it shows, and none where no block did', async () => {
    expect((await submit()).headers['ledger-height']).toBeUndefined();
    expect((await submit({ Prefer: 'wait=1' })).headers['ledger-height']).toBe('42');
    server.gateway.onSubmit = async () => ({ ok: true, replayed: true, transaction: COMMITTED });
    expect((await submit()).headers['ledger-height']).toBe('42');
    const cancelled = await server.ask({ method: 'DELETE', path: `/transactions/${TX_HASH}` });
    expect(cancelled.headers['ledger-height']).toBe('42');
  });

  test('of a batch names the last of these blocks', async () => {
    const batch = (transactions: object[]) =>
      server.ask({ method: 'POST', path: '/transactions/batch', body: { transactions } });
    expect((await batch([TRANSFER])).headers['ledger-height']).toBeUndefined();
    server.gateway.onSubmitBatch = async (inputs) =>
      inputs.map((_, at) => ({
        ok: true,
        replayed: true,
        transaction: { ...COMMITTED, height: [41, 43, 42][at] as number },
      }));
    expect((await batch([TRANSFER, TRANSFER, TRANSFER])).headers['ledger-height']).toBe('43');
  });

  test('takes no notice of a least height', async () => {
    expect((await submit({ [MIN]: '99' })).status).toBe(202);
    expect(server.gateway.calls.map(({ method }) => method)).toEqual(['submit']);
  });
});

describe('a page of another origin', () => {
  const list = (text: unknown): string[] => String(text).split(', ');
  /** What any page may send and read (Fetch standard). */
  const SAFE = ['Accept', 'Cache-Control', 'Content-Type'];

  test('may send every header that the contract declares, and what event-source libraries and tracers send', async () => {
    const { headers } = await server.ask({
      method: 'OPTIONS',
      path: '/transactions',
      headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'GET' },
      unchecked: true,
    });
    const declared = operations.flatMap((operation) => operation.headers);
    const ofLibraries = ['Last-Event-ID', 'Cache-Control', 'traceparent', 'tracestate', 'baggage'];
    const wanted = new Set(['Authorization', 'Content-Type', ...declared, ...ofLibraries]);
    const allowed = list(headers['access-control-allow-headers']);
    expect(allowed).toEqual(expect.arrayContaining([...wanted]));
    expect(allowed).toHaveLength(wanted.size);
  });

  test('may read every header that their answers have', async () => {
    const { headers } = await server.ask({ path: '/transactions', headers: { Origin: ORIGIN } });
    const answered = operations
      .filter(({ tag }) => tag === 'Transactions' || tag === 'Accounts')
      .flatMap(({ path, method }) => {
        const operation = contract.document.paths[path]?.[method.toLowerCase()] as { responses: object } | undefined;
        return Object.values(operation?.responses ?? {}).flatMap((each) =>
          Object.keys((resolve(contract.document, each)['headers'] ?? {}) as object),
        );
      })
      .filter((name) => !SAFE.includes(name));
    expect(list(headers['access-control-expose-headers'])).toEqual(expect.arrayContaining([...new Set(answered)]));
  });
});
