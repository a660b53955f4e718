import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  CANCELLERS_MAX,
  type Effect,
  finalizeBlock,
  GOVERNORS_MAX,
  isChangeWithinBound,
  LedgerState,
  Overlay,
  RULES_NOTICE_BLOCKS,
  step,
  type Transaction,
  VALIDATOR_POWER_MAX,
  VALIDATORS_MAX,
} from '../../server/ledger/index.ts';
import {
  BLOCK,
  devSeed,
  governorAddress,
  governorSeed,
  operatorAddress,
  operatorSeed,
  signedCancel,
  signedGovernance,
  testGenesis,
  validatorKey,
} from './support.ts';

let state: Overlay;
const open = (changes: Parameters<typeof testGenesis>[0] = {}): void => {
  state = new Overlay(LedgerState.fromGenesis(testGenesis(changes)));
};
beforeEach(() => open());

/** Applies it and returns its effect, or the name of the refusal. */
function run({ tx }: { tx: Transaction }, block = BLOCK): Effect | string {
  const result = step(state, tx, block);
  if (!result.ok) return result.refusal.name;
  state.apply(result.effect);
  return result.effect;
}
/** The next governance transaction. */
const govern = (options: Parameters<typeof signedGovernance>[0], block = BLOCK) =>
  run(signedGovernance({ sequence: state.governance().sequence, ...options }), block);
const power = (subject: number, value: number) =>
  govern({ action: 'validator_power', subject: validatorKey(subject), power: value });
const OK = { code: 0 };

describe('roles', () => {
  test('cancellers come and go, and their right to cancel with them', () => {
    expect(govern({ action: 'canceller_add', subject: operatorAddress(1) })).toMatchObject(OK);
    expect(run(signedCancel({ nonce: 0, signer: operatorSeed(1) }))).toMatchObject(OK);
    expect(govern({ action: 'canceller_remove', subject: operatorAddress(0) })).toMatchObject(OK);
    expect(run(signedCancel({ nonce: 1, signer: operatorSeed(0) }))).toBe('signer_not_allowed');
    expect(state.governance()).toMatchObject({
      cancellers: [operatorAddress(1)],
      governors: [governorAddress(0)],
      sequence: 2,
    });
  });

  test('governors come and go, and their right to govern with them', () => {
    expect(govern({ action: 'governor_add', subject: governorAddress(1) })).toMatchObject(OK);
    expect(
      govern({ action: 'governor_remove', subject: governorAddress(0), signers: [governorSeed(1)] }),
    ).toMatchObject(OK);
    expect(govern({ action: 'canceller_add', subject: operatorAddress(1), signers: [governorSeed(0)] })).toBe(
      'signer_not_allowed',
    );
    expect(govern({ action: 'canceller_add', subject: operatorAddress(1), signers: [governorSeed(1)] })).toMatchObject(
      OK,
    );
  });

  test("a canceller's key governs nothing: not power, not roles, not rules", () => {
    const signers = [operatorSeed(0)];
    expect(govern({ action: 'validator_power', subject: validatorKey(1), power: 2 ** 53 - 1, signers })).toBe(
      'signer_not_allowed',
    );
    expect(govern({ action: 'validator_power', subject: validatorKey(1), power: 1, signers })).toBe(
      'signer_not_allowed',
    );
    expect(govern({ action: 'governor_add', subject: operatorAddress(0), signers })).toBe('signer_not_allowed');
    expect(govern({ action: 'canceller_add', subject: operatorAddress(1), signers })).toBe('signer_not_allowed');
    expect(govern({ action: 'rules_version', subject: '2', power: 1000, signers })).toBe('signer_not_allowed');
    expect(govern({ signers: [devSeed(0)] })).toBe('signer_not_allowed');
  });

  test('the threshold is met by governors alone, and more than enough is fine', () => {
    open({ governors: [0, 1, 2].map((i) => governorAddress(i)), threshold: 2 });
    expect(govern({ signers: [governorSeed(0)] })).toBe('governance_threshold');
    expect(govern({ signers: [governorSeed(0), operatorSeed(0)] })).toBe('signer_not_allowed');
    expect(govern({ signers: [governorSeed(0), governorSeed(1), governorSeed(3)] })).toBe('signer_not_allowed');
    expect(govern({ signers: [governorSeed(2), governorSeed(0)] })).toMatchObject(OK);
    expect(govern({ subject: operatorAddress(2), signers: [0, 1, 2].map((i) => governorSeed(i)) })).toMatchObject(OK);
  });

  test('the threshold is set to what the governors can reach, and they never become fewer than it', () => {
    open({ governors: [0, 1].map((i) => governorAddress(i)) });
    const both = [governorSeed(0), governorSeed(1)];
    expect(govern({ action: 'threshold', subject: '', power: 3 })).toBe('governance_unreachable');
    expect(govern({ action: 'threshold', subject: '', power: 1 })).toBe('governance_without_effect');
    expect(govern({ action: 'threshold', subject: '', power: 2 })).toMatchObject(OK);
    expect(govern({ action: 'governor_remove', subject: governorAddress(1) })).toBe('governance_threshold');
    expect(govern({ action: 'governor_remove', subject: governorAddress(1), signers: both })).toBe(
      'governance_unreachable',
    );
    expect(govern({ action: 'threshold', subject: '', power: 1, signers: both })).toMatchObject(OK);
    expect(govern({ action: 'governor_remove', subject: governorAddress(1) })).toMatchObject(OK);
    expect(govern({ action: 'governor_remove', subject: governorAddress(0) })).toBe('governance_unreachable');
  });

  test('uses each sequence once and in order', () => {
    expect(run(signedGovernance({ sequence: 1 }))).toBe('governance_sequence');
    expect(run(signedGovernance({ sequence: 0 }))).toMatchObject(OK);
    expect(run(signedGovernance({ sequence: 0, subject: operatorAddress(2) }))).toBe('governance_sequence');
  });

  test('without effect is refused', () => {
    expect(govern({ subject: operatorAddress(0) })).toBe('governance_without_effect');
    expect(govern({ action: 'canceller_remove', subject: operatorAddress(5) })).toBe('governance_without_effect');
    expect(govern({ action: 'governor_add', subject: governorAddress(0) })).toBe('governance_without_effect');
    expect(govern({ action: 'governor_remove', subject: governorAddress(5) })).toBe('governance_without_effect');
    expect(power(0, 10)).toBe('governance_without_effect');
    expect(power(7, 0)).toBe('governance_without_effect');
  });

  test('never removes the last canceller', () => {
    expect(govern({ action: 'canceller_remove', subject: operatorAddress(0) })).toBe('governance_last_one');
  });

  test('keeps to the most cancellers and governors', () => {
    for (let i = 1; i < CANCELLERS_MAX; i++) expect(govern({ subject: operatorAddress(i) })).toMatchObject(OK);
    expect(govern({ subject: operatorAddress(CANCELLERS_MAX) })).toBe('governance_limit');
    for (let i = 1; i < GOVERNORS_MAX; i++)
      expect(govern({ action: 'governor_add', subject: governorAddress(i) })).toMatchObject(OK);
    expect(govern({ action: 'governor_add', subject: governorAddress(GOVERNORS_MAX) })).toBe('governance_limit');
  });
});

describe('voting power', () => {
  const validators = (...powers: number[]) =>
    powers.map((each, i) => ({ publicKey: validatorKey(i), power: each, name: '' }));

  test('is set, changed and removed, sorted by key', () => {
    open({ validators: validators(100, 5) });
    expect(power(2, 9)).toMatchObject(OK);
    expect(power(2, 8)).toMatchObject(OK);
    expect(power(1, 0)).toMatchObject(OK);
    expect(state.governance().validators.map(({ publicKey }) => publicKey)).toEqual(
      [validatorKey(0), validatorKey(2)].sort(),
    );
  });

  test('of 2^53 - 1 for one key in one step is refused, whoever signs', () => {
    open({ governors: [0, 1, 2].map((i) => governorAddress(i)) });
    const signers = [0, 1, 2].map((i) => governorSeed(i));
    expect(govern({ action: 'validator_power', subject: validatorKey(1), power: VALIDATOR_POWER_MAX, signers })).toBe(
      'governance_power_bound',
    );
  });

  test('changes by less than a third of what it was before the block, added up over the block', () => {
    open({ validators: validators(10, 10, 10) });
    expect(power(3, 10)).toBe('governance_power_bound');
    expect(power(3, 5)).toMatchObject(OK);
    expect(power(0, 6)).toMatchObject(OK);
    // 5 and 4 of 30 have moved: one more is a third.
    expect(power(1, 9)).toBe('governance_power_bound');
    // What is given back does not count.
    expect(power(0, 9)).toMatchObject(OK);
    expect(power(1, 8)).toMatchObject(OK);
    expect(power(2, 12)).toBe('governance_power_bound');
  });

  test('of the next block is measured against the state before that block', () => {
    const committed = LedgerState.fromGenesis(testGenesis({ validators: validators(10, 10, 10) }));
    const add = (subject: number, sequence: number) =>
      signedGovernance({ action: 'validator_power', subject: validatorKey(subject), power: 9, sequence }).raw;
    const first = finalizeBlock(committed, [add(3, 0), add(4, 1)], BLOCK);
    expect(first.results.map(({ code }) => code)).toEqual([0, 29]);
    committed.commit(first);
    expect(finalizeBlock(committed, [add(4, 1)], BLOCK).results.map(({ code }) => code)).toEqual([0]);
  });

  test('of a removed validator counts whole', () => {
    open({ validators: validators(10, 10, 10) });
    expect(power(0, 0)).toBe('governance_power_bound');
    open({ validators: validators(10, 10, 10, 10) });
    expect(power(0, 0)).toMatchObject(OK);
    expect(power(1, 0)).toBe('governance_power_bound');
  });

  test('is exact beyond what a number holds', () => {
    const before = [0, 1, 2].map((i) => ({ publicKey: validatorKey(i), power: VALIDATOR_POWER_MAX }));
    const third = [...before.slice(0, 2), { publicKey: validatorKey(2), power: 0 }];
    expect(isChangeWithinBound(before, third)).toBe(false);
    expect(isChangeWithinBound(before, [...before.slice(0, 2), { publicKey: validatorKey(2), power: 1 }])).toBe(true);
  });

  test('never removes the last validator, and keeps to the most', () => {
    expect(power(0, 0)).toBe('governance_last_one');
    open({ validators: validators(...Array.from({ length: VALIDATORS_MAX - 1 }, () => VALIDATOR_POWER_MAX)) });
    expect(power(VALIDATORS_MAX, 5)).toMatchObject(OK);
    expect(power(VALIDATORS_MAX + 1, 5)).toBe('governance_limit');
    // CometBFT panics above its MaxTotalVotingPower (types/validator_set.go, v0.38); the two bounds together stay below it.
    expect(BigInt(VALIDATORS_MAX) * BigInt(VALIDATOR_POWER_MAX)).toBeLessThanOrEqual((2n ** 63n - 1n) / 8n);
  });

  test('beyond the bound is refused with its code in a block that was decided in spite of it, and the block goes on', () => {
    const genesis = LedgerState.fromGenesis(testGenesis({ validators: validators(10, 10, 10) }));
    const block = [0, 1, 2].map(
      (i) => signedGovernance({ action: 'validator_power', subject: validatorKey(i), power: 5, sequence: i }).raw,
    );
    const after = signedGovernance({ subject: operatorAddress(3), sequence: 1 }).raw;
    const done = finalizeBlock(genesis, [...block, after], BLOCK);
    expect(done.results.map(({ code }) => code)).toEqual([0, 29, 21, 0]);
    expect(done.validatorUpdates).toEqual([{ publicKey: validatorKey(0), power: 5 }]);
  });
});

describe('the rules', () => {
  const at = (height: number) => ({ ...BLOCK, height });
  const rules = (version: number, height: number, block: number) =>
    govern({ action: 'rules_version', subject: String(version), power: height }, at(block));

  test('get a next version from a height on that is far enough ahead', () => {
    expect(rules(2, 50 + RULES_NOTICE_BLOCKS - 1, 50)).toBe('governance_rules_height');
    expect(rules(2, 50 + RULES_NOTICE_BLOCKS, 50)).toMatchObject(OK);
    expect(state.governance().rules).toEqual([
      { version: 1, height: 1 },
      { version: 2, height: 50 + RULES_NOTICE_BLOCKS },
    ]);
  });

  test('leave out no version, and none goes back', () => {
    expect(rules(3, 1000, 1)).toBe('governance_rules_version');
    expect(rules(1, 1000, 1)).toBe('governance_rules_version');
    expect(rules(2, 1000, 1)).toMatchObject(OK);
    expect(rules(3, 1000, 2)).toBe('governance_rules_height');
    expect(rules(3, 1001, 2)).toMatchObject(OK);
    expect(rules(2, 2000, 3)).toBe('governance_rules_version');
  });

  test('can be put off until they count, and not after', () => {
    expect(rules(2, 1000, 1)).toMatchObject(OK);
    expect(rules(2, 1000, 2)).toBe('governance_without_effect');
    expect(rules(2, 2000, 999)).toMatchObject(OK);
    expect(state.governance().rules).toEqual([
      { version: 1, height: 1 },
      { version: 2, height: 2000 },
    ]);
    expect(rules(2, 3000, 2000)).toBe('governance_rules_version');
  });
});
