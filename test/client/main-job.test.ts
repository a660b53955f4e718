/** The client against the product itself: a real server on a development chain, every exchange judged by the contract. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  cancelTransaction,
  type Client,
  createClient,
  eachTransaction,
  encodeAddress,
  generateSeed,
  getAccount,
  getChain,
  getTransaction,
  listTransactions,
  sendTransfer,
  type Signer,
  signerFromSeed,
  signTransfer,
  submitTransaction,
  waitForTransaction,
} from '../../client/src/index.ts';
import { ROOT } from '../../scripts/steps.ts';
import { withDevelopmentChain } from '../e2e/support/development.ts';
import { judgedFetch } from './support/contract.ts';

const chain = withDevelopmentChain({ BLOCK_INTERVAL_MS: '200' });
const caught = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => expect('resolved').toBe('rejected'),
    (error: unknown) => error,
  );

let client: Client;
let signer: Signer;
let judged: ReturnType<typeof judgedFetch>;
beforeEach(async () => {
  judged = judgedFetch(chain().server.baseUrl);
  client = createClient({
    baseUrl: chain().server.baseUrl,
    token: chain().dev.token,
    environment: { fetch: judged.fetch },
  });
  signer = await signerFromSeed(chain().account(0).seed);
});
afterEach(() => expect(judged.faults).toEqual([]));

describe('against a running service', () => {
  test('a transfer is sent, waited for, found and listed', async () => {
    const to = chain().account(1).address;
    const before = BigInt((await getAccount(client, { address: to })).balance);
    const sent = await sendTransfer(client, { signer, to, amount: 100n, waitMs: 10_000 });
    expect(sent.transaction).toMatchObject({ txHash: sent.signed.txHash, status: 'committed' });
    const { txHash } = sent.transaction;
    const result = await waitForTransaction(client, { txHash });
    expect(result).toMatchObject({
      outcome: 'committed',
      transaction: { txHash, height: expect.any(Number), blockTime: expect.any(String) },
    });
    expect((await getTransaction(client, { txHash })).history.map(({ event }) => event)).toContain('committed');
    expect(
      (await listTransactions(client, { account: to, status: 'committed', limit: 1 })).transactions[0]!.txHash,
    ).toBe(txHash);
    expect(BigInt((await getAccount(client, { address: to })).balance)).toBe(before + 100n);
    expect((await getChain(client)).height).toBeGreaterThan(0);
    expect([...judged.operations].sort()).toEqual([
      'getAccount',
      'getChain',
      'getTransaction',
      'listTransactions',
      'submitTransaction',
    ]);
  });

  test('the same signed transfer sent again and again is one transfer', async () => {
    const { chainId, addressPrefix } = await getChain(client);
    const { nextNonce } = await getAccount(client, { address: chain().account(0).address });
    const signed = await signTransfer({
      signer,
      chain: { chainId, addressPrefix },
      to: chain().account(1).address,
      amount: 5n,
      nonce: nextNonce,
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => submitTransaction(client, { signed })));
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(all.map(({ transaction }) => transaction.txHash))).toEqual(new Set([signed.txHash]));
    expect(await waitForTransaction(client, { txHash: signed.txHash })).toMatchObject({ outcome: 'committed' });
  });

  test('a transfer that waits for its nonce is cancelled, and its nonce is void for ever', async () => {
    const poor = await signerFromSeed(chain().account(3).seed);
    const { nextNonce } = await getAccount(client, { address: chain().account(3).address });
    const sent = await sendTransfer(client, {
      signer: poor,
      to: chain().account(1).address,
      amount: 7n,
      nonce: nextNonce + 5,
    });
    expect(sent.transaction).toMatchObject({ status: 'pending', reason: { code: 'waiting_for_nonce' } });
    expect(await cancelTransaction(client, { txHash: sent.signed.txHash })).toMatchObject({
      outcome: 'cancelled',
      transaction: { status: 'cancelled' },
    });
    expect((await waitForTransaction(client, { txHash: sent.signed.txHash })).outcome).toBe('cancelled');
    expect(await submitTransaction(client, { signed: sent.signed })).toMatchObject({
      replayed: true,
      transaction: { status: 'cancelled' },
    });
    expect(
      await caught(
        sendTransfer(client, { signer: poor, to: chain().account(2).address, amount: 7n, nonce: nextNonce + 5 }),
      ),
    ).toMatchObject({ name: 'NonceCancelledError' });
  });

  test('200 sends at once from one account meet no nonce error, and all commit', async () => {
    const busy = await signerFromSeed(chain().account(4).seed);
    const to = encodeAddress((await signerFromSeed(generateSeed())).publicKey, 'txlt');
    let signatures = 0;
    const sends = Array.from({ length: 200 }, () =>
      sendTransfer(client, { signer: busy, to, amount: 1n, onSigned: () => void signatures++ }),
    );
    const hashes = (await Promise.all(sends)).map(({ transaction }) => transaction.txHash);
    expect(new Set(hashes).size).toBe(200);
    // A nonce error would have shown as a second signature.
    expect(signatures).toBe(200);
    const outcomes = await Promise.all(hashes.map((txHash) => waitForTransaction(client, { txHash })));
    expect(outcomes.filter(({ outcome }) => outcome !== 'committed')).toEqual([]);
    expect(await getAccount(client, { address: to })).toMatchObject({ balance: '200' });
    const listed = [];
    for await (const { txHash } of eachTransaction(client, { to, limit: 50 })) listed.push(txHash);
    expect(listed.sort()).toEqual([...hashes].sort());
  });

  test('two processes that send from one account recover from each other', async () => {
    const { address } = chain().account(2);
    const before = BigInt((await getAccount(client, { address })).balance);
    const run = promisify(execFile);
    const program = join(ROOT, 'test', 'client', 'support', 'two-processes.ts');
    // Amounts of their own: the same payment at the same nonce, sent by both, is one payment and no conflict.
    const results = await Promise.all(
      ['1', '2'].map((amount) =>
        run(process.execPath, [program, join(chain().server.dataDir, 'dev.json'), '60', amount]),
      ),
    );
    const hashes = results.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
    expect(new Set(hashes).size).toBe(120);
    const outcomes = await Promise.all(hashes.map((txHash) => waitForTransaction(client, { txHash })));
    expect(outcomes.filter(({ outcome }) => outcome !== 'committed')).toEqual([]);
    expect(BigInt((await getAccount(client, { address })).balance)).toBe(before + 60n * (1n + 2n));
  });

  test('what the service refuses is named by its own class', async () => {
    const to = chain().account(1).address;
    const nobody = createClient({
      baseUrl: client.baseUrl,
      token: 'txl_0000000000000000_00',
      environment: { fetch: judged.fetch },
    });
    expect(await caught(listTransactions(nobody))).toMatchObject({ name: 'UnauthenticatedError', status: 401 });
    expect(await caught(getTransaction(client, { txHash: 'AB'.repeat(32) }))).toMatchObject({
      name: 'NotFoundError',
      status: 404,
    });
    const stranger = await signerFromSeed(generateSeed());
    expect(await caught(sendTransfer(client, { signer: stranger, to, amount: 1n }))).toMatchObject({
      name: 'InsufficientFundsError',
      status: 422,
    });
    expect(await caught(sendTransfer(client, { signer, to, amount: 1n, nonce: 9_000_000 }))).toMatchObject({
      name: 'NonceTooHighError',
      status: 422,
    });
    const elsewhere = createClient({
      baseUrl: client.baseUrl,
      token: chain().dev.token,
      chain: { chainId: 'elsewhere', addressPrefix: 'txlt' },
      environment: { fetch: judged.fetch },
    });
    const error = await caught(sendTransfer(elsewhere, { signer, to, amount: 1n }));
    expect(error).toMatchObject({
      name: 'InvalidSignatureError',
      signBytes: expect.stringContaining(chain().dev.chainId),
    });
    expect(error.docsUrl).toBe(`${client.baseUrl}/docs/errors#invalid_signature`);
    expect((await fetch(error.docsUrl)).status).toBe(200);
  });
});
