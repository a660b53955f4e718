/**
 * The promises of the embedded engine's core where it keeps them in a way of its own: one commit of the journal before an answer, one
 * transaction for a block and all that it settles, and a start that goes on from exactly what was on disk.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { accessIn, createAdministration } from '../../server/gateway/index.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../server/store/index.ts';
import {
  DEV_BALANCE,
  devAddress,
  devSeed,
  operatorAddress,
  signedGovernance,
  signedTransfer,
} from '../ledger/support.ts';
import type { FaultyDatabase } from './support/faulty-database.ts';
import { ALICE, BOB, Fixture, inputOf } from './support/fixture.ts';
import { settled } from './support/manual-clock.ts';
import { signedAgain } from './support/second-signature.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open({ core: 'embedded', faulty: true });
});
afterEach(() => fixture.dispose());

const faults = (): FaultyDatabase => fixture.faults as FaultyDatabase;
const hashOf = (nonce: number): string => signedTransfer({ nonce }).hash;
const trail = () =>
  createAdministration(accessIn(fixture.admin), {
    clock: fixture.clock,
    random: { bytes: (n) => new Uint8Array(n) },
    actor: 'user:ann@desk',
  }).audit({ after: 0, limit: 100 });

/** More statements than a block of these tests has. */
const STEPS_MAX = 200;

/** The process was killed and starts again. */
async function kill(): Promise<void> {
  faults().dead = true;
  await fixture.bury();
  fixture.fatal.length = 0;
  await fixture.start();
}

/** What is written of a block is first its entry in the log, and then its rows in chain.db. */
const BEFORE_THE_ENTRY = 0;
const BEHIND_THE_ENTRY = 1;

/** A block that dies after so many steps of what is written. False when it did not come so far. */
async function dieInBlock(steps: number, outsiders: readonly Uint8Array[] = []): Promise<boolean> {
  if (steps > STEPS_MAX) throw new Error('this block is never written');
  await settled();
  faults().callsLeft = steps;
  const died = await fixture.block({ outsiders }).then(
    () => false,
    () => true,
  );
  if (died) await kill();
  return died;
}

describe('an answer', () => {
  test('comes after its commit, and only then anything is broadcast', async () => {
    let answered = false;
    const atCommit: { answered: boolean; heard: number }[] = [];
    faults().beforeCommit = () => void atCommit.push({ answered, heard: fixture.engine.heard.length });
    await fixture.submit(signedTransfer()).then(() => (answered = true));
    await settled();
    expect(atCommit).toEqual([{ answered: false, heard: 0 }]);
    expect(fixture.engine.heard).toHaveLength(1);
  });

  test('shares its commit with all that came in the same turn, of transfers and of cancels', async () => {
    const before = faults().writes;
    const accepted = await Promise.all(Array.from({ length: 40 }, (_, nonce) => fixture.accept({ nonce })));
    expect(faults().writes - before).toBeLessThanOrEqual(2);
    const ids = [...accepted.slice(1, 4).map(({ txHash }) => txHash), 'A'.repeat(64)];
    const writes = faults().writes;
    const answers = await Promise.all([...ids, ...ids].map((id) => fixture.gateway.cancel(id, ALICE, 0)));
    const strangers = await Promise.all(ids.map((id) => fixture.gateway.cancel(id, BOB, 0)));
    expect(faults().writes - writes).toBe(1);
    expect(answers.map((answer) => (answer.ok ? answer.transaction.txHash : answer.code))).toEqual(
      [...ids, ...ids].map((id) => (id.startsWith('AAA') ? 'not_found' : id)),
    );
    expect(strangers.map((answer) => answer.ok || answer.code)).toEqual([
      'not_submitter',
      'not_submitter',
      'not_submitter',
      'not_found',
    ]);
  });

  test('writes one row of the journal for a group, and nothing else while a client waits', async () => {
    faults().ran = [];
    await Promise.all([fixture.accept({ nonce: 0 }), fixture.accept({ nonce: 1 })]);
    expect(faults().ran?.filter((text) => !/^(SELECT|PRAGMA)/i.test(text.trim()))).toEqual([
      expect.stringMatching(/^INSERT INTO log/),
    ]);
  });
});

describe('a group whose commit may have been made', () => {
  test.each(['a transfer', 'a cancel'])('is kept by no block until it was read again: %s', async (what) => {
    const parked = await fixture.accept({ nonce: 5 });
    faults().beforeCommit = () => {
      throw new StoreOutcomeUnknownError('fsync failed', { cause: undefined, rereadable: false });
    };
    if (what === 'a transfer')
      expect(await fixture.submit(signedTransfer({ nonce: 6 }))).toMatchObject({
        ok: false,
        code: 'store_unavailable',
      });
    else await expect(fixture.gateway.cancel(parked.txHash, ALICE, 0)).rejects.toThrow('unknown');
    faults().beforeCommit = undefined;
    expect(fixture.fatal).toHaveLength(1);
    // It is in the journal by now, which a block would empty.
    await expect(fixture.block()).rejects.toThrow('no block is written after this');
    await kill();
    if (what === 'a transfer') expect(await fixture.status(hashOf(6))).toBe('pending');
    else expect(await fixture.detail(parked.txHash)).toMatchObject({ reason: { code: 'cancel_requested' } });
  });
});

test('after a commit that may have been made nothing else is taken, whatever waits already', async () => {
  const parked = await fixture.accept({ nonce: 5 });
  let commits = 0;
  faults().beforeCommit = () => {
    commits += 1;
    if (commits === 1) throw new StoreOutcomeUnknownError('fsync failed', { cause: undefined, rereadable: false });
  };
  const { core } = fixture;
  const { tx, hash } = signedTransfer({ nonce: 6 });
  const [submitted, cancelled] = await Promise.all([
    core.submitGroup([{ ...tx, txHash: hash, owner: 'alice' }]),
    core.cancel(parked.txHash, ALICE, { id: 1, ms: 0 }),
  ]);
  expect(submitted).toMatchObject([{ ok: false, code: 'store_unavailable' }]);
  expect(cancelled).toMatchObject({ ok: false, code: 'engine_unavailable' });
  expect(commits).toBe(1);
});

test('a probe of the disk whose outcome is unknown ends the process too: what is committed behind it could be lost with it', async () => {
  faults().beforeCommit = () => {
    throw new StoreOutcomeUnknownError('fsync failed', { cause: undefined, rereadable: false });
  };
  expect(await fixture.gateway.readiness()).toMatchObject({ ready: false });
  faults().beforeCommit = undefined;
  expect(fixture.fatal).toHaveLength(1);
  expect(await fixture.submit(signedTransfer())).toMatchObject({ ok: false, code: 'engine_unavailable' });
});

describe('a block', () => {
  test('that dies before its entry is durable leaves nothing of it, and everything that was there before', async () => {
    const outsider = signedTransfer({ from: 2, to: 3, nonce: 0, amount: 4n });
    await fixture.accept({ nonce: 0, amount: 5n });
    await fixture.accept({ nonce: 2 });
    await fixture.gateway.cancel(hashOf(2), ALICE, 0);
    expect(await dieInBlock(BEFORE_THE_ENTRY, [outsider.raw])).toBe(true);
    expect(fixture.engine.height).toBe(0);
    expect(await fixture.status(signedTransfer({ nonce: 0, amount: 5n }).hash)).toBe('pending');
    expect(await fixture.detail(hashOf(2))).toMatchObject({ status: 'pending', reason: { code: 'cancel_requested' } });
    expect(await fixture.status(outsider.hash)).toBeUndefined();
    expect(await fixture.gateway.account(devAddress(0))).toMatchObject({
      balance: DEV_BALANCE.toString(),
      nonce: 0,
      nextNonce: 1,
    });
    expect(await fixture.gateway.metrics()).toMatchObject({ pending: 2, cancel_outbox: 1, follower_height: 0 });
  });

  test('that dies at any step behind its entry is written into chain.db by the next start, with all that it settled', async () => {
    for (let deaths = 1; ; deaths += 1) {
      const place = { nonce: deaths - 1, amount: 5n };
      const outsider = signedTransfer({ from: 2, to: 3, ...place });
      const parked = { from: 4, nonce: 2 * deaths };
      await fixture.accept(place);
      await fixture.accept(parked);
      await fixture.gateway.cancel(signedTransfer(parked).hash, ALICE, 0);
      const died = await dieInBlock(deaths, [outsider.raw]);
      expect(fixture.engine.height).toBe(deaths);
      expect(await fixture.status(signedTransfer(place).hash)).toBe('committed');
      expect(await fixture.status(outsider.hash)).toBe('committed');
      expect(await fixture.status(signedTransfer(parked).hash)).toBe('cancelled');
      expect(await fixture.gateway.account(devAddress(0))).toMatchObject({
        balance: (DEV_BALANCE - 5n * BigInt(deaths)).toString(),
        nonce: deaths,
      });
      expect(await fixture.gateway.metrics()).toMatchObject({ pending: 0, follower_height: deaths });
      if (died) continue;
      // The block itself, its accounts and three transfers with four indexes each.
      expect(deaths).toBeGreaterThan(20);
      return;
    }
  });

  test('that is on disk when the process dies is executed and settled, once', async () => {
    await fixture.accept({ nonce: 0, amount: 5n });
    await settled();
    faults().dieAfterCommit = true;
    await expect(fixture.block()).rejects.toThrow(StoreOutcomeUnknownError);
    await kill();
    expect(fixture.engine.height).toBe(1);
    await fixture.clock.advance(20_000);
    await fixture.block();
    expect(await fixture.detail(signedTransfer({ nonce: 0, amount: 5n }).hash)).toMatchObject({
      status: 'committed',
      height: 1,
    });
    expect(await fixture.gateway.account(devAddress(0))).toMatchObject({
      balance: (DEV_BALANCE - 5n).toString(),
      nonce: 1,
    });
    expect(fixture.engine.committed.flatMap(({ transactions }) => transactions)).toHaveLength(1);
  });

  test('that cannot be written is the last thing that is answered from memory, and nothing of it is answered', async () => {
    const { txHash } = await fixture.accept({ nonce: 0 });
    const parked = await fixture.accept({ nonce: 3 });
    const waiting = fixture.gateway.waitUntilSettled(txHash, 30_000);
    const cancelling = fixture.gateway.cancel(parked.txHash, ALICE, 30_000);
    await settled();
    faults().beforeCommit = () => {
      throw new StoreUnavailableError('the disk is full');
    };
    await expect(fixture.block()).rejects.toThrow(StoreUnavailableError);
    faults().beforeCommit = undefined;
    expect(await waiting).toBeUndefined();
    expect(await cancelling).toMatchObject({ ok: false, code: 'engine_unavailable' });
    expect(await fixture.submit(signedTransfer({ nonce: 0 }))).toMatchObject({ ok: false, code: 'engine_unavailable' });
    expect(await fixture.gateway.cancel(parked.txHash, ALICE, 0)).toMatchObject({
      ok: false,
      code: 'engine_unavailable',
    });
    expect(await fixture.gateway.readiness()).toMatchObject({ ready: false, code: 'engine_unavailable' });
    // Reads are of the disk.
    for (const hash of [txHash, parked.txHash]) expect(await fixture.status(hash)).toBe('pending');
    await kill();
    await fixture.block();
    expect([await fixture.status(txHash), await fixture.status(parked.txHash)]).toEqual(['committed', 'cancelled']);
  });

  test('writes with it when a transfer was first broadcast, which is history only', async () => {
    const events = async () => (await fixture.detail(hashOf(0)))?.history.map(({ event }) => event);
    fixture.engine.fate = () => 'lose';
    await fixture.accept({ nonce: 0 });
    await settled();
    const broadcastAt = fixture.clock.nowMs();
    await fixture.clock.advance(2000);
    expect(await events()).toEqual(['accepted']);
    await fixture.block();
    expect(await events()).toEqual(['accepted', 'broadcast']);
    const [, broadcast] = (await fixture.detail(hashOf(0)))?.history ?? [];
    expect(broadcast).toMatchObject({ atMs: broadcastAt });
    await fixture.clock.advance(30_000);
    await fixture.block();
    expect((await fixture.detail(hashOf(0)))?.history[1]).toEqual(broadcast);
  });

  test('has its governance in the audit trail, or is not made', async () => {
    const { raw } = signedGovernance({ subject: operatorAddress(1) });
    expect(await dieInBlock(BEFORE_THE_ENTRY, [raw])).toBe(true);
    expect(await trail()).toEqual([]);
    expect(fixture.engine.ledger.governance().cancellers).not.toContain(operatorAddress(1));
    expect(await dieInBlock(BEHIND_THE_ENTRY, [raw])).toBe(true);
    expect(await trail()).toMatchObject([{ action: 'governance.commit', details: { height: 1, code: 0 } }]);
    expect(fixture.engine.ledger.governance().cancellers).toContain(operatorAddress(1));
  });

  test('moves an Idempotency-Key with its transfer, at whatever step it dies', async () => {
    for (let steps = 0; ; steps += 1) {
      const nonce = steps;
      const key = `key ${steps}`;
      const first = signedTransfer({ nonce });
      const keyed = (at: number) => fixture.gateway.submit(inputOf(signedTransfer({ nonce: at })), ALICE, key);
      await keyed(nonce);
      const died = await dieInBlock(steps);
      expect(await keyed(nonce)).toMatchObject({
        ok: true,
        replayed: true,
        transaction: { txHash: first.hash, status: steps === BEFORE_THE_ENTRY ? 'pending' : 'committed' },
      });
      expect(await keyed(nonce + 1)).toMatchObject({
        ok: false,
        code: 'idempotency_key_reused',
        txHash: first.hash,
      });
      if (!died) return;
    }
  });
});

describe('a start', () => {
  test.each(['the journal', 'rows'])(
    'goes on with what was pending in %s: its money, its place, its owner and its cancel',
    async (where) => {
      await fixture.dispose();
      fixture = await Fixture.open({ core: 'embedded', faulty: true, limits: { pendingPerOwnerMax: 2 } });
      fixture.engine.fate = () => 'lose';
      await fixture.accept({ nonce: 0, amount: DEV_BALANCE - 1n });
      await fixture.accept({ from: 1, nonce: 7 });
      if (where === 'rows') await fixture.block();
      const parked = signedTransfer({ from: 1, nonce: 7 }).hash;
      await fixture.gateway.cancel(parked, ALICE, 0);
      await kill();
      expect(await fixture.refusal({ nonce: 1, amount: 2n }, BOB)).toMatchObject({ code: 'insufficient_funds' });
      expect(await fixture.refusal({ from: 2, nonce: 0 })).toMatchObject({ code: 'too_many_pending' });
      expect(await fixture.refusal({ from: 1, nonce: 7, amount: 3n }, BOB)).toMatchObject({
        code: 'nonce_conflict',
        txHash: parked,
      });
      expect(await fixture.detail(parked)).toMatchObject({ status: 'pending', reason: { code: 'cancel_requested' } });
      fixture.engine.fate = () => 'take';
      await fixture.clock.advance(20_000);
      await fixture.block();
      expect(await fixture.status(parked)).toBe('cancelled');
      expect(await fixture.status(signedTransfer({ nonce: 0, amount: DEV_BALANCE - 1n }).hash)).toBe('committed');
      await fixture.accept({ from: 2, nonce: 0 });
    },
  );

  test('answers the same transfer with its Idempotency-Key as it is by then', async () => {
    fixture.engine.fate = () => 'lose';
    const keyed = () => fixture.gateway.submit(inputOf(signedTransfer({ nonce: 0 })), ALICE, 'the key');
    await keyed();
    await fixture.block();
    await fixture.gateway.cancel(hashOf(0), ALICE, 0);
    await kill();
    expect(await keyed()).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { reason: { code: 'cancel_requested' } },
    });
  });

  test('sees transfers in the order in which it saw them, over kills with all of them in the journal', async () => {
    fixture.engine.fate = () => 'lose';
    for (let nonce = 0; nonce < 6; nonce++) {
      await fixture.accept({ nonce });
      await kill();
    }
    const order = async () => {
      const page = await fixture.gateway.list({ limit: 100 });
      return page.ok ? page.transactions.map(({ txHash }) => txHash) : [];
    };
    const newestFirst = [5, 4, 3, 2, 1, 0].map(hashOf);
    expect(await order()).toEqual(newestFirst);
    await fixture.block();
    await kill();
    expect(await order()).toEqual(newestFirst);
  });

  test.each(['the journal', 'rows'])(
    'finds under either hash what was executed under another signature, though it was in %s',
    async (where) => {
      fixture.engine.fate = () => 'lose';
      const mine = signedTransfer({ nonce: 0 });
      const theirs = signedAgain(mine, devSeed(0));
      await fixture.submit(mine);
      if (where === 'rows') await fixture.block();
      await fixture.block({ outsiders: [theirs.raw] });
      await kill();
      for (const hash of [mine.hash, theirs.hash])
        expect(await fixture.detail(hash)).toMatchObject({
          txHash: mine.hash,
          status: 'committed',
          executedAs: theirs.hash,
        });
    },
  );
});
