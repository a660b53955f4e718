import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  encodeAddress,
  generateSeed,
  sendTransfer,
  type SignedTransfer,
  type Signer,
  signerFromKeyPair,
  signerFromSeed,
  signTransfer,
  submitTransaction,
  verifySignature,
} from '../../client/src/index.ts';
import { example } from './support/contract.ts';
import { type Answer, problem, ScriptedServer, type Seen } from './support/scripted-server.ts';
import { testClient, type TestClient } from './support/client.ts';

const server = new ScriptedServer();
let signer: Signer;
let from: string;
beforeAll(async () => {
  await server.start();
  signer = await signerFromSeed('01'.repeat(32));
  from = encodeAddress(signer.publicKey, 'txlt');
});
afterAll(() => server.stop());

const chain = { chainId: 'txledger-dev-1', addressPrefix: 'txlt' } as const;
const to: string = example('UnknownAccount').address;
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
const account = (nextNonce: number, nonce = nextNonce): Answer => ({
  status: 200,
  body: { ...example<object>('FundedAccount'), address: from, balance: '1000', available: '1000', nonce, nextNonce },
});
const accept = ({ body }: Seen): Answer => {
  const { nonce: _n, signature: _s, ...transfer } = JSON.parse(body);
  return {
    status: 202,
    body: {
      ...transfer,
      status: 'pending',
      firstSeenAt: '2026-11-21T09:30:01.250Z',
      reason: { code: 'broadcast', detail: 'It is on its way.' },
    },
  };
};
const noncesSent = (): number[] =>
  server.seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body).nonce);

describe('sending', () => {
  test('signs with the next nonce, tells the hash before anything is sent, and sends what it signed', async () => {
    server.script(account(7), accept);
    let kept: SignedTransfer | undefined;
    const sent = await sendTransfer(ledger.client, {
      signer,
      to,
      amount: 10n,
      onSigned: (signed) => {
        kept = signed;
        expect(noncesSent()).toEqual([]);
      },
    });
    expect(sent).toMatchObject({ signed: kept, replayed: false, transaction: { txHash: kept!.txHash, amount: '10' } });
    expect(kept).toEqual(await signTransfer({ signer, chain, to, amount: 10n, nonce: 7 }));
    // What was kept as JSON is the same after a restart.
    server.script(accept);
    await submitTransaction(testClient(server.baseUrl).client, { signed: JSON.parse(JSON.stringify(kept)) });
    expect(JSON.parse(server.seen[0]!.body)).toEqual(kept!.input);
  });

  test('asks the service to hold its answer, for whole seconds and at most 30', async () => {
    for (const [waitMs, prefer] of [
      [0, undefined],
      [1, 'wait=1'],
      [10_000, 'wait=10'],
      [99_000, 'wait=30'],
    ] as const) {
      server.script(accept);
      await sendTransfer(ledger.client, { signer, to, amount: 1n, nonce: 0, waitMs });
      expect(server.seen[0]!.headers['prefer']).toBe(prefer);
    }
  });

  test('asks for the chain once, and not at all when it is pinned', async () => {
    ledger = testClient(server.baseUrl);
    server.script({ status: 200, body: example('DevelopmentChain') }, account(0), accept);
    await sendTransfer(ledger.client, { signer, to, amount: 1n });
    await sendTransfer(ledger.client, { signer, to, amount: 1n });
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/chain',
      `/accounts/${from}`,
      '/transactions',
      '/transactions',
    ]);
  });

  test.each([
    ['no amount', { amount: 0n }, 'amount'],
    ['a negative amount', { amount: -1n }, 'amount'],
    ['more than 2^128 - 1', { amount: 2n ** 128n }, 'amount'],
    ['an amount that is a number', { amount: 5 as unknown as bigint }, 'amount'],
    ['a nonce past 2^53 - 1', { nonce: 2 ** 53 }, 'nonce'],
    ['a nonce with a fraction', { nonce: 0.5 }, 'nonce'],
    ['an address with a typing error', { to: to.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')) }, 'to'],
  ])('refuses before anything is sent: %s', async (_, wrong, argument) => {
    server.script(account(0));
    expect(await caught(sendTransfer(ledger.client, { signer, to, amount: 1n, nonce: 0, ...wrong }))).toMatchObject({
      name: 'InvalidArgumentError',
      argument,
    });
    expect(server.seen).toHaveLength(0);
  });

  test('refuses a receiver whose key is no point of the curve, unless the account exists', async () => {
    const lost = encodeAddress(
      Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 2 : 0)),
      'txlt',
    );
    const receiver = { ...example('UnknownAccount'), address: lost };
    server.script({ status: 200, body: receiver });
    expect(await caught(sendTransfer(ledger.client, { signer, to: lost, amount: 1n, nonce: 0 }))).toMatchObject({
      name: 'InvalidArgumentError',
      argument: 'to',
    });
    server.script({ status: 200, body: { ...receiver, balance: '1' } }, accept);
    expect(await sendTransfer(ledger.client, { signer, to: lost, amount: 1n, nonce: 0 })).toMatchObject({
      replayed: false,
    });
  });
});

describe('signers', () => {
  test('are made from new seeds, from hex and bytes alike, and from key pairs of WebCrypto', async () => {
    const seed = generateSeed();
    expect(seed).not.toEqual(generateSeed());
    const [a, b] = [await signerFromSeed(seed), await signerFromSeed(Buffer.from(seed).toString('hex'))];
    expect(a.publicKey).toEqual(b.publicKey);
    const message = new TextEncoder().encode('a message');
    expect(await a.sign(message)).toEqual(await b.sign(message));
    const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPairLike;
    const held = await signerFromKeyPair(pair);
    expect(await verifySignature(held.publicKey, message, await held.sign(message))).toBe(true);
  });

  test('held elsewhere are asked once for each transfer, and what they answer is verified', async () => {
    let asked = 0;
    const elsewhere: Signer = { publicKey: signer.publicKey, sign: async (message) => (asked++, signer.sign(message)) };
    server.script('drop', problem('store_unavailable'), accept);
    await sendTransfer(ledger.client, { signer: elsewhere, to, amount: 1n, nonce: 0 });
    expect(asked).toBe(1);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
    const wrong: Signer = { publicKey: signer.publicKey, sign: () => new Uint8Array(64) };
    server.script(accept);
    expect(await caught(sendTransfer(ledger.client, { signer: wrong, to, amount: 1n, nonce: 0 }))).toMatchObject({
      name: 'SignerError',
    });
    expect(server.seen).toHaveLength(0);
  });
});

type CryptoKeyPairLike = Parameters<typeof signerFromKeyPair>[0];

describe('nonces', () => {
  const send = (): Promise<unknown> => sendTransfer(ledger.client, { signer, to, amount: 1n });

  test('of sends at the same time differ, and the account is asked for once', async () => {
    server.script(account(5), accept);
    await Promise.all(Array.from({ length: 50 }, send));
    expect(noncesSent().sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => 5 + i));
    expect(server.seen.filter(({ method }) => method === 'GET')).toHaveLength(1);
  });

  test('that another process has taken are left to it, and the payment is signed anew', async () => {
    for (const code of ['nonce_conflict', 'nonce_too_low', 'nonce_cancelled']) {
      ledger = testClient(server.baseUrl, { chain });
      server.script(account(5), problem(code, { txHash: 'AB'.repeat(32) }), account(5), accept);
      const hashes: string[] = [];
      const sent = await sendTransfer(ledger.client, {
        signer,
        to,
        amount: 1n,
        onSigned: ({ txHash }) => void hashes.push(txHash),
      });
      expect(noncesSent()).toEqual([5, 6]);
      expect(hashes).toHaveLength(2);
      expect(sent.signed.txHash).toBe(hashes[1]);
    }
  });

  test('that the caller chose are never changed', async () => {
    server.script(problem('nonce_conflict', { txHash: 'AB'.repeat(32) }));
    expect(await caught(sendTransfer(ledger.client, { signer, to, amount: 1n, nonce: 5 }))).toMatchObject({
      name: 'NonceConflictError',
    });
  });

  test('of refused transfers are used for the next', async () => {
    server.script(account(5), problem('insufficient_funds'), accept);
    expect(await caught(send())).toMatchObject({ name: 'InsufficientFundsError' });
    await send();
    await send();
    expect(noncesSent()).toEqual([5, 5, 6]);
  });

  test('of transfers with an unknown outcome are not used for another payment', async () => {
    server.script(account(5), 'drop', problem('pool_full', {}, { 'retry-after': '100' }), accept);
    expect(await caught(send())).toMatchObject({ name: 'UnknownOutcomeError' });
    await send();
    expect(noncesSent()).toEqual([5, 5, 6]);
  });

  test('are not handed out beyond the window that the service accepts, but when blocks make room', async () => {
    server.script(account(1023, 0), accept);
    await send();
    expect(noncesSent()).toEqual([1023]);
    server.script(account(1024, 0), account(1024, 0), account(1024, 1), accept);
    await send();
    expect(noncesSent()).toEqual([1024]);
    server.script(account(1025, 1));
    expect(await caught(sendTransfer(ledger.client, { signer, to, amount: 1n, timeoutMs: 3_000 }))).toMatchObject({
      name: 'AttemptTimeoutError',
    });
  });

  test('are waited for by each send until its own deadline, also when another asked for them', async () => {
    server.script('hang');
    const abort = new AbortController();
    const patient = caught(sendTransfer(ledger.client, { signer, to, amount: 1n, timeoutMs: 1_000 }));
    const hasty = caught(sendTransfer(ledger.client, { signer, to, amount: 1n, signal: abort.signal }));
    abort.abort();
    expect(await hasty).toBe(abort.signal.reason);
    expect(await patient).toMatchObject({ name: 'AttemptTimeoutError' });
  });
});
