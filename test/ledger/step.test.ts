import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Account,
  type Effect,
  LedgerState,
  NONCE_WINDOW,
  Overlay,
  step,
  type Transaction,
} from '../../server/ledger/index.ts';
import {
  BLOCK,
  DEV_BALANCE,
  devAddress,
  devSeed,
  governorSeed,
  operatorAddress,
  operatorSeed,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
} from './support.ts';

let state: Overlay;
beforeEach(() => {
  state = new Overlay(LedgerState.fromGenesis(testGenesis()));
});

/** Applies it and returns its effect, or the name of the refusal. */
function run({ tx }: { tx: Transaction }): Effect | string {
  const result = step(state, tx, BLOCK);
  if (!result.ok) return result.refusal.name;
  state.apply(result.effect);
  return result.effect;
}
const account = (i: number): Account => state.account(devAddress(i))!;
const stranger = operatorAddress(9);

describe('a transfer', () => {
  test('moves the amount and uses the nonce', () => {
    expect(run(signedTransfer({ from: 0, to: 1, amount: 100n }))).toMatchObject({ code: 0 });
    expect(account(0)).toEqual({ balance: DEV_BALANCE - 100n, nonce: 1, voids: 0n });
    expect(account(1)).toEqual({ balance: DEV_BALANCE + 100n, nonce: 0, voids: 0n });
  });

  test('makes an account for a receiver that has none', () => {
    run(signedTransfer({ to: stranger, amount: 5n }));
    expect(state.account(stranger)).toEqual({ balance: 5n, nonce: 0, voids: 0n });
  });

  test('of the whole balance executes; of one more fails, uses the nonce and moves nothing', () => {
    expect(run(signedTransfer({ amount: DEV_BALANCE }))).toMatchObject({ code: 0 });
    expect(run(signedTransfer({ amount: 1n, nonce: 1 }))).toMatchObject({
      code: 1,
      log: 'insufficient funds: balance 0, amount 1',
    });
    expect(account(0)).toEqual({ balance: 0n, nonce: 2, voids: 0n });
    expect(account(1).balance).toBe(2n * DEV_BALANCE);
  });

  test('that fails makes no account', () => {
    expect(run(signedTransfer({ to: stranger, amount: DEV_BALANCE + 1n }))).toMatchObject({ code: 1 });
    expect(state.account(stranger)).toBeUndefined();
  });

  test('is included until the second of its validUntil, and never in a later block', () => {
    const SECOND = 1_000_000_000n;
    const validUntil = 1_800_000_000;
    const at = (timeNs: bigint) => step(state, signedTransfer({ validUntil }).tx, { height: 9, timeNs });
    expect(at(BigInt(validUntil) * SECOND)).toMatchObject({ ok: true, effect: { code: 0 } });
    expect(at(BigInt(validUntil) * SECOND + 1n)).toMatchObject({
      ok: false,
      refusal: { name: 'validity_passed', code: 27 },
    });
    // What keeps it from executing whatever the time is, says more.
    run(signedTransfer({ nonce: 0 }));
    expect(at(BigInt(validUntil) * SECOND + 1n)).toMatchObject({ ok: false, refusal: { name: 'nonce_too_low' } });
  });

  test('to oneself changes the nonce only, and needs the money all the same', () => {
    expect(run(signedTransfer({ from: 0, to: 0, amount: 7n }))).toMatchObject({ code: 0 });
    expect(account(0)).toEqual({ balance: DEV_BALANCE, nonce: 1, voids: 0n });
    expect(run(signedTransfer({ from: 0, to: 0, amount: DEV_BALANCE + 1n, nonce: 1 }))).toMatchObject({ code: 1 });
    expect(account(0)).toEqual({ balance: DEV_BALANCE, nonce: 2, voids: 0n });
  });

  test('executes at the nonce only: once, not before, not after', () => {
    expect(run(signedTransfer({ nonce: 1 }))).toBe('nonce_gap');
    expect(run(signedTransfer({ nonce: 0 }))).toMatchObject({ code: 0 });
    expect(run(signedTransfer({ nonce: 0 }))).toBe('nonce_too_low');
    expect(run(signedTransfer({ nonce: 0, to: 2 }))).toBe('nonce_too_low');
  });

  test('from a key without an account is refused', () => {
    expect(run(signedTransfer({ from: operatorSeed(9) }))).toBe('unknown_account');
  });
});

describe('a cancel', () => {
  test('at the nonce moves the account past it', () => {
    expect(run(signedCancel({ nonce: 0 }))).toMatchObject({ code: 0 });
    expect(account(0)).toEqual({ balance: DEV_BALANCE, nonce: 1, voids: 0n });
    expect(run(signedTransfer({ nonce: 0 }))).toBe('nonce_too_low');
  });

  test('ahead of the nonce stays as a bit, and no transfer executes there whatever its bytes', () => {
    run(signedCancel({ nonce: 2 }));
    expect(account(0)).toEqual({ balance: DEV_BALANCE, nonce: 0, voids: 0b100n });
    expect(run(signedTransfer({ nonce: 2 }))).toBe('nonce_void');
    expect(run(signedTransfer({ nonce: 2, to: 5, amount: 9n }))).toBe('nonce_void');
  });

  test('whatever moves the nonce moves it past every void that follows', () => {
    run(signedCancel({ nonce: 1 }));
    run(signedCancel({ nonce: 2 }));
    run(signedCancel({ nonce: 4 }));
    run(signedTransfer({ nonce: 0 }));
    expect(account(0)).toMatchObject({ nonce: 3, voids: 0b10n });
    run(signedCancel({ nonce: 3 }));
    expect(account(0)).toMatchObject({ nonce: 5, voids: 0n });
    expect(run(signedTransfer({ nonce: 5 }))).toMatchObject({ code: 0 });
  });

  test('a failed transfer moves past voids too', () => {
    run(signedCancel({ nonce: 1 }));
    run(signedTransfer({ nonce: 0, amount: DEV_BALANCE + 1n }));
    expect(account(0)).toMatchObject({ nonce: 2, voids: 0n });
  });

  test('reaches exactly NONCE_WINDOW nonces from the account on', () => {
    run(signedTransfer({ nonce: 0 }));
    expect(run(signedCancel({ nonce: 0 }))).toBe('cancel_outside_window');
    expect(run(signedCancel({ nonce: NONCE_WINDOW + 1 }))).toBe('cancel_outside_window');
    expect(run(signedCancel({ nonce: NONCE_WINDOW }))).toMatchObject({ code: 0 });
    expect(account(0).voids).toBe(1n << BigInt(NONCE_WINDOW - 1));
  });

  test('of a void nonce has no effect and is refused, by whomever it is signed', () => {
    run(signedCancel({ nonce: 3 }));
    expect(run(signedCancel({ nonce: 3 }))).toBe('cancel_without_effect');
    expect(run(signedCancel({ nonce: 3, signer: devSeed(0), txHash: 'F'.repeat(64) }))).toBe('cancel_without_effect');
  });

  test('is signed by the sender or a canceller, and by no one else', () => {
    expect(run(signedCancel({ from: 0, nonce: 0, signer: devSeed(1) }))).toBe('signer_not_allowed');
    expect(run(signedCancel({ from: 0, nonce: 0, signer: devSeed(0) }))).toMatchObject({ code: 0 });
    expect(run(signedCancel({ from: 0, nonce: 1, signer: operatorSeed(0) }))).toMatchObject({ code: 0 });
    expect(run(signedCancel({ from: 0, nonce: 2, signer: operatorSeed(1) }))).toBe('signer_not_allowed');
    expect(run(signedCancel({ from: 0, nonce: 2, signer: governorSeed(0) }))).toBe('signer_not_allowed');
  });

  test('of an account that does not exist is refused', () => {
    expect(run(signedCancel({ from: stranger, nonce: 0 }))).toBe('unknown_account');
  });

  test('costs no money and touches one account', () => {
    expect(run(signedCancel({ nonce: 5 }))).toMatchObject({ accounts: [[devAddress(0), { balance: DEV_BALANCE }]] });
  });
});

test('step reads its view and never writes it', () => {
  const before = [account(0), account(1), state.governance()];
  for (const { tx } of [signedTransfer(), signedCancel({ nonce: 4 }), signedGovernance()])
    expect(step(state, tx, BLOCK).ok).toBe(true);
  expect([account(0), account(1), state.governance()]).toEqual(before);
});
