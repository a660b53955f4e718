import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  CheckState,
  finalizeBlock,
  LedgerState,
  RECHECK_BLOCKS_MAX,
  type VerifiedTransaction,
} from '../../server/ledger/index.ts';
import {
  BLOCK,
  DEV_BALANCE,
  operatorAddress,
  operatorSeed,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
  validatorKey,
} from './support.ts';

let committed: LedgerState;
let state: CheckState;
beforeEach(() => {
  committed = LedgerState.fromGenesis(testGenesis());
  state = new CheckState(committed, BLOCK);
});
const check = (candidate: VerifiedTransaction) => {
  const result = state.check(candidate);
  return result.ok ? 'ok' : result.refusal.name;
};
const recheck = (candidate: VerifiedTransaction, waitedBlocks = 0) => {
  const result = state.recheck(candidate, waitedBlocks);
  return result.ok ? 'ok' : result.refusal.name;
};
/** A block with these, and the check state anew on top of it. */
const commit = (...block: VerifiedTransaction[]) => {
  committed.commit(
    finalizeBlock(
      committed,
      block.map(({ raw }) => raw),
      BLOCK,
    ),
  );
  state.reset(committed, BLOCK);
};

describe('CheckTx', () => {
  test('runs ahead, so that nonces in sequence wait together, and refuses a gap', () => {
    expect(check(signedTransfer({ nonce: 1 }))).toBe('nonce_gap');
    expect(check(signedTransfer({ nonce: 0 }))).toBe('ok');
    expect(check(signedTransfer({ nonce: 1 }))).toBe('ok');
    expect(check(signedTransfer({ nonce: 3 }))).toBe('nonce_gap');
  });

  test('answers 0 again for the very bytes that hold a slot, and names the holder to others', () => {
    const holder = signedTransfer({ nonce: 0, to: 1 });
    expect(check(holder)).toBe('ok');
    expect(check(signedTransfer({ nonce: 1 }))).toBe('ok');
    expect(check(holder)).toBe('ok');
    const result = state.check(signedTransfer({ nonce: 0, to: 2 }));
    expect(result).toMatchObject({ ok: false, refusal: { name: 'check_nonce_taken' } });
    expect(!result.ok && result.refusal.log).toContain(holder.hash);
  });

  test('a cancel is judged by the committed state, also while its target waits', () => {
    expect(check(signedTransfer({ nonce: 0 }))).toBe('ok');
    expect(check(signedTransfer({ nonce: 1 }))).toBe('ok');
    expect(check(signedCancel({ nonce: 0 }))).toBe('ok');
    expect(check(signedCancel({ nonce: 1 }))).toBe('ok');
  });

  test('a cancel does not change the check state', () => {
    expect(check(signedCancel({ nonce: 0 }))).toBe('ok');
    expect(check(signedTransfer({ nonce: 0 }))).toBe('ok');
    expect(check(signedCancel({ nonce: 0 }))).toBe('ok');
  });

  test('refuses a cancel without effect', () => {
    commit(signedCancel({ nonce: 2 }));
    expect(check(signedCancel({ nonce: 2 }))).toBe('cancel_without_effect');
    expect(check(signedTransfer({ nonce: 2 }))).toBe('nonce_void');
  });

  test('refuses for lack of funds, counting what waits, and then the nonce is still free', () => {
    expect(check(signedTransfer({ nonce: 0, amount: DEV_BALANCE - 5n }))).toBe('ok');
    expect(check(signedTransfer({ nonce: 1, amount: 6n }))).toBe('check_funds');
    expect(check(signedTransfer({ nonce: 1, amount: 5n }))).toBe('ok');
  });

  test('refuses what would open an account with less than the chain asks for, judged by the committed state', () => {
    const state = LedgerState.fromGenesis(testGenesis({ openingMinimum: 100n }));
    const judge = new CheckState(state, BLOCK);
    const to = operatorAddress(8);
    expect(judge.check(signedTransfer({ to, amount: 99n }))).toMatchObject({
      ok: false,
      refusal: { code: 44, name: 'check_opening_minimum' },
    });
    expect(judge.check(signedTransfer({ to, amount: 100n }))).toEqual({ ok: true });
    // The one that opens the account may never be in a block.
    expect(judge.check(signedTransfer({ to, amount: 99n, nonce: 1 }))).toMatchObject({
      ok: false,
      refusal: { name: 'check_opening_minimum' },
    });
    expect(judge.recheck(signedTransfer({ from: 2, to, amount: 99n }), 0)).toEqual({ ok: true });
    expect(judge.check(signedTransfer({ from: 3, to: 4, amount: 1n }))).toEqual({ ok: true });
  });

  test('adds up what waits of voting power, as a block does', () => {
    const power = (subject: number, value: number, sequence: number) =>
      signedGovernance({ action: 'validator_power', subject: validatorKey(subject), power: value, sequence });
    expect(check(power(1, 4, 0))).toBe('governance_power_bound');
    expect(check(power(1, 2, 0))).toBe('ok');
    expect(check(power(2, 2, 1))).toBe('governance_power_bound');
    commit(power(1, 2, 0));
    expect(check(power(2, 2, 1))).toBe('ok');
  });

  test('refuses keys without an account', () => {
    expect(check(signedTransfer({ from: operatorSeed(8) }))).toBe('unknown_account');
  });

  test('governance waits in sequence like nonces', () => {
    expect(check(signedGovernance({ sequence: 0 }))).toBe('ok');
    expect(check(signedGovernance({ sequence: 0 }))).toBe('ok');
    expect(check(signedGovernance({ sequence: 0, subject: signedTransfer({ from: 5 }).tx.from }))).toBe(
      'check_nonce_taken',
    );
    expect(check(signedGovernance({ sequence: 1, subject: signedTransfer({ from: 5 }).tx.from }))).toBe('ok');
  });

  test('refuses voting power where one key signs for the chain', () => {
    const power = signedGovernance({ action: 'validator_power', subject: validatorKey(1), power: 1 });
    expect(new CheckState(committed, BLOCK).check(power).ok).toBe(true);
    expect(new CheckState(committed, BLOCK, { allowValidatorChanges: false }).check(power)).toMatchObject({
      refusal: { name: 'governance_not_available' },
    });
  });
});

describe('recheck after a block', () => {
  test('evicts what the block used or voided and keeps the rest', () => {
    const [a, b, c] = [0, 1, 2].map((nonce) => signedTransfer({ nonce })) as [
      VerifiedTransaction,
      VerifiedTransaction,
      VerifiedTransaction,
    ];
    for (const transfer of [a, b, c]) check(transfer);
    commit(signedCancel({ nonce: 1 }), a);
    expect([a, b, c].map((transfer) => recheck(transfer))).toEqual(['nonce_too_low', 'nonce_too_low', 'ok']);
  });

  test('evicts a transfer once a block is later than its validUntil, and judges by the last block until then', () => {
    const validUntil = 1_800_000_000;
    const state = new CheckState(committed, { height: 4, timeNs: BigInt(validUntil) * 1_000_000_000n });
    expect(state.check(signedTransfer({ validUntil }))).toEqual({ ok: true });
    state.reset(committed, { height: 5, timeNs: BigInt(validUntil) * 1_000_000_000n + 1n });
    expect(state.recheck(signedTransfer({ validUntil }), 0)).toMatchObject({ refusal: { name: 'validity_passed' } });
    expect(state.check(signedTransfer({ validUntil }))).toMatchObject({ refusal: { name: 'validity_passed' } });
  });

  test('evicts a cancel whose nonce is decided', () => {
    const cancel = signedCancel({ nonce: 0 });
    commit(signedTransfer({ nonce: 0 }));
    expect(recheck(cancel)).toBe('cancel_outside_window');
  });

  test('does not evict for lack of funds, and what waits behind stays too', () => {
    const [a, b] = [signedTransfer({ nonce: 0, to: 2, amount: DEV_BALANCE }), signedTransfer({ nonce: 1, amount: 1n })];
    expect(recheck(a)).toBe('ok');
    expect(recheck(b)).toBe('ok');
    expect(recheck(signedTransfer({ nonce: 2, amount: 1n }))).toBe('ok');
    // A newcomer is judged by funds again.
    expect(check(signedTransfer({ nonce: 3, amount: 1n }))).toBe('check_funds');
  });

  test('evicts what waited RECHECK_BLOCKS_MAX blocks, cancels too, so that a new broadcast is gossiped anew', () => {
    const [transfer, cancel] = [signedTransfer(), signedCancel({ from: 1 })];
    expect(recheck(transfer, RECHECK_BLOCKS_MAX - 1)).toBe('ok');
    expect(recheck(cancel, RECHECK_BLOCKS_MAX - 1)).toBe('ok');
    commit();
    expect(recheck(transfer, RECHECK_BLOCKS_MAX)).toBe('check_waited');
    expect(recheck(cancel, RECHECK_BLOCKS_MAX)).toBe('check_waited');
    expect(check(transfer)).toBe('ok');
    expect(check(cancel)).toBe('ok');
  });

  test('reset forgets who held what', () => {
    const [a, other] = [signedTransfer({ nonce: 0, to: 1 }), signedTransfer({ nonce: 0, to: 2 })];
    check(a);
    commit();
    expect(check(other)).toBe('ok');
    expect(recheck(a)).toBe('check_nonce_taken');
  });
});
