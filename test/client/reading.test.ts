import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  cancelTransaction,
  checkTransaction,
  createClient,
  eachTransaction,
  getAccount,
  getTransaction,
  listAccounts,
  listTransactions,
  signCancel,
  signerFromSeed,
  submitCancel,
  type TransactionPage,
  waitForTransaction,
} from '../../client/src/index.ts';
import { example } from './support/contract.ts';
import { problem, ScriptedServer } from './support/scripted-server.ts';
import { SHORT_TIMEOUT_MS, testClient, type TestClient } from './support/client.ts';

const server = new ScriptedServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

let ledger: TestClient;
beforeEach(() => {
  ledger = testClient(server.baseUrl);
});
afterEach(() => expect(ledger.faults).toEqual([]));

const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );
const pages: [TransactionPage, TransactionPage] = [example('FirstPage'), example('LastPage')];
const committed = example('CommittedTransactionDetail');
const pending = {
  ...example('PendingTransaction'),
  txHash: committed.txHash,
  nonce: committed.nonce,
  history: committed.history.slice(0, 1),
};
const found = (body: unknown): { status: number; body: unknown } => ({ status: 200, body });

describe('a list', () => {
  test('comes page by page, with filters and cursor in the query', async () => {
    server.script(found(pages[0]), found(pages[1]));
    const query = { limit: 2, status: 'committed', account: committed.from } as const;
    const first = await listTransactions(ledger.client, query);
    expect(first).toEqual(pages[0]);
    expect(await listTransactions(ledger.client, { ...query, cursor: first.nextCursor! })).toEqual(pages[1]);
    const asked = server.seen.map(({ path }) => Object.fromEntries(new URL(path, server.baseUrl).searchParams));
    expect(asked).toEqual([
      { limit: '2', status: 'committed', account: committed.from },
      { limit: '2', status: 'committed', account: committed.from, cursor: first.nextCursor },
    ]);
  });

  test('is the pages joined when it is looped over, and asks for a page only when the loop gets there', async () => {
    server.script(found(pages[0]), found(pages[1]));
    const joined = [];
    for await (const transaction of eachTransaction(ledger.client)) {
      joined.push(transaction);
      expect(server.seen).toHaveLength(joined.length <= pages[0].transactions.length ? 1 : 2);
    }
    expect(joined).toEqual([...pages[0].transactions, ...pages[1].transactions]);
  });

  test('stops asking when the loop is left', async () => {
    server.script(found(pages[0]));
    for await (const transaction of eachTransaction(ledger.client)) {
      expect(transaction).toEqual(pages[0].transactions[0]);
      break;
    }
    expect(server.seen).toHaveLength(1);
  });

  test('of a service that leads the reader in a circle ends with an error', async () => {
    server.script(found(pages[0]));
    const loop = (async () => {
      for await (const _ of eachTransaction(ledger.client));
    })();
    expect(await caught(loop)).toMatchObject({ name: 'UnexpectedAnswerError' });
    expect(server.seen).toHaveLength(2);
  });
});

describe('one transaction, one account', () => {
  test('are read whole', async () => {
    server.script(found(committed));
    expect(await getTransaction(ledger.client, { txHash: committed.txHash.toLowerCase() })).toEqual(committed);
    const account = example('FundedAccount');
    server.script(found(account));
    expect(await getAccount(ledger.client, { address: account.address })).toEqual(account);
  });

  test('or several accounts, in the order asked for', async () => {
    const accounts = example('TwoAccounts');
    const addresses: string[] = accounts.accounts.map(({ address }: { address: string }) => address);
    server.script(found(accounts), found(accounts), found({ ...accounts, accounts: accounts.accounts.slice(1) }));
    expect(await listAccounts(ledger.client, { addresses })).toEqual(accounts);
    expect(server.seen[0]?.path).toBe(`/accounts?${addresses.map((address) => `address=${address}`).join('&')}`);
    expect(await caught(listAccounts(ledger.client, { addresses: addresses.toReversed() }))).toMatchObject({
      name: 'UnexpectedAnswerError',
    });
    expect(await caught(listAccounts(ledger.client, { addresses }))).toMatchObject({ name: 'UnexpectedAnswerError' });
  });

  test('or a dry run: an outcome, not an error, and never of another payment', async () => {
    const input = example('UnsignedTransfer');
    const accepted: object = example('WouldBeAccepted');
    server.script(
      found(accepted),
      found({ ...accepted, outcome: 'refused', problem: example('NonceConflictProblem') }),
    );
    expect(await checkTransaction(ledger.client, { input })).toEqual(accepted);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(input);
    expect((await checkTransaction(ledger.client, { input })).problem?.code).toBe('nonce_conflict');
    for (const wrong of [
      example<object>('WouldBeRefused'),
      { ...accepted, outcome: 'refused' },
      { ...accepted, problem: example('NonceConflictProblem') },
    ]) {
      server.script(found(wrong));
      expect(await caught(checkTransaction(ledger.client, { input }))).toMatchObject({ name: 'UnexpectedAnswerError' });
    }
  });

  test('are never mistaken for another', async () => {
    server.script(found(committed));
    expect(await caught(getTransaction(ledger.client, { txHash: 'AB'.repeat(32) }))).toMatchObject({
      name: 'UnexpectedAnswerError',
    });
    server.script(found(example('FundedAccount')));
    expect(await caught(getAccount(ledger.client, { address: example('UnknownAccount').address }))).toMatchObject({
      name: 'UnexpectedAnswerError',
    });
    server.script(found(example('CancelledTransaction')));
    expect(await caught(cancelTransaction(ledger.client, { txHash: 'AB'.repeat(32) }))).toMatchObject({
      name: 'UnknownOutcomeError',
      cause: { name: 'UnexpectedAnswerError' },
    });
  });

  test('are found under the hash of another signature that a block executed', async () => {
    const body = { ...committed, executedAs: 'CD'.repeat(32) };
    server.script(found(body));
    expect(await getTransaction(ledger.client, { txHash: 'CD'.repeat(32) })).toEqual(body);
  });
});

describe('waiting for a transaction', () => {
  test.each(['committed', 'failed', 'cancelled', 'expired'] as const)(
    'ends with "%s" when a block decided so',
    async (status) => {
      const { executedAs: _, ...settled } = { ...committed, status };
      const body = status === 'failed' ? { ...settled, reason: example('FailedTransaction').reason } : settled;
      server.script(found(pending), found(body));
      expect(await waitForTransaction(ledger.client, { txHash: committed.txHash })).toEqual({
        outcome: status,
        transaction: body,
      });
    },
  );

  test('ends undecided at its deadline, with the transaction as it was seen last', async () => {
    server.script(found(pending));
    expect(await waitForTransaction(ledger.client, { txHash: committed.txHash, timeoutMs: 5_000 })).toEqual({
      outcome: 'undecided',
      transaction: pending,
      lastError: undefined,
    });
    expect(ledger.pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(5_000);
  });

  test('ends undecided at its deadline when nobody answers', async () => {
    ledger = testClient(server.baseUrl, { attemptTimeoutMs: SHORT_TIMEOUT_MS });
    server.script('hang');
    const result = await waitForTransaction(ledger.client, { txHash: committed.txHash, timeoutMs: 700 });
    expect(result).toMatchObject({
      outcome: 'undecided',
      transaction: undefined,
      lastError: { name: 'AttemptTimeoutError' },
    });
  });

  test('ends by its deadline also when a single attempt would take longer', async () => {
    server.script('hang');
    ledger = testClient(server.baseUrl, { attemptTimeoutMs: 600_000 });
    expect(await waitForTransaction(ledger.client, { txHash: committed.txHash, timeoutMs: 500 })).toMatchObject({
      outcome: 'undecided',
    });
  });

  test('asks anew each time where equal GETs of one rendering are answered once', async () => {
    // As Next.js does it around React's cache: what is beside a Request becomes part of it, and only a signal among the options is seen.
    const platformFetch = globalThis.fetch;
    const remembered = new Map<string, Promise<Response>>();
    globalThis.fetch = async (resource, options) => {
      const request = new Request(resource, options);
      if (request.method !== 'GET' || (!(resource instanceof Request) && options?.signal))
        return platformFetch(resource, options);
      if (!remembered.has(request.url)) remembered.set(request.url, platformFetch(request));
      return (await remembered.get(request.url)!).clone();
    };
    try {
      server.script(found(pending), found(committed));
      const client = createClient({ baseUrl: server.baseUrl, token: 'txl_test_secret' });
      expect((await waitForTransaction(client, { txHash: committed.txHash, timeoutMs: 5_000 })).outcome).toBe(
        'committed',
      );
      expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer txl_test_secret',
        'Bearer txl_test_secret',
      ]);
    } finally {
      globalThis.fetch = platformFetch;
    }
  });

  test('goes on over failures and while the hash is not known yet', async () => {
    server.script(
      'drop',
      problem('not_found'),
      problem('store_unavailable', {}, { 'retry-after': '3' }),
      'cut',
      { status: 502, body: '<html>' },
      found(pending),
      found(committed),
    );
    expect((await waitForTransaction(ledger.client, { txHash: committed.txHash })).outcome).toBe('committed');
    ledger.faults.length = 0;
    expect(ledger.pauses[2]).toBeGreaterThanOrEqual(3_000);
  });

  test('rejects at once when looking is refused for good', async () => {
    server.script(problem('unauthenticated'));
    expect(await caught(waitForTransaction(ledger.client, { txHash: committed.txHash }))).toMatchObject({
      name: 'UnauthenticatedError',
    });
    expect(server.seen).toHaveLength(1);
  });

  test('rejects with the reason of an abort', async () => {
    server.script('hang');
    const abort = new AbortController();
    const arrived = server.arrival();
    const wait = caught(waitForTransaction(ledger.client, { txHash: committed.txHash, signal: abort.signal }));
    await arrived;
    abort.abort();
    expect(await wait).toBe(abort.signal.reason);
  });
});

describe('a cancel', () => {
  test('tells a decided one from one that is under way', async () => {
    const cancelled = example('CancelledTransaction');
    server.script(found(cancelled));
    expect(await cancelTransaction(ledger.client, { txHash: cancelled.txHash })).toEqual({
      outcome: 'cancelled',
      transaction: cancelled,
    });
    expect(server.seen[0]!.headers['prefer']).toBe('wait=10');
    const requested = example('CancelRequestedTransaction');
    server.script({ status: 202, body: requested });
    expect(await cancelTransaction(ledger.client, { txHash: requested.txHash, waitMs: 0 })).toEqual({
      outcome: 'undecided',
      transaction: requested,
    });
    expect(server.seen[0]!.headers['prefer']).toBe('wait=0');
  });

  test('that the sender signs has the bytes of the vectors, and sends the signature alone', async () => {
    const [{ seed, chainId, txHash, request, cancelBySender }] = JSON.parse(
      readFileSync(new URL('../../spec/vectors/signing-vectors.json', import.meta.url), 'utf8'),
    );
    const signer = await signerFromSeed(seed);
    const chain = { chainId, addressPrefix: 'txlt' } as const;
    const signature = await signCancel({ signer, chain, nonce: request.nonce, txHash });
    expect(signature).toBe(JSON.parse(cancelBySender).signature);
    const cancelled = { ...example('CancelledTransaction'), txHash };
    server.script(found(cancelled));
    expect(await submitCancel(ledger.client, { txHash, signature, waitMs: 0 })).toEqual({
      outcome: 'cancelled',
      transaction: cancelled,
    });
    const [{ method, path: url, headers, body }] = server.seen as [any];
    expect([method, url, headers['prefer'], typeof body === 'string' ? JSON.parse(body) : body]).toEqual([
      'POST',
      `/transactions/${txHash}/cancel`,
      'wait=0',
      { signature },
    ]);
  });

  test('of what is final already says what became of it', async () => {
    server.script(problem('already_settled', { txHash: committed.txHash, transactionStatus: 'committed' }));
    expect(await caught(cancelTransaction(ledger.client, { txHash: committed.txHash }))).toMatchObject({
      name: 'AlreadySettledError',
      transactionStatus: 'committed',
    });
  });
});
