import { describe, expect, test } from '@jest/globals';
import {
  encodeTransaction,
  publicKeyOfSeed,
  signBytes,
  signEd25519,
  verifyTransaction,
} from '../../../server/ledger/index.ts';
import { DEV_BALANCE } from '../../ledger/support.ts';
import { expectedBalances } from '../sides/correctness.ts';
import { addressOf, DEV_CHAIN_ID, freshSeed, FUNDING, FUNDS, PAYERS, type SetName } from '../transfers/payers.ts';
import { neighbour, TransferSet, unsignedTransfer } from '../transfers/transfer-set.ts';

/** As the signing thread makes them. */
function signed(set: SetName, count: number): TransferSet {
  const records = Array.from({ length: count }, (_, index) => {
    const to = set === 'fresh' ? addressOf(freshSeed(index)) : neighbour(index);
    const { seed } = PAYERS[set][index % PAYERS[set].length]!;
    const signature = signEd25519(seed, signBytes(unsignedTransfer(set, index, to)));
    return set === 'fresh' ? Buffer.concat([signature, publicKeyOfSeed(freshSeed(index))]) : Buffer.from(signature);
  });
  return new TransferSet(set, Buffer.concat(records));
}

describe('the transfers of a benchmark', () => {
  const sets = { known: signed('known', 250), fresh: signed('fresh', 45) };

  test.each(['known', 'fresh'] as const)(
    'those of the set %s are valid, and their id is that of their bytes',
    (name) => {
      for (const index of [0, 1, 44]) {
        const transfer = sets[name].transfer(index);
        expect(
          verifyTransaction({ chainId: DEV_CHAIN_ID, addressPrefix: 'txlt' }, encodeTransaction(transfer)),
        ).toMatchObject({ ok: true, verified: { hash: sets[name].hash(index) } });
        expect(JSON.parse(sets[name].body(index))).toMatchObject({
          from: transfer.from,
          nonce: transfer.nonce,
          amount: '1',
        });
      }
    },
  );

  test('nonces of each payer run without a gap', () => {
    const next = new Map<string, number>();
    for (let index = 0; index < sets.known.count; index += 1) {
      const { from, nonce } = sets.known.transfer(index);
      expect(nonce).toBe(next.get(from) ?? 0);
      next.set(from, nonce + 1);
    }
    expect(next.size).toBe(PAYERS.known.length);
  });

  test('one that was not signed is not made up', () => {
    expect(() => sets.known.transfer(250)).toThrow('transfer 250 of 250');
  });

  test('balances are recomputed from what was sent: no money is made or lost', () => {
    const balances = expectedBalances({ sent: { known: 250, fresh: 45 }, sets });
    const supply = [...balances.values()].reduce((total, balance) => total + balance, 0n);
    expect(supply).toBe(10n * DEV_BALANCE);
    expect(balances.get(addressOf(freshSeed(44)))).toBe(1n);
    expect(balances.get(addressOf(freshSeed(45)))).toBeUndefined();
    // Payer 0 sent transfers 0, 100 and 200 and received 99 and 199.
    expect(balances.get(PAYERS.known[0]!.address)).toBe(FUNDS - 1n);
    expect(FUNDING).toHaveLength(120);
  });
});
