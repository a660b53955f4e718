/** What a payment carries beside its amount: its reference and the end of its validity, as callers say them and as they are signed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  createClient,
  encodeAddress,
  listTransactions,
  sendBatch,
  sendTransfer,
  type Signer,
  signerFromSeed,
  signTransfer,
  waitForTransaction,
} from '../../client/src/index.ts';
import { createTestLedger } from '../../client/src/testing/index.ts';
import { testClient, type TestClient } from './support/client.ts';
import { example } from './support/contract.ts';
import { type Answer, problem, ScriptedServer, type Seen } from './support/scripted-server.ts';

const server = new ScriptedServer();
const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
const to: string = example('UnknownAccount').address;
let signer: Signer;
let from: string;
let ledger: TestClient;
beforeAll(async () => {
  await server.start();
  signer = await signerFromSeed('01'.repeat(32));
  from = encodeAddress(signer.publicKey, 'txlt');
});
afterAll(() => server.stop());
beforeEach(() => {
  ledger = testClient(server.baseUrl, { chain });
});
afterEach(() => expect(ledger.faults).toEqual([]));

const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );
const account = (nextNonce: number): Answer => ({
  status: 200,
  body: {
    ...(example('FundedAccount') as object),
    address: from,
    balance: '1000',
    available: '1000',
    nonce: nextNonce,
    nextNonce,
  },
});
const chainAt = (lastBlockTime: string, serviceTime: string | undefined = undefined): Answer => ({
  status: 200,
  body: { ...(example('DevelopmentChain') as object), lastBlockTime, serviceTime },
});
const told = ({ nonce: _n, signature: _s, ...transfer }: Record<string, unknown>): object => ({
  ...transfer,
  status: 'pending',
  firstSeenAt: '2026-11-21T09:30:01.250Z',
  reason: { code: 'broadcast', detail: 'It is on its way.' },
});
const accept = ({ body }: Seen): Answer => ({ status: 202, body: told(JSON.parse(body)) });
const sent = (): any[] => server.seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));

describe('the end of a validity', () => {
  test('is a Date, of which a fraction of a second is cut off: never later than was said', async () => {
    server.script(accept);
    await sendTransfer(ledger.client, {
      signer,
      to,
      amount: 1n,
      nonce: 0,
      validUntil: new Date('2026-11-22T10:00:00.999Z'),
    });
    expect(sent()[0].validUntil).toBe(Date.parse('2026-11-22T10:00:00Z') / 1000);
  });

  test('is a duration in the time of the chain, whatever the clock of this machine says', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2031-01-01T00:00:00Z'));
    try {
      server.script(chainAt('2026-11-22T10:00:00.700Z'), accept);
      await sendTransfer(ledger.client, { signer, to, amount: 1n, nonce: 0, validForMs: 90_500 });
    } finally {
      clock.mockRestore();
    }
    expect(sent()[0].validUntil).toBe(Date.parse('2026-11-22T10:01:31Z') / 1000);
  });

  test('is a duration from the time of the service where the last block of an idle chain is older', async () => {
    server.script(chainAt('2026-11-22T10:00:00Z', '2026-11-22T10:01:55.500Z'), accept);
    await sendTransfer(ledger.client, { signer, to, amount: 1n, nonce: 0, validForMs: 60_000 });
    expect(sent()[0].validUntil).toBe(Date.parse('2026-11-22T10:02:55Z') / 1000);
  });

  test('passed already is a ValidityPassedError, and the nonce is used for the next', async () => {
    const refused = (): Answer => problem('validity_passed');
    server.script(account(4), refused, accept);
    const late = { signer, to, amount: 1n, validUntil: new Date(1000) };
    expect(await caught(sendTransfer(ledger.client, late))).toMatchObject({
      name: 'ValidityPassedError',
      code: 'validity_passed',
      status: 422,
      retriable: false,
    });
    await sendTransfer(ledger.client, { signer, to, amount: 1n });
    expect(sent().map(({ nonce, validUntil }) => [nonce, validUntil])).toEqual([
      [4, 1],
      [4, undefined],
    ]);
  });

  test('that passes while someone waits ends the wait with expired, which says why', async () => {
    let nowMs = Date.parse('2026-11-22T10:00:00Z');
    const memory = createTestLedger({ accounts: { shop: 0n, buyer: 100n }, blocks: 'manual', nowMs: () => nowMs });
    const client = createClient(memory.clientOptions);
    const { shop, buyer } = memory.accounts;
    const { signed } = await sendTransfer(client, {
      signer: buyer.signer,
      to: shop.address,
      amount: 60n,
      reference: 'ORDER-1',
      validForMs: 5_000,
    });
    const waiting = waitForTransaction(client, { txHash: signed.txHash, timeoutMs: 20_000 });
    nowMs += 60_000;
    memory.commit(); // later than the end: the transfer is not in it
    memory.commit(); // its nonce is void
    const { outcome, transaction } = await waiting;
    expect([outcome, transaction?.reference]).toEqual(['expired', 'ORDER-1']);
    expect(transaction?.history.find(({ event }) => event === 'expiry_requested')).toMatchObject({
      reason: 'validity_passed',
    });
  });
});

describe('a reference', () => {
  test('is signed and sent; a payment without members has none, not empty ones', async () => {
    server.script(accept, accept);
    const { signed } = await sendTransfer(ledger.client, {
      signer,
      to,
      amount: 5n,
      nonce: 0,
      reference: "order 17: 3 cups & a jug's lid",
    });
    expect(sent()[0]).toEqual(signed.input);
    expect(signed.input.reference).toBe("order 17: 3 cups & a jug's lid");
    const plain = await sendTransfer(ledger.client, {
      signer,
      to,
      amount: 5n,
      nonce: 1,
      reference: undefined,
      validUntil: undefined,
      validForMs: undefined,
    });
    expect(Object.keys(plain.signed.input).sort()).toEqual(['amount', 'from', 'nonce', 'signature', 'to', 'txHash']);
  });

  test('and the end stay what they are when another process has taken the nonce', async () => {
    server.script(
      chainAt('2026-11-22T10:00:00Z'),
      account(7),
      problem('nonce_conflict', { nextNonce: 9 }),
      account(9),
      accept,
    );
    const kept: unknown[] = [];
    await sendTransfer(ledger.client, {
      signer,
      to,
      amount: 5n,
      reference: 'ORDER-1',
      validForMs: 60_000,
      onSigned: ({ input }) => void kept.push(input),
    });
    const end = Date.parse('2026-11-22T10:01:00Z') / 1000;
    expect(sent().map(({ nonce, reference, validUntil }) => [nonce, reference, validUntil])).toEqual([
      [7, 'ORDER-1', end],
      [9, 'ORDER-1', end],
    ]);
    expect(sent()).toEqual(kept);
  });

  test.each([
    ['another reference', { reference: 'ORDER-2' }],
    ['no reference', { reference: undefined }],
    ['another end', { validUntil: 1_800_000_001 }],
  ])('in an answer must be the one that was sent: %s is no answer to it', async (_, other) => {
    const wrong = ({ body }: Seen): Answer => ({
      status: 200,
      body: told({ ...(JSON.parse(body) as object), ...other }),
    });
    server.script(wrong);
    const options = {
      signer,
      to,
      amount: 5n,
      nonce: 0,
      reference: 'ORDER-1',
      validUntil: new Date(1_800_000_000_000),
      maxRetries: 0,
    };
    expect(await caught(sendTransfer(ledger.client, options))).toMatchObject({
      name: 'UnknownOutcomeError',
      cause: { name: 'UnexpectedAnswerError' },
    });
  });

  test('is a filter of lists', async () => {
    server.script({ status: 200, body: { transactions: [] } });
    await listTransactions(ledger.client, { reference: 'order 17: a&b', account: to });
    expect(new URL(server.seen[0]!.path, server.baseUrl).searchParams.get('reference')).toBe('order 17: a&b');
  });
});

describe('what can never work', () => {
  test.each<[string, object, string]>([
    ['an empty reference', { reference: '' }, 'reference'],
    ['a space before it', { reference: ' a' }, 'reference'],
    ['a space behind it', { reference: 'a ' }, 'reference'],
    ['a quote', { reference: 'a"b' }, 'reference'],
    ['a backslash', { reference: 'a\\b' }, 'reference'],
    ['a line feed', { reference: 'a\n' }, 'reference'],
    ['letters beyond ASCII', { reference: 'Büro' }, 'reference'],
    ['141 characters', { reference: 'a'.repeat(141) }, 'reference'],
    ['null', { reference: null }, 'reference'],
    ['no date', { validUntil: new Date('never') }, 'validUntil'],
    ['a number', { validUntil: 1_800_000_000 }, 'validUntil'],
    ['a date in 1969', { validUntil: new Date(-1) }, 'validUntil'],
    ['the first second of 1970', { validUntil: new Date(999) }, 'validUntil'],
    ['the year 10000', { validUntil: new Date('+010000-01-01T00:00:00Z') }, 'validUntil'],
    ['a duration below a second', { validForMs: 999 }, 'validForMs'],
    ['no number', { validForMs: Number.NaN }, 'validForMs'],
    ['a duration without end', { validForMs: Number.POSITIVE_INFINITY }, 'validForMs'],
    ['two ends', { validForMs: 5_000, validUntil: new Date(1_800_000_000_000) }, 'validForMs'],
  ])('is refused before anything is sent: %s', async (_, wrong, argument) => {
    server.script(account(0), account(0));
    expect(await caught(sendTransfer(ledger.client, { signer, to, amount: 1n, ...wrong }))).toMatchObject({
      name: 'InvalidArgumentError',
      argument,
    });
    expect(
      await caught(
        sendBatch(ledger.client, {
          signer,
          payments: [
            { to, amount: 1n },
            { to, amount: 1n, ...wrong },
          ],
        }),
      ),
    ).toMatchObject({ name: 'InvalidArgumentError', argument });
    expect(sent()).toEqual([]);
  });

  test('is a duration past the end of 9999, too', async () => {
    server.script(chainAt('2026-11-22T10:00:00Z'));
    expect(
      await caught(sendTransfer(ledger.client, { signer, to, amount: 1n, nonce: 0, validForMs: 9e15 })),
    ).toMatchObject({ name: 'InvalidArgumentError', argument: 'validForMs' });
  });

  test('but the largest of both is signed', async () => {
    const { input } = await signTransfer({
      signer,
      chain,
      to,
      amount: 1n,
      nonce: 0,
      reference: '~'.repeat(140),
      validUntil: new Date('9999-12-31T23:59:59.999Z'),
    });
    expect([input.reference?.length, input.validUntil]).toEqual([140, 253_402_300_799]);
  });
});

describe('a batch', () => {
  test("has a reference and an end for each payment, and asks for the chain's time once", async () => {
    const results = ({ body }: Seen): Answer => ({
      status: 200,
      body: {
        results: JSON.parse(body).transactions.map((each: Record<string, unknown>) => ({
          outcome: 'accepted',
          transaction: told(each),
        })),
      },
    });
    server.script(chainAt('2026-11-22T10:00:00Z'), account(0), results);
    const payments = [
      { to, amount: 5n, reference: 'PAYOUT-1', validForMs: 10_000 },
      { to, amount: 5n, reference: 'PAYOUT-2', validForMs: 20_000 },
      { to, amount: 5n, validUntil: new Date(1_800_000_000_000) },
      { to, amount: 5n },
    ];
    expect((await sendBatch(ledger.client, { signer, payments })).map(({ outcome }) => outcome)).toEqual(
      Array(4).fill('accepted'),
    );
    const base = Date.parse('2026-11-22T10:00:00Z') / 1000;
    expect(sent()[0].transactions.map(({ reference, validUntil }: any) => [reference, validUntil])).toEqual([
      ['PAYOUT-1', base + 10],
      ['PAYOUT-2', base + 20],
      [undefined, 1_800_000_000],
      [undefined, undefined],
    ]);
    expect(server.seen.filter(({ path }) => path === '/chain')).toHaveLength(1);
  });
});
