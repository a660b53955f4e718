/** What an account can spend and what holds up its transfers: always of one moment, for one account and for many. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AccountsView, AccountView } from '../../server/gateway/types.ts';
import { ACCOUNTS_MAX, GAPS_MAX, WAITING_PER_ACCOUNT_MAX } from '../../server/gateway/limits.ts';
import { accountView } from '../../server/gateway/account-view.ts';
import { encodeAddress, NONCE_WINDOW, publicKeyOfSeed } from '../../server/ledger/index.ts';
import { DEV_ACCOUNTS, DEV_BALANCE, devAddress, devSeed, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture, START_MS } from './support/fixture.ts';
import { BLOCK_MS } from './support/test-engine.ts';
import { Random } from './support/random.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

async function account(i = 0): Promise<AccountView> {
  const found = await fixture.gateway.account(devAddress(i));
  if (!found.ok) throw new Error(found.detail);
  return found;
}

async function accounts(addresses: readonly string[]): Promise<AccountsView> {
  const found = await fixture.gateway.accounts(addresses);
  if (!found.ok) throw new Error(found.detail);
  return found;
}

const READS_A_BLOCK = 10;
const DEV_ADDRESSES = Array.from({ length: DEV_ACCOUNTS }, (_, i) => devAddress(i));
/** What `available` and `pendingOut` are with so much pending and so much spent. */
const spendable = (pending: bigint, spent = 0n): object => ({
  balance: (DEV_BALANCE - spent).toString(),
  available: (DEV_BALANCE - spent - pending).toString(),
  pendingOut: pending.toString(),
});

describe('what an account can spend', () => {
  test('is its balance less what is pending, a requested cancel included, until a block decides', async () => {
    expect(await account()).toMatchObject(spendable(0n));
    await fixture.accept({ nonce: 0, amount: 5n });
    const waiting = await fixture.accept({ nonce: 2, amount: 7n });
    expect(await account()).toMatchObject(spendable(12n));
    await fixture.gateway.cancel(waiting.txHash, ALICE, 0);
    expect(await account()).toMatchObject(spendable(12n));
    await fixture.block();
    expect(await account()).toMatchObject(spendable(0n, 5n));
    // What is on its way here does not count.
    await fixture.accept({ from: 1, to: 0, amount: 100n });
    expect(await account()).toMatchObject(spendable(0n, 5n));
  });

  test('is what a transfer of all of it needs, and of one more has not', async () => {
    await fixture.accept({ nonce: 0, amount: DEV_BALANCE - 10n });
    const { available } = await account();
    expect(available).toBe('10');
    expect((await fixture.refusal({ nonce: 1, amount: 11n })).code).toBe('insufficient_funds');
    await fixture.accept({ nonce: 1, amount: 10n });
    expect(await account()).toMatchObject(spendable(DEV_BALANCE));
  });

  test('is 0, not less, when the money went another way, and the transfer that then fails holds nothing', async () => {
    await fixture.accept({ nonce: 1, amount: DEV_BALANCE });
    await fixture.block({ outsiders: [signedTransfer({ nonce: 0, amount: 9n }).raw] });
    expect(await account()).toMatchObject({
      balance: (DEV_BALANCE - 9n).toString(),
      available: '0',
      pendingOut: DEV_BALANCE.toString(),
      nonce: 1,
    });
    fixture.engine.checks = false;
    fixture.engine.forget();
    await fixture.clock.advance(10_000);
    await fixture.block();
    expect(await account()).toMatchObject({ ...spendable(0n, 9n), nonce: 2 });
  });

  test('is told with the block that it holds after, and its time; before the first block with the time of genesis', async () => {
    expect(await account()).toMatchObject({ height: 0, blockTimeMs: START_MS });
    await fixture.block();
    expect(await account()).toMatchObject({ height: 1, blockTimeMs: START_MS });
    await fixture.block();
    expect(await accounts([devAddress(3)])).toMatchObject({
      height: 2,
      blockTimeMs: START_MS + BLOCK_MS,
      accounts: [{ height: 2, blockTimeMs: START_MS + BLOCK_MS }],
    });
  });
});

describe('gaps', () => {
  const gaps = async (): Promise<[number, number][]> => (await account()).gaps.map(({ first, last }) => [first, last]);

  test('are the nonces that hold up later ones, and those alone', async () => {
    expect(await gaps()).toEqual([]);
    await fixture.accept({ nonce: 0 });
    expect(await gaps()).toEqual([]);
    await fixture.accept({ nonce: 2 });
    await fixture.accept({ nonce: 6 });
    expect(await gaps()).toEqual([
      [1, 1],
      [3, 5],
    ]);
    expect((await account()).nextNonce).toBe(1);
    await fixture.block();
    expect(await gaps()).toEqual([
      [1, 1],
      [3, 5],
    ]);
    await fixture.accept({ nonce: 4 });
    await fixture.accept({ nonce: 1 });
    expect(await gaps()).toEqual([
      [3, 3],
      [5, 5],
    ]);
  });

  test('have no nonce that is void, and none whose cancel a block has still to decide', async () => {
    for (const nonce of [1, 3, 5]) await fixture.accept({ nonce });
    await fixture.gateway.cancel(signedTransfer({ nonce: 3 }).hash, ALICE, 0);
    expect(await gaps()).toEqual([
      [0, 0],
      [2, 2],
      [4, 4],
    ]);
    await fixture.block();
    expect(await fixture.status(signedTransfer({ nonce: 3 }).hash)).toBe('cancelled');
    expect(await gaps()).toEqual([
      [0, 0],
      [2, 2],
      [4, 4],
    ]);
    await fixture.accept({ nonce: 0 });
    await fixture.accept({ nonce: 2 });
    expect(await gaps()).toEqual([[4, 4]]);
    // The highest was cancelled: nothing waits behind it.
    await fixture.gateway.cancel(signedTransfer({ nonce: 5 }).hash, ALICE, 0);
    await fixture.block();
    expect(await gaps()).toEqual([]);
    expect(await account()).toMatchObject({ nonce: 4, nextNonce: 4 });
  });

  test('of a sender that waits with all that may wait, as far apart as can be, are bounded and right', async () => {
    const apart = Math.floor(NONCE_WINDOW / WAITING_PER_ACCOUNT_MAX);
    const held = Array.from({ length: WAITING_PER_ACCOUNT_MAX }, (_, i) => apart * (i + 1) - 1);
    for (const nonce of held) await fixture.accept({ nonce });
    expect((await fixture.refusal({ nonce: 1 })).code).toBe('too_many_pending');
    expect(await gaps()).toEqual(held.map((nonce) => [nonce - apart + 1, nonce - 1]));
  });

  test('are what a naive look at each nonce finds, and never more than the contract says', () => {
    const range = fc.integer({ min: 0, max: NONCE_WINDOW - 1 });
    fc.assert(
      fc.property(
        fc.nat(5),
        fc.uniqueArray(range, { maxLength: 40 }),
        fc.uniqueArray(range, { maxLength: 40 }),
        fc.boolean(),
        (nonce, near, holes, alternating) => {
          const offsets = alternating ? Array.from({ length: NONCE_WINDOW / 2 }, (_, i) => 2 * i + 1) : near;
          const held = new Set(offsets.map((offset) => nonce + offset));
          const isVoid = (at: number): boolean => !held.has(at) && at > nonce && holes.includes(at - nonce);
          const voids = holes.reduce((bits, hole) => (isVoid(nonce + hole) ? bits | (1n << BigInt(hole)) : bits), 0n);
          const highest = Math.max(-1, ...held);
          let free = nonce;
          while (held.has(free) || isVoid(free)) free += 1;
          const told = accountView(
            '',
            { balance: 0n, nonce, voids },
            { pendingOut: 0n, free, highest, has: (at) => held.has(at) },
            { height: 0, blockTimeMs: 0 },
          ).gaps;
          const missing = Array.from({ length: NONCE_WINDOW }, (_, i) => nonce + i).filter(
            (at) => at < highest && !held.has(at) && !isVoid(at),
          );
          expect(
            told.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
          ).toEqual(missing);
          expect(told.length).toBeLessThanOrEqual(GAPS_MAX);
          // Ranges that touch would be one.
          expect(told.every(({ first }, i) => i === 0 || first > (told[i - 1]?.last ?? 0) + 1)).toBe(true);
        },
      ),
    );
  });
});

describe('many accounts', () => {
  test('come in the order in which they were asked for, each as it is alone; an unknown one is empty', async () => {
    await fixture.accept({ nonce: 1, amount: 3n });
    await fixture.accept({ from: 4, amount: 8n });
    await fixture.block();
    const unknown = encodeAddress(publicKeyOfSeed(devSeed(77)), 'txlt');
    const order = [devAddress(4), unknown, devAddress(1), devAddress(0)];
    const { accounts: found, height } = await accounts(order);
    expect(found.map(({ address }) => address)).toEqual(order);
    expect(found).toEqual(await Promise.all(order.map((address) => fixture.gateway.account(address))));
    expect(height).toBe(1);
    expect(
      (
        await accounts(
          Array.from({ length: ACCOUNTS_MAX }, (_, i) => encodeAddress(publicKeyOfSeed(devSeed(i)), 'txlt')),
        )
      ).accounts,
    ).toHaveLength(ACCOUNTS_MAX);
  });

  test('of which one is no address are refused with the places of those; one that is there twice with its places', async () => {
    const broken = `${devAddress(1).slice(0, -1)}${devAddress(1).endsWith('q') ? 'p' : 'q'}`;
    const production = devAddress(2, 'txl');
    const refused = await fixture.gateway.accounts([devAddress(0), broken, devAddress(3), production]);
    expect(refused).toMatchObject({
      ok: false,
      code: 'invalid_address',
      errors: [{ pointer: '#/query/address' }, { pointer: '#/query/address' }],
    });
    if (refused.ok) throw new Error('they were answered');
    expect(
      refused.errors?.map(({ message }) => /in value ([0-9]+) of the query parameter address/.exec(message)?.[1]),
    ).toEqual(['2', '4']);
    expect(refused.detail).toBe(refused.errors?.[0]?.message);
    expect(await fixture.gateway.accounts([devAddress(0), devAddress(1), devAddress(0)])).toMatchObject({
      ok: false,
      code: 'invalid_request',
      errors: [
        {
          pointer: '#/query/address',
          message: 'Value 3 of the query parameter address is the same as value 1. Send each address once.',
        },
      ],
    });
  });

  test('are of one moment while transfers are accepted and blocks are made: as the ledger was at the height they name, with nothing lost between two of them', async () => {
    const random = new Random(15);
    const history = new Map<number, { balance: string; nonce: number }[]>();
    const note = (): void => {
      history.set(
        fixture.engine.height,
        DEV_ADDRESSES.map((address) => {
          const { balance = 0n, nonce = 0 } = fixture.engine.ledger.account(address) ?? {};
          return { balance: balance.toString(), nonce };
        }),
      );
    };
    note();
    const answers: Promise<AccountsView>[] = [];
    const heights = new Set<number>();
    for (let step = 0; step < 40; step++) {
      const senders = Array.from({ length: 4 }, () => random.below(DEV_ACCOUNTS));
      const sent: Promise<unknown>[] = [];
      for (const from of new Set(senders)) {
        const { nextNonce } = await account(from);
        answers.push(accounts(DEV_ADDRESSES));
        sent.push(
          fixture.submit(
            signedTransfer({
              from,
              to: random.below(DEV_ACCOUNTS),
              nonce: nextNonce + (random.chance(20) ? 1 : 0),
              amount: BigInt(1 + random.below(1000)),
            }),
          ),
        );
        answers.push(accounts(DEV_ADDRESSES));
      }
      await Promise.all(sent);
      answers.push(accounts(DEV_ADDRESSES));
      const made = fixture.block();
      // One after another, so that some of them begin before the block is applied and end after it.
      for (let i = 0; i < READS_A_BLOCK; i++) {
        const read = accounts(DEV_ADDRESSES);
        answers.push(read);
        await read;
      }
      await made;
      note();
    }
    for (const { accounts: found, height, blockTimeMs } of await Promise.all(answers)) {
      heights.add(height);
      expect({ height, accounts: found.map(({ balance, nonce }) => ({ balance, nonce })) }).toEqual({
        height,
        accounts: history.get(height),
      });
      expect(blockTimeMs).toBe(fixture.engine.committed[height - 1]?.timeMs ?? START_MS);
      expect(found.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(DEV_BALANCE * BigInt(DEV_ACCOUNTS));
      for (const each of found) {
        expect([each.height, each.blockTimeMs]).toEqual([height, blockTimeMs]);
        expect(BigInt(each.available) + BigInt(each.pendingOut)).toBe(BigInt(each.balance));
        expect(each.gaps[0]?.first ?? each.nextNonce).toBe(each.nextNonce);
      }
    }
    expect(heights.size).toBeGreaterThan(20);
  });
});
