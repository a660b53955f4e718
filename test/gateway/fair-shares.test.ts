/** Fair shares of what may be pending: no one fills the places of others, least of all with transfers that wait behind a gap. */
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  PENDING_MAX_DEFAULT,
  PENDING_PER_OWNER_MAX_DEFAULT,
  WAITING_PER_ACCOUNT_MAX,
} from '../../server/gateway/limits.ts';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import { accepting, initialise, submission } from '../store/support/accepting.ts';
import { onEachDatabase } from '../store/support/stores.ts';
import { Group } from '../../server/gateway/accept/group.ts';
import { judge } from '../../server/gateway/accept/judge.ts';
import { takenIn } from '../../server/gateway/accept/places.ts';
import type { StoredAccount } from '../../server/store/index.ts';
import { devAddress, signedTransfer, TEST_CHAIN, TEST_CURRENCY } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, principal } from './support/fixture.ts';
import type { GroupNumbers } from '../../server/gateway/accept/group.ts';

let fixture: Fixture;
const NOTHING_OPEN = { dispose: async () => undefined } as unknown as Fixture;
afterEach(async () => {
  await fixture.dispose();
  // The tests of several gateways open none.
  fixture = NOTHING_OPEN;
});

const open = async (limits: { pendingMax?: number; pendingPerOwnerMax?: number }): Promise<void> => {
  fixture = await Fixture.open({ limits });
};
const answerOf = async (from: number, nonce: number, owner: string): Promise<string> => {
  const answer = await fixture.submit(signedTransfer({ from, nonce }), principal(owner));
  return answer.ok ? 'accepted' : answer.code;
};

describe('what waits behind a gap', () => {
  test('of ten owners leaves places for others, and is taken itself as soon as its gap is filled', async () => {
    await open({ pendingMax: 400, pendingPerOwnerMax: 40 });
    const parked: string[] = [];
    for (let owner = 0; owner < 9; owner++) {
      for (let nonce = 1; nonce <= 45; nonce++) parked.push(await answerOf(owner, nonce, `owner-${owner}`));
    }
    expect([...new Set(parked)].sort()).toEqual(['accepted', 'too_many_pending']);
    expect(parked.filter((answer) => answer === 'accepted').length).toBeLessThanOrEqual(200);
    // One who comes last: transfers that the next block takes, and even some that wait.
    expect(await answerOf(9, 0, 'late')).toBe('accepted');
    expect(await answerOf(9, 2, 'late')).toBe('accepted');
    expect(await answerOf(9, 1, 'late')).toBe('accepted');
    // The missing nonce is always taken from an owner who is not at the bound: it is what makes room again.
    expect(await answerOf(8, 0, 'owner-8')).toBe('accepted');
    await fixture.blocks(2);
    expect(await fixture.status(signedTransfer({ from: 8, nonce: 1 }).hash)).toBe('committed');
    expect(await fixture.status(signedTransfer({ from: 9, nonce: 2 }).hash)).toBe('committed');
  });

  test('of one account has a bound of its own, over restarts, and says which nonce is missing', async () => {
    await open({});
    for (let nonce = 1; nonce <= WAITING_PER_ACCOUNT_MAX; nonce++) await fixture.accept({ nonce: nonce * 2 });
    const refusal = {
      code: 'too_many_pending',
      retryAfterS: expect.any(Number),
      detail: expect.stringContaining('wait for nonce 0, the most that may wait. Submit that one first.'),
    };
    expect(await fixture.refusal({ nonce: 999 })).toMatchObject(refusal);
    await fixture.restart();
    expect(await fixture.refusal({ nonce: 999 }, BOB)).toMatchObject(refusal);
    await fixture.accept({ nonce: 0 });
    await fixture.accept({ nonce: 1 });
    // Nonce 2 runs now, so one more may wait.
    await fixture.accept({ nonce: 999 });
    expect(await fixture.refusal({ nonce: 998 })).toMatchObject({
      code: 'too_many_pending',
      detail: expect.stringContaining('wait for nonce 3,'),
    });
    // Known transfers are answered as ever.
    expect(await fixture.submit(signedTransfer({ nonce: 2 }))).toMatchObject({ ok: true, replayed: true });
  });

  test('is not what waits behind a transfer whose cancel was asked for', async () => {
    await open({ pendingMax: 60 });
    for (let nonce = 0; nonce < 5; nonce++) await fixture.accept({ nonce });
    fixture.engine.unreachable = true;
    await fixture.gateway.cancel(signedTransfer({ nonce: 0 }).hash, ALICE, 0);
    for (let nonce = 5; nonce < 10; nonce++) await fixture.accept({ nonce });
    expect(await fixture.refusal({ nonce: 11 })).toMatchObject({
      code: 'too_many_pending',
      detail: expect.stringContaining('would wait for nonce 10'),
    });
  });
});

describe('what is broadcast without a token', () => {
  test('counts as one owner, until a block settles it', async () => {
    await open({ pendingMax: 100, pendingPerOwnerMax: 3 });
    const anonymous = (from: number, nonce: number) =>
      fixture.core
        .submitGroup([{ ...submissionOf(from, nonce), owner: undefined }])
        .then(([answer]) => (answer?.ok === true ? 'accepted' : answer?.code));
    const answers: (string | undefined)[] = [];
    for (let from = 0; from < 5; from++) answers.push(await anonymous(from, 0));
    expect(answers).toEqual(['accepted', 'accepted', 'accepted', 'too_many_pending', 'too_many_pending']);
    await fixture.restart();
    expect(await anonymous(5, 0)).toBe('too_many_pending');
    await fixture.block();
    expect(await anonymous(5, 0)).toBe('accepted');
  });
});

function submissionOf(from: number, nonce: number) {
  const { tx, hash } = signedTransfer({ from, nonce });
  return { from: tx.from, to: tx.to, amount: tx.amount, nonce, signature: tx.signature, txHash: hash };
}

onEachDatabase('shares of several gateways on one store', (fresh) => {
  test('are counted in the store, whichever gateway is asked', async () => {
    const database = await fresh();
    const stores = [await database.open(), await database.open()] as const;
    try {
      await initialise(stores[0]);
      const limits = { pendingMax: 40, pendingPerOwnerMax: 40 };
      const ask = async (gateway: 0 | 1, from: number, nonce: number, owner: string) => {
        const { judgements } = await acceptGroup({ ...accepting(stores[gateway]), limits }, [
          { ...submission(from, nonce), owner },
        ]);
        return judgements[0]?.kind;
      };
      const taken: (string | undefined)[] = [];
      for (let i = 0; i < 30; i++) taken.push(await ask((i % 2) as 0 | 1, i % 3, 1 + Math.floor(i / 3), 'greedy'));
      // Half of the places are for all that wait, and an owner has a quarter of those that are free: of 20, 4 and then 16.
      expect(taken.filter((kind) => kind === 'accepted')).toHaveLength(4);
      expect(await ask(1, 5, 0, 'modest')).toBe('accepted');
      expect(await ask(0, 5, 2, 'modest')).toBe('accepted');
      expect(await ask(0, 0, 0, 'greedy')).toBe('accepted');
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await database.remove();
    }
  });
});

function numbersFrom(first: number): GroupNumbers {
  let [next, pending] = [first, 0];
  const take = (): number => next++;
  return {
    get pending() {
      return pending;
    },
    takeSeq: take,
    takeAccountId: take,
    takeOwnerId: take,
    addPending: (_from, count) => void (pending += count),
  };
}

describe('for whatever owners do', () => {
  const LIMITS = { pendingMax: 200, pendingPerOwnerMax: 25 };
  const accounts: StoredAccount[] = Array.from({ length: 10 }, (_, id) => ({
    id,
    address: devAddress(id),
    onChain: true,
    balance: 10n ** 9n,
    nonce: 0,
    voids: 0n,
    reserved: 0n,
  }));
  const newGroup = () =>
    new Group(
      {
        numbers: numbersFrom(1),
        follower: { chainId: '', genesisHash: '', height: 0, hash: '', blockTimeMs: 0, uptimeMs: 0, verifiedHeight: 0 },
        accounts,
        transfers: [],
        keyed: [],
        bindings: [],
        owners: [],
        taken: () => undefined,
      },
      { nowMs: 0, believedMs: 0, uptimeMs: 0 },
    );

  test('an owner who has nothing pending is taken, what waits leaves half of the places, and no bound is passed', () => {
    fixture = NOTHING_OPEN;
    const step = fc.record({ owner: fc.nat(11), account: fc.nat(8), nonce: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 150 }), (steps) => {
        const group = newGroup();
        const nonces = new Map<number, Set<number>>();
        for (const { owner, account, nonce } of steps) {
          const before = group.pending;
          const { free } = group.placesOf(accounts[account]!);
          const { kind } = judge(
            group,
            { ...submission(account, nonce), owner: `owner-${owner}` },
            { ...TEST_CHAIN, openingMinimum: 1n, currency: TEST_CURRENCY },
            LIMITS,
          );
          if (kind === 'accepted') {
            nonces.set(account, (nonces.get(account) ?? new Set()).add(nonce));
            if (nonce > free) expect(before).toBeLessThan(LIMITS.pendingMax / 2);
          }
          const taken = nonces.get(account) ?? new Set();
          let lowest = 0;
          while (taken.has(lowest)) lowest += 1;
          // What is counted step by step is what counting all of it again gives.
          const runs = [...taken].map((first) => ({ fromId: account, first, count: 1 }));
          const anew = takenIn(accounts[account]!, runs);
          const places = group.placesOf(accounts[account]!);
          expect([places.free, places.waiting]).toEqual([lowest, [...taken].filter((held) => held > lowest).length]);
          expect([anew.free, anew.waiting]).toEqual([places.free, places.waiting]);
          expect(group.pendingOf(`owner-${owner}`)).toBeLessThanOrEqual(LIMITS.pendingPerOwnerMax);
        }
        expect(group.pending).toBeLessThan(LIMITS.pendingMax);
        expect(
          judge(
            group,
            { ...submission(9, 0), owner: 'newcomer' },
            { ...TEST_CHAIN, openingMinimum: 1n, currency: TEST_CURRENCY },
            LIMITS,
          ).kind,
        ).toBe('accepted');
      }),
      { numRuns: 40 },
    );
  });

  test('the bounds that are set where nothing is said leave a lone owner all that one may have', () => {
    fixture = NOTHING_OPEN;
    expect(PENDING_PER_OWNER_MAX_DEFAULT).toBeLessThanOrEqual(PENDING_MAX_DEFAULT / 5);
  });
});
