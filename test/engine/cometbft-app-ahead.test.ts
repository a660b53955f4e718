/** Signatures verified ahead on other threads: the same answers in the same order as one after the other, whatever comes and whatever fails. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Response } from 'cosmjs-types/tendermint/abci/types';
import {
  AHEAD_TRANSACTIONS_MIN,
  type VerifySignatures,
  VerifiedTransactions,
} from '../../server/engine/cometbft/app/verified-transactions.ts';
import { Verifiers } from '../../server/app/threads/verifiers.ts';
import { verifyStrict } from '../../server/ledger/index.ts';
import { DEV_ACCOUNTS, signedCancel, signedTransfer, TEST_CHAIN, testGenesis } from '../ledger/support.ts';
import { AppFixture } from './support/abci-app.ts';
import { requestFrame, type RequestParts } from './support/abci-client.ts';
import { realClock } from './support/real-clock.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const holds: VerifySignatures = async (checks) =>
  checks.map(({ publicKey, message, signature }) => verifyStrict(publicKey, message, signature));

function withWrongSignature(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw).toString('latin1');
  const at = text.indexOf('"signature":"') + '"signature":"'.length;
  return Buffer.from(`${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`, 'latin1');
}

/** Each account's nonces in a row, twice as many as are used at once; some with a wrong signature, some of another chain, a cancel between. */
const POOL = Array.from({ length: 120 }, (_, i) => {
  const from = i % DEV_ACCOUNTS;
  const nonce = Math.floor(i / DEV_ACCOUNTS);
  if (i % 17 === 3) return withWrongSignature(signedTransfer({ from, nonce, amount: 2n }).raw);
  if (i % 23 === 5) return signedTransfer({ from, nonce, chainId: 'other-1' }).raw;
  if (i % 29 === 7) return signedCancel({ from, nonce }).raw;
  return signedTransfer({ from, nonce, to: (from + 1) % DEV_ACCOUNTS }).raw;
});

/** Whether each of the pool is good on the state of genesis. */
const IS_GOOD = new Map(POOL.map((raw, i) => [raw, !(i % 17 === 3 || i % 23 === 5)]));

const part = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('check' as const),
      from: fc.nat(80),
      count: fc.integer({ min: 1, max: 60 }),
      recheck: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('block' as const), from: fc.nat(80), count: fc.integer({ min: 0, max: 60 }) }),
  fc.record({ kind: fc.constant('proposal' as const), from: fc.nat(80), count: fc.integer({ min: 0, max: 60 }) }),
);

describe('verified ahead', () => {
  const apps: AppFixture[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.dispose();
  });

  async function started(verifySignatures?: VerifySignatures): Promise<AppFixture> {
    const app = new AppFixture();
    apps.push(app);
    await app.start({ ...(verifySignatures && { verifySignatures }) });
    await app.initChain(testGenesis());
    return app;
  }

  test('gives every answer that comes without it, in the same order, for checks, rechecks, proposals and blocks one behind the other', async () => {
    let spread = 0;
    /** Answers late, and so between other things; fails now and then as a verifier that dies does: by having done the work itself. */
    const late: VerifySignatures = async (checks) => {
      spread += checks.length;
      await new Promise(setImmediate);
      return holds(checks);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 2, maxLength: 8 }), async (parts) => {
        const [plain, ahead] = [await started(), await started(late)];
        let height = 0n;
        const requests = parts.flatMap((each): RequestParts[] => {
          const txs = POOL.slice(each.from, each.from + each.count);
          if (each.kind === 'check')
            return [...txs.map((tx) => ({ checkTx: { tx, type: each.recheck ? 1 : 0 } })), { flush: {} }];
          if (each.kind === 'proposal')
            return [
              { prepareProposal: { txs, maxTxBytes: 100_000n, height: height + 1n } },
              { processProposal: { txs, height: height + 1n } },
            ];
          height += 1n;
          return [{ finalizeBlock: { txs, height } }, { commit: {} }];
        });
        const answersOf = async (app: AppFixture) =>
          (await app.client.all(requests)).map((answer) =>
            Buffer.from(Response.encode(answer).finish()).toString('hex'),
          );
        expect(await answersOf(ahead)).toEqual(await answersOf(plain));
        for (const app of apps.splice(0)) await app.dispose();
      }),
      { numRuns: 12 },
    );
    expect(spread).toBeGreaterThan(0);
  });

  test('a connection whose requests wait for it keeps no other waiting', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const [plain, app] = [await started(), await started(async (checks) => (await held, holds(checks)))];
    const other = await app.connect();
    const requests = POOL.slice(0, AHEAD_TRANSACTIONS_MIN).map((tx) => ({ checkTx: { tx } }));
    let answered = 0;
    const checks = Promise.all(requests.map(async () => await app.client.answer().finally(() => (answered += 1))));
    app.client.socket.write(Buffer.concat(requests.map(requestFrame)));
    expect((await other.ask({ info: {} })).info).toBeDefined();
    expect((await other.ask({ checkTx: { tx: POOL[0]! } })).checkTx!.code).toBe(0);
    expect(answered).toBe(0);
    release();
    expect(await checks).toEqual(await plain.client.all(requests));
  });

  test('what came before a malformed frame is executed, and the connection ends there', async () => {
    const app = await started(holds);
    const { client } = app;
    const good = POOL.slice(0, 2).map(() => client.answer().catch((error: unknown) => error));
    client.socket.write(
      Buffer.concat([...POOL.slice(0, 2).map((tx) => requestFrame({ checkTx: { tx } })), Buffer.from([1, 0xff])]),
    );
    await Promise.all(good);
    const again = await app.connect();
    expect((await again.ask({ info: {} })).info).toBeDefined();
    // The nonce of the second is held: it was executed.
    const other = signedTransfer({ from: 1, nonce: 0, amount: 9n }).raw;
    expect((await again.ask({ checkTx: { tx: other } })).checkTx!.log).toContain('holds this nonce');
  });
});

describe('what is verified ahead', () => {
  test('is not verified again, few are not spread, and a wrong signature is told in the same words', async () => {
    const asked: number[] = [];
    const verified = new VerifiedTransactions(TEST_CHAIN, 1_000, async (checks) => {
      asked.push(checks.length);
      return holds(checks);
    });
    expect(verified.ahead(POOL.slice(0, AHEAD_TRANSACTIONS_MIN - 1))).toBeUndefined();
    await verified.ahead(POOL);
    // Those of another chain need no signature.
    expect(asked).toEqual([POOL.filter((_, i) => i % 23 !== 5 || i % 17 === 3).length]);
    expect(verified.ahead(POOL.filter((raw) => IS_GOOD.get(raw)))).toBeUndefined();
    const plain = new VerifiedTransactions(TEST_CHAIN);
    expect(POOL.map(verified.read)).toEqual(POOL.map(plain.read));
    expect(POOL.map(verified.read)).toEqual(POOL.map(plain.read));
    expect(new VerifiedTransactions(TEST_CHAIN).ahead(POOL)).toBeUndefined();
  });
});

describe('threads that die', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-ahead-'));
  const worker = path.join(folder, 'dying.mjs');
  writeFileSync(
    worker,
    `import { parentPort } from 'node:worker_threads'; parentPort.postMessage('ready'); parentPort.on('message', () => process.exit(1));`,
  );
  const verifiers = new Verifiers({ threads: 1, clock: realClock, logger: quiet, worker: pathToFileURL(worker) });
  afterAll(async () => {
    await verifiers.close();
    rmSync(folder, { recursive: true });
  });

  test('leave their work to the thread of the application', async () => {
    const verified = new VerifiedTransactions(TEST_CHAIN, 1_000, verifiers.verify);
    const plain = new VerifiedTransactions(TEST_CHAIN);
    await verified.ahead(POOL);
    expect(POOL.map(verified.read)).toEqual(POOL.map(plain.read));
  });
});
