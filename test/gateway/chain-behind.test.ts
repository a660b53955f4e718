/** What is asked of a service while chain.db does not have yet what the log has: nothing goes back, and nothing is paid twice. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import type { TransactionDetail } from '../../server/gateway/types.ts';
import { ThreadReads } from '../../server/app/threads/thread-reads.ts';
import { chance } from '../client/chaos/chance.ts';
import { encodeAddress, publicKeyOfSeed } from '../../server/ledger/index.ts';
import { DEV_BALANCE, devAddress, devSeed, signedTransfer, testGenesis } from '../ledger/support.ts';
import type { VirtualClock } from '../engine/support/virtual-clock.ts';
import { inputOf } from './support/fixture.ts';
import { type HeldChain, openHeldChain } from './support/held-chain.ts';
import { signedAgain } from './support/second-signature.ts';
import type { EmbeddedGateway } from './support/embedded-gateway.ts';

const BLOCK_MS = 1000;
const genesis = testGenesis();
const ALICE = { owner: 'alice', tokenId: 'token', scopes: [] };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let held: HeldChain;
let running: EmbeddedGateway;
let clock: VirtualClock;
let reads: ThreadReads;

beforeEach(async () => {
  held = await openHeldChain(BLOCK_MS);
  ({ running, clock } = held);
  reads = held.reads();
});

afterEach(() => held.close());

const submit = (tx: Parameters<typeof signedTransfer>[0], key?: string) =>
  running.gateway.submit(inputOf(signedTransfer(tx)), ALICE, key);

/** Two payments in a block that chain.db does not have. */
async function paidBehind(): Promise<string> {
  held.hold();
  expect(await submit({ from: 0, to: 9, nonce: 0, amount: 5n }, 'key-1')).toMatchObject({ ok: true, replayed: false });
  await submit({ from: 1, to: 9, nonce: 0, amount: 1n });
  await clock.advance(BLOCK_MS);
  expect(running.ledger.engine.tip.height).toBeGreaterThan(held.height);
  return signedTransfer({ from: 0, to: 9, nonce: 0, amount: 5n }).hash;
}

test('a payment of a block that chain.db does not have is found, by its bytes, its key, its place and its hash', async () => {
  const hash = await paidBehind();
  expect(await running.ledger.core.metrics()).toMatchObject({ index_behind_transfers: 2 });
  for (const atEnd of [false, true]) {
    if (atEnd) held.go();
    expect(await submit({ from: 0, to: 9, nonce: 0, amount: 5n }, 'key-1')).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { txHash: hash, status: 'committed' },
    });
    expect(await submit({ from: 0, to: 9, nonce: 1, amount: 5n }, 'key-1')).toMatchObject({
      ok: false,
      code: 'idempotency_key_reused',
    });
    expect(await submit({ from: 0, to: 8, nonce: 0, amount: 6n })).toMatchObject({ ok: false, code: 'nonce_conflict' });
    expect(await running.gateway.cancel(hash, ALICE, 0)).toMatchObject({ ok: false, code: 'already_settled' });
    expect(await running.gateway.waitUntilSettled(hash, 0)).toMatchObject({ txHash: hash, status: 'committed' });
  }
  expect(await running.ledger.core.metrics()).toMatchObject({ index_behind_transfers: 0 });
});

test('a block that chain.db does not have is read from memory, and its transactions are found', async () => {
  const hash = await paidBehind();
  const { height } = running.ledger.engine.tip;
  const asked = async () => [
    await running.ledger.engine.rpc('block', { height }),
    await running.ledger.engine.rpc('commit', { height }),
    await running.ledger.engine.rpc('block_results', { height }),
    await running.ledger.engine.rpc('tx', { hash: Buffer.from(hash, 'hex') }),
  ];
  const before = await asked();
  expect(before.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  held.go();
  expect(await asked()).toEqual(before);
});

test('reads show what the block decided, and what came behind it, before chain.db has either', async () => {
  const hash = await paidBehind();
  await submit({ from: 0, to: 9, nonce: 1, amount: 7n });
  for (const atEnd of [false, true]) {
    if (atEnd) held.go();
    expect(await reads.get(hash)).toMatchObject({ txHash: hash, status: 'committed' });
    expect(await reads.account(devAddress(0))).toMatchObject({
      balance: (DEV_BALANCE - 5n).toString(),
      available: (DEV_BALANCE - 12n).toString(),
      nonce: 1,
      nextNonce: 2,
    });
    expect(await reads.list({ limit: 5 })).toMatchObject({
      transactions: [{ status: 'pending' }, { status: 'committed' }, { status: 'committed' }],
    });
  }
});

test('a payment that a block executed under its second signature is found by either hash before chain.db has the block', async () => {
  held.hold();
  const signed = signedTransfer({ from: 0, to: 9, nonce: 0, amount: 5n });
  const again = signedAgain(signed, devSeed(0));
  await running.ledger.engine.broadcast([{ raw: again.raw }]);
  expect(await running.gateway.submit(inputOf(signed), ALICE)).toMatchObject({ ok: true });
  await clock.advance(BLOCK_MS);
  for (const atEnd of [false, true]) {
    if (atEnd) held.go();
    for (const hash of [signed.hash, again.hash])
      expect(await reads.get(hash)).toMatchObject({
        txHash: signed.hash,
        executedAs: again.hash,
        status: 'committed',
      });
  }
});

test('events and lists by status wait for the block that was shown, and for no later one', async () => {
  await paidBehind();
  const asked = [reads.events({ limit: 5, order: 'desc' }), reads.list({ limit: 5, status: 'committed' })];
  let isAnswered = false;
  void Promise.race(asked.map((answer) => Promise.resolve(answer))).then(() => (isAnswered = true));
  await submit({ from: 0, to: 9, nonce: 1, amount: 7n });
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  const { height } = running.ledger.engine.tip;
  held.go();
  held.hold();
  await clock.advance(BLOCK_MS);
  const [events, list] = await Promise.all(asked);
  expect(events).toMatchObject({ events: [{ height }, { height }] });
  expect(list).toMatchObject({ transactions: { length: 2 } });
});

/** Whatever blocks did, reads say the same before and after chain.db has it. */
test('no read tells whether chain.db has a block', async () => {
  const random = chance(7);
  const pick = (count: number): number => Math.floor(random() * count);
  const nonces = Array.from({ length: 8 }, () => 0);
  const hashes: string[] = [];
  const newcomers = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) =>
    encodeAddress(publicKeyOfSeed(Buffer.alloc(32, letter)), genesis.addressPrefix),
  );
  for (let round = 0; round < 40; round += 1) {
    held.hold();
    for (let block = 0; block < 1 + pick(3); block += 1) {
      for (let count = pick(6); count > 0; count -= 1) {
        const from = pick(nonces.length);
        const nonce = (nonces[from] ?? 0) + (random() < 0.15 ? 1 : 0);
        const receiver = newcomers[pick(newcomers.length)] as string;
        const transfer = signedTransfer({
          from,
          to: random() < 0.3 ? receiver : pick(10),
          nonce,
          amount: random() < 0.1 ? DEV_BALANCE * 2n : BigInt(1 + pick(50)),
          ...(random() < 0.3 && { reference: `order ${pick(5)}` }),
        });
        const kind = random();
        if (kind < 0.2) await running.ledger.engine.broadcast([{ raw: transfer.raw }]);
        else {
          const key = random() < 0.2 ? `key ${round}` : undefined;
          const answer = await running.gateway.submit(inputOf(transfer), ALICE, key);
          if (!answer.ok) continue;
        }
        // Another payment takes the place of one that waits for the nonce before it.
        if (nonce > (nonces[from] ?? 0) && random() < 0.5) {
          for (const at of [nonce - 1, nonce])
            await running.ledger.engine.broadcast([
              { raw: signedTransfer({ from, to: 3, nonce: at, amount: 99n }).raw },
            ]);
          nonces[from] = nonce + 1;
        }
        if (nonce === nonces[from]) nonces[from] = nonce + 1;
        hashes.push(transfer.hash);
        if (random() < 0.15) void running.gateway.cancel(transfer.hash, ALICE, 0);
      }
      await clock.advance(BLOCK_MS);
    }
    const before = await everythingRead(hashes);
    held.go();
    expect(await everythingRead(hashes)).toEqual(before);
  }
  const seen = new Set((await everythingRead(hashes)).found.flatMap((one) => one?.status ?? []));
  expect([...seen].sort()).toEqual(['cancelled', 'committed', 'failed', 'pending']);
});

async function everythingRead(hashes: readonly string[]) {
  const lists = [];
  for (const query of [
    {},
    { account: devAddress(1) },
    { from: devAddress(2) },
    { reference: 'order 1' },
    { from: devAddress(0), nonce: 1 },
  ])
    lists.push(await reads.list({ limit: 20, ...query }));
  const found = [];
  for (const hash of hashes) found.push((await reads.get(hash)) as TransactionDetail | undefined);
  const accounts = [];
  for (let account = 0; account < 10; account += 1) accounts.push(await reads.account(devAddress(account)));
  return { lists, found, accounts };
}

test('a read that waits for too long is told so, and payments go on', async () => {
  await paidBehind();
  const impatient = new ThreadReads({
    chain: { file: join(held.folder, 'chain.db'), commits: held.memory },
    chainId: genesis.chainId,
    logger: silent,
    waitMsMax: 1,
  });
  expect(await impatient.events({ limit: 5, order: 'desc' })).toMatchObject({ ok: false, code: 'store_unavailable' });
  impatient.close();
  expect(await submit({ from: 2, to: 9, nonce: 0 })).toMatchObject({ ok: true });
});
