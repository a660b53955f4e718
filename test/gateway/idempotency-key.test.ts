/** Idempotency-Key: which transfer a key of an owner belongs to, and that no crash and no race gives it two. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal, Refusal, Submitted } from '../../server/gateway/index.ts';
import { devSeed, signedTransfer } from '../ledger/support.ts';
import type { TransferOptions } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, inputOf } from './support/fixture.ts';
import { onFollower } from './support/fixture-store.ts';
import { signedAgain } from './support/second-signature.ts';

const KEY = '8e03978e-40d5-43e8-bc93-6894a57f9324';
/** More calls inside a write transaction than accepting a group makes. */
const STEPS_MAX = 20;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open({ faulty: true });
});
afterEach(() => fixture.dispose());

const keyed = (options: TransferOptions, key = KEY, who: Principal = ALICE): Promise<Submitted | Refusal> =>
  fixture.gateway.submit(inputOf(signedTransfer(options)), who, key);
const hashOf = (options: TransferOptions): string => signedTransfer(options).hash;
const ACCEPTED = { ok: true, replayed: false };
const REPLAYED = { ok: true, replayed: true };
const reusedFor = (options: TransferOptions): object => ({
  ok: false,
  code: 'idempotency_key_reused',
  txHash: hashOf(options),
  errors: [{ pointer: '#/header/idempotency-key' }],
});

describe('a key', () => {
  test('with the same transfer again, under the same or another signature, is a replay', async () => {
    const transfer = signedTransfer();
    expect(await keyed({})).toMatchObject(ACCEPTED);
    expect(await keyed({})).toMatchObject(REPLAYED);
    expect(await fixture.gateway.submit(inputOf(signedAgain(transfer, devSeed(0))), ALICE, KEY)).toMatchObject({
      ...REPLAYED,
      transaction: { txHash: transfer.hash },
    });
  });

  test.each<[string, TransferOptions]>([
    ['nonce', { nonce: 1 }],
    ['amount', { amount: 2n }],
    ['receiver', { to: 2 }],
    ['sender', { from: 3 }],
  ])('with a transfer of another %s is refused and names the one it belongs to', async (_, other) => {
    await keyed({});
    expect(await keyed(other)).toMatchObject(reusedFor({}));
    expect(await fixture.gateway.get(hashOf(other))).toBeUndefined();
    // What is wrong is the key: the same transfer without one is judged as ever.
    const answer = await fixture.submit(signedTransfer(other));
    expect(answer.ok || answer.code).toBe('nonce' in other || 'from' in other ? true : 'nonce_conflict');
  });

  test('belongs to its transfer whatever becomes of it, and after a restart', async () => {
    await keyed({ nonce: 0 }, 'committed');
    await fixture.block();
    await keyed({ nonce: 2 }, 'cancelled');
    const cancelling = fixture.gateway.cancel(hashOf({ nonce: 2 }), ALICE, 10_000);
    await fixture.block();
    await cancelling;
    await fixture.restart();
    expect(await keyed({ nonce: 0 }, 'committed')).toMatchObject({ ...REPLAYED, transaction: { status: 'committed' } });
    expect(await keyed({ nonce: 1 }, 'committed')).toMatchObject(reusedFor({ nonce: 0 }));
    expect(await keyed({ nonce: 2 }, 'cancelled')).toMatchObject({ ...REPLAYED, transaction: { status: 'cancelled' } });
    expect(await keyed({ nonce: 1 }, 'cancelled')).toMatchObject(reusedFor({ nonce: 2 }));
  });

  test("is its owner's alone", async () => {
    await keyed({ nonce: 0 });
    expect(await keyed({ nonce: 1 }, KEY, BOB)).toMatchObject(ACCEPTED);
    expect(await keyed({ nonce: 2 }, KEY, BOB)).toMatchObject(reusedFor({ nonce: 1 }));
    expect(await keyed({ nonce: 1 })).toMatchObject(reusedFor({ nonce: 0 }));
  });

  test('is bound by nothing but an acceptance: not by a refusal, not by a replay', async () => {
    expect(await keyed({ amount: 2n ** 100n })).toMatchObject({ code: 'insufficient_funds' });
    await fixture.submit(signedTransfer({ nonce: 0 }));
    expect(await keyed({ nonce: 0 })).toMatchObject(REPLAYED);
    expect(await keyed({ nonce: 1 })).toMatchObject(ACCEPTED);
    // A second key for the same transfer binds nothing either.
    expect(await keyed({ nonce: 1 }, 'second')).toMatchObject(REPLAYED);
    expect(await keyed({ nonce: 2 }, 'second')).toMatchObject(ACCEPTED);
  });

  test('is judged after the signature and before everything that asks for the state of the account', async () => {
    await keyed({});
    expect(
      await fixture.gateway.submit({ ...inputOf(signedTransfer({ nonce: 1 })), amount: '7' }, ALICE, KEY),
    ).toMatchObject({ code: 'invalid_signature' });
    expect(await keyed({ amount: 2n })).toMatchObject(reusedFor({}));
    expect(await keyed({ nonce: 2 ** 40 })).toMatchObject(reusedFor({}));
  });
});

describe('two requests at once with one key', () => {
  test('in one group: the first is accepted, the same again is a replay, all others are refused', async () => {
    const answers = await Promise.all([
      keyed({ nonce: 0 }),
      keyed({ nonce: 1 }),
      keyed({ nonce: 0 }),
      keyed({ nonce: 2 }),
      keyed({ nonce: 1 }, 'other'),
    ]);
    expect(answers).toMatchObject([ACCEPTED, reusedFor({ nonce: 0 }), REPLAYED, reusedFor({ nonce: 0 }), ACCEPTED]);
  });
});

describe('a process that is killed', () => {
  test('at any step has bound the key together with the transfer, or neither', async () => {
    let bound = 0;
    for (let step = 0; step <= STEPS_MAX; step += 1) {
      const [first, second] = [
        { from: 1, nonce: step * 2 },
        { from: 1, nonce: step * 2 + 1 },
      ];
      if (step === STEPS_MAX) fixture.faults.dieAfterCommit = true;
      else fixture.faults.callsLeft = step;
      await keyed(first, `key ${step}`).catch(() => undefined);
      await fixture.core.close();
      await fixture.bury();
      await fixture.start();
      const known = (await fixture.gateway.get(hashOf(first))) !== undefined;
      if (known) bound += 1;
      expect(await keyed(second, `key ${step}`)).toMatchObject(known ? reusedFor(first) : ACCEPTED);
      expect(await keyed(first, `key ${step}`)).toMatchObject(known ? REPLAYED : reusedFor(second));
    }
    // Both were seen: deaths before the commit and after it. An append to a log is one step.
    expect(bound).toBeGreaterThan(0);
    expect(bound).toBeLessThan(STEPS_MAX + 1);
  });
});

onFollower.test(
  'a transfer without a key asks the store nothing more',
  'what is asked there is the tables of a store',
  async () => {
    const faults = fixture.faultyStore;
    const asked: PropertyKey[] = [];
    faults.wrap = (tx) => new Proxy(tx, { get: (target, name) => (asked.push(name), Reflect.get(target, name)) });
    await fixture.submit(signedTransfer({ nonce: 0 }));
    const without = asked.splice(0);
    await keyed({ nonce: 1 });
    expect(without).not.toContain('transfersByKey');
    expect(asked.toSorted()).toEqual([...without, 'transfersByKey'].toSorted());
  },
);
