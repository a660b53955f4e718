/** Nothing is acknowledged before it is durable, and what failed to be stored is not acknowledged at all. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Refusal, Submitted } from '../../server/gateway/index.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../server/store/index.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, inputOf } from './support/fixture.ts';
import type { Faults } from './support/faults.ts';
import { ON_CHAIN, onFollower, ON_POSTGRES } from './support/fixture-store.ts';
import { settled } from './support/manual-clock.ts';

let fixture: Fixture;
let store: Faults;
afterEach(() => fixture.dispose());

/** Why some promises are tested in embedded-core.test.ts for chain.db. */
const WAITS = 'its commits hold up the thread, so none can be held back';

async function open(): Promise<void> {
  fixture = await Fixture.open({ faulty: true });
  store = fixture.faults;
}

onFollower.test('a submission is answered only after its commit', WAITS, async () => {
  await open();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  store.beforeCommit = () => held;
  let answer: Submitted | Refusal | undefined;
  const submitted = fixture.submit(signedTransfer()).then((value) => (answer = value));
  await settled();
  await settled();
  expect(answer).toBeUndefined();
  expect(fixture.engine.heard).toEqual([]);
  release();
  await submitted;
  expect(answer).toMatchObject({ ok: true });
});

onFollower.test('what arrives while a commit runs shares the next one', WAITS, async () => {
  await open();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  store.beforeCommit = () => held;
  const first = fixture.submit(signedTransfer({ nonce: 0 }));
  await settled();
  const writes = store.writes;
  const rest = Array.from({ length: 40 }, (_, i) => fixture.submit(signedTransfer({ nonce: i + 1 })));
  await settled();
  release();
  const answers = await Promise.all([first, ...rest]);
  expect(answers.every((answer) => answer.ok)).toBe(true);
  // The second call of the front may carry the first of the rest alone; everything else travels together.
  expect(store.writes - writes).toBeLessThanOrEqual(2);
  expect(await fixture.gateway.metrics()).toMatchObject({
    accepted_total: 41,
    group_commit_size_max: expect.any(Number),
  });
});

onFollower.test(
  'cancels that arrive while a commit runs share the next one, each with its own answer',
  WAITS,
  async () => {
    await open();
    const accepted = await Promise.all([1, 2, 3].map((nonce) => fixture.accept({ nonce })));
    const ids = [...accepted.map(({ txHash }) => txHash), 'A'.repeat(64)];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    store.beforeCommit = () => held;
    const first = fixture.gateway.cancel(ids[0] as string, ALICE, 0);
    await settled();
    const writes = store.writes;
    const rest = [...ids.slice(1), ...ids].map((id) => fixture.gateway.cancel(id, ALICE, 0));
    const strangers = ids.map((id) => fixture.gateway.cancel(id, BOB, 0));
    await settled();
    release();
    const answers = await Promise.all([first, ...rest]);
    expect(store.writes - writes).toBe(1);
    expect(answers.map((answer) => (answer.ok ? answer.transaction.txHash : answer.code))).toEqual(
      [...ids, ...ids].map((id) => (id.startsWith('AAA') ? 'not_found' : id)),
    );
    expect((await Promise.all(strangers)).map((answer) => answer.ok || answer.code)).toEqual([
      'not_submitter',
      'not_submitter',
      'not_submitter',
      'not_found',
    ]);
  },
);

test('a failed commit is refused, leaves nothing behind, and the same transfer is taken later', async () => {
  await open();
  store.beforeCommit = () => {
    throw new StoreUnavailableError('the disk is full');
  };
  const transfer = signedTransfer();
  expect(await fixture.submit(transfer)).toMatchObject({
    ok: false,
    code: 'store_unavailable',
    retryAfterS: expect.any(Number),
    txHash: transfer.hash,
  });
  expect(await fixture.gateway.get(transfer.hash)).toBeUndefined();
  expect(fixture.engine.heard).toEqual([]);
  store.beforeCommit = undefined;
  expect(await fixture.submit(transfer)).toMatchObject({ ok: true, replayed: false });
});

test('a probe of the disk whose outcome is unknown ends the gateway too', async () => {
  await open();
  store.beforeCommit = () => {
    throw new StoreOutcomeUnknownError('fsync failed', { cause: undefined, rereadable: false });
  };
  expect(await fixture.gateway.readiness()).toMatchObject({ ready: false });
  expect(fixture.fatal).toHaveLength(1);
});

test('a commit with an unknown outcome acknowledges nothing and ends the gateway', async () => {
  await open();
  store.beforeCommit = () => {
    throw new StoreOutcomeUnknownError('fsync failed', { cause: undefined, rereadable: false });
  };
  expect(await fixture.submit(signedTransfer())).toMatchObject({ ok: false });
  expect(fixture.fatal).toHaveLength(1);
  store.beforeCommit = undefined;
  expect(await fixture.submit(signedTransfer({ nonce: 1 }))).toMatchObject({ ok: false, code: 'engine_unavailable' });
  expect(await fixture.gateway.readiness()).toMatchObject({ ready: false });
});

onFollower.test(
  "a slot that another writer filled meanwhile is answered from the winner's row",
  'there is no other writer',
  async () => {
    await open();
    const store = fixture.faultyStore;
    const transfer = signedTransfer();
    await fixture.submit(transfer);
    let blind = 1;
    store.wrap = (tx) => ({ ...tx, transfersAt: async (slots) => (blind-- > 0 ? [] : await tx.transfersAt(slots)) });
    expect(await fixture.submit(transfer)).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { txHash: transfer.hash },
    });
    blind = 1;
    expect(await fixture.submit(signedTransfer({ amount: 9n }))).toMatchObject({
      ok: false,
      code: 'nonce_conflict',
      txHash: transfer.hash,
    });
  },
);

test('acknowledged transfers are there after the process was killed', async () => {
  await open();
  const accepted = await Promise.all(Array.from({ length: 30 }, (_, nonce) => fixture.accept({ nonce })));
  store.dead = true;
  fixture.engine.forget();
  await fixture.bury();
  await fixture.start();
  for (const { txHash } of accepted) expect(await fixture.status(txHash)).toBe('pending');
  await fixture.block();
  for (const { txHash } of accepted) expect(await fixture.status(txHash)).toBe('committed');
});

describe('a full disk', () => {
  // Only an SQLite file can be bounded from within.
  (ON_POSTGRES ? test.skip : test)(
    'refuses with store_unavailable, is seen by readiness, and what was acknowledged stays',
    async () => {
      fixture = await Fixture.open({ pagesMax: 60 });
      const acknowledged: string[] = [];
      let refused: Refusal | undefined;
      for (let nonce = 0; refused === undefined && nonce < 1000; nonce++) {
        const answer = await fixture.gateway.submit(inputOf(signedTransfer({ nonce, from: nonce % 10 })), ALICE);
        if (answer.ok) acknowledged.push(answer.transaction.txHash);
        else refused = answer;
      }
      expect(refused).toMatchObject({ code: 'store_unavailable' });
      expect(acknowledged.length).toBeGreaterThan(10);
      for (const hash of acknowledged) expect(await fixture.status(hash)).toBe('pending');
      expect(fixture.fatal).toEqual([]);
      expect(await fixture.gateway.readiness()).toMatchObject({ ready: false, code: 'store_unavailable' });
    },
  );
});

test('a store that cannot be read is told as such by everything that reads, and takes back no acknowledgement', async () => {
  await open();
  const { txHash } = await fixture.accept({});
  store.beforeRead = () => {
    throw new StoreUnavailableError('the file cannot be read');
  };
  const refused = { ok: false, code: 'store_unavailable', retryAfterS: expect.any(Number) };
  expect(await fixture.gateway.get(txHash)).toMatchObject(refused);
  expect(await fixture.gateway.account(devAddress(0))).toMatchObject(refused);
  expect(await fixture.gateway.list({ limit: 10 })).toMatchObject(refused);
  const token = `txl_${'a'.repeat(16)}_${'b'.repeat(64)}`;
  expect(await fixture.gateway.authenticate(token)).toMatchObject(refused);
  const waiting = fixture.gateway.waitUntilSettled(txHash, 1000);
  await fixture.clock.advance(1000);
  // The embedded engine's core has in memory what is pending.
  expect((await waiting)?.status).toBe(ON_CHAIN ? 'pending' : undefined);
  store.beforeRead = undefined;
  // Not remembered: the next request asks again.
  expect(await fixture.gateway.authenticate(token)).toBeUndefined();
  expect(await fixture.status(txHash)).toBe('pending');
});
