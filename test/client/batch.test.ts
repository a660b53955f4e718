/** Batches: an outcome for every transfer, however many there are and whatever is lost on the way; the same bytes every time. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type BatchOutcome,
  encodeAddress,
  sendBatch,
  type SignedTransfer,
  type Signer,
  signerFromSeed,
  signTransfer,
  submitTransactionBatch,
} from '../../client/src/index.ts';
import { example } from './support/contract.ts';
import { type Answer, problem, ScriptedServer, type Seen } from './support/scripted-server.ts';
import { testClient, type TestClient } from './support/client.ts';

const server = new ScriptedServer();
const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
const to: string = example('UnknownAccount').address;
let signer: Signer;
let from: string;
let signed: SignedTransfer[];
beforeAll(async () => {
  await server.start();
  signer = await signerFromSeed('01'.repeat(32));
  from = encodeAddress(signer.publicKey, 'txlt');
  signed = await Promise.all(
    Array.from({ length: 5 }, (_, nonce) => signTransfer({ signer, chain, to, amount: 10n, nonce })),
  );
});
afterAll(() => server.stop());
let ledger: TestClient;
beforeEach(() => {
  ledger = testClient(server.baseUrl, { chain });
});
afterEach(() => expect(ledger.faults).toEqual([]));

const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );
const inputsOf = ({ body }: Seen): any[] => JSON.parse(body).transactions;
const batches = (): Seen[] => server.seen.filter(({ path }) => path === '/transactions/batch');
const accepted = (input: any, outcome = 'accepted'): object => {
  const { nonce: _n, signature: _s, ...transfer } = input;
  return {
    outcome,
    transaction: {
      ...transfer,
      status: 'pending',
      firstSeenAt: '2026-11-21T09:30:01.250Z',
      reason: { code: 'broadcast', detail: 'It is on its way.' },
    },
  };
};
const refusedWith = (name: string, more: object = {}): object => ({
  outcome: 'refused',
  problem: { ...example(name), ...more },
});
/** Accepts all but the nonces named. */
const answer =
  (refusals: Record<number, object> = {}) =>
  (seen: Seen): Answer => ({
    status: 200,
    body: { results: inputsOf(seen).map((input) => refusals[input.nonce] ?? accepted(input)) },
  });
const told = (outcomes: readonly BatchOutcome[]): string[] =>
  outcomes.map((each) => (each.outcome === 'refused' ? each.problem.code : each.outcome));
const account = (nextNonce: number, nonce = nextNonce): Answer => ({
  status: 200,
  body: { ...example<object>('FundedAccount'), address: from, balance: '1000', available: '1000', nonce, nextNonce },
});

describe('submitting a batch', () => {
  test('sends the bytes that were signed, and answers for each in order', async () => {
    server.script(answer({ 1: refusedWith('NonceConflictProblem') }));
    const outcomes = await submitTransactionBatch(ledger.client, { signed });
    expect(told(outcomes)).toEqual(['accepted', 'nonce_conflict', 'accepted', 'accepted', 'accepted']);
    expect(outcomes.map((each) => each.signed)).toEqual(signed);
    expect(outcomes[1]).toMatchObject({ problem: { nextNonce: 1 } });
    expect(batches().map(inputsOf)).toEqual([signed.map(({ input }) => input)]);
  });

  test('of more than 1,000 is several batches, one after another', async () => {
    server.script(answer());
    const many = Array.from({ length: 2_001 }, (_, index) => ({
      txHash: signed[0]!.txHash,
      input: { ...signed[0]!.input, nonce: index },
    }));
    expect(new Set(told(await submitTransactionBatch(ledger.client, { signed: many })))).toEqual(new Set(['accepted']));
    expect(batches().map((seen) => inputsOf(seen).length)).toEqual([1_000, 1_000, 1]);
  });

  test('whose answer is lost is sent again, the same bytes', async () => {
    server.script('drop', problem('store_unavailable'), ({ body }) => ({
      status: 200,
      body: { results: JSON.parse(body).transactions.map((input: object) => accepted(input, 'replayed')) },
    }));
    expect(told(await submitTransactionBatch(ledger.client, { signed }))).toEqual(signed.map(() => 'replayed'));
    expect(new Set(batches().map(({ body }) => body)).size).toBe(1);
    expect(batches()).toHaveLength(3);
  });

  test('sends those again whose refusal can pass, and these alone, after the time that it names', async () => {
    server.script(
      answer({ 1: refusedWith('PoolFullProblem', { retryAfterS: 5 }), 3: refusedWith('InsufficientFundsProblem') }),
      answer(),
    );
    expect(told(await submitTransactionBatch(ledger.client, { signed }))).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'insufficient_funds',
      'accepted',
    ]);
    expect(batches().map((seen) => inputsOf(seen).map(({ nonce }) => nonce))).toEqual([[0, 1, 2, 3, 4], [1]]);
    expect(ledger.pauses[0]).toBeGreaterThanOrEqual(5_000);
  });

  test('of which nothing is known is unknown, not failed, and what was not sent says so', async () => {
    const many = Array.from({ length: 1_001 }, () => signed[0]!);
    server.script('drop');
    const outcomes = await submitTransactionBatch(ledger.client, { signed: many, maxRetries: 1 });
    expect(told(outcomes).slice(998)).toEqual(['unknown', 'unknown', 'unsent']);
    expect((outcomes[0] as { error: Error }).error).toMatchObject({
      name: 'UnknownOutcomeError',
      operation: 'submitTransactionBatch',
    });
  });

  test('rejects only when nothing can have been accepted', async () => {
    server.script(problem('insufficient_scope'));
    expect(await caught(submitTransactionBatch(ledger.client, { signed }))).toMatchObject({
      name: 'InsufficientScopeError',
    });
    const many = Array.from({ length: 1_001 }, (_, nonce) => ({
      ...signed[0]!,
      input: { ...signed[0]!.input, nonce },
    }));
    server.script(answer(), problem('insufficient_scope'));
    expect(told(await submitTransactionBatch(ledger.client, { signed: many })).slice(999)).toEqual([
      'accepted',
      'unsent',
    ]);
  });

  test.each<[string, (inputs: any[]) => unknown[]]>([
    ['too few outcomes', (inputs) => inputs.slice(1).map((input) => accepted(input))],
    ["another payment's outcome", (inputs) => inputs.map((input) => accepted({ ...input, amount: '11' }))],
    ['another hash', (inputs) => inputs.map((input) => accepted({ ...input, txHash: 'A'.repeat(64) }))],
  ])('takes no answer with %s', async (_, results) => {
    server.script((seen) => ({ status: 200, body: { results: results(inputsOf(seen)) } }));
    const outcomes = await submitTransactionBatch(ledger.client, { signed, maxRetries: 0 });
    expect(new Set(told(outcomes))).toEqual(new Set(['unknown']));
  });
});

describe('sending a batch', () => {
  const payments = Array.from({ length: 3 }, (_, index) => ({ to, amount: BigInt(index + 1) }));

  test('signs with the next nonces, tells the hashes before anything is sent, and gives a refused nonce to the next', async () => {
    server.script(account(7), answer({ 8: refusedWith('InsufficientFundsProblem') }));
    let kept: readonly SignedTransfer[] = [];
    const outcomes = await sendBatch(ledger.client, {
      signer,
      payments,
      onSigned: (made) => {
        kept = made;
        expect(batches()).toEqual([]);
      },
    });
    expect(told(outcomes)).toEqual(['accepted', 'insufficient_funds', 'accepted']);
    expect(kept.map(({ input }) => input.nonce)).toEqual([7, 8, 9]);
    expect(outcomes.map((each) => each.signed)).toEqual(kept);
    server.script(answer());
    const next = await sendBatch(ledger.client, { signer, payments: payments.slice(0, 2) });
    expect(next.map((each) => each.signed.input.nonce)).toEqual([8, 10]);
  });

  test('does not use a nonce again whose transfer may have been accepted', async () => {
    server.script(account(0), 'drop');
    expect(told(await sendBatch(ledger.client, { signer, payments, maxRetries: 0 }))).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ]);
    server.script(answer());
    expect(
      (await sendBatch(ledger.client, { signer, payments: payments.slice(0, 1) })).map(
        (each) => each.signed.input.nonce,
      ),
    ).toEqual([3]);
  });
});
