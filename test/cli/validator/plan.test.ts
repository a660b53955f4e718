/** The plans of `txledger validator`, judged by the ledger's own bound and by CometBFT's quorum. */
import { describe, expect, test } from '@jest/globals';
import {
  addPlan,
  addressOf,
  hasQuorum,
  type Plan,
  powerOf,
  removePlan,
  rotatePlan,
  tooStrong,
  usualPower,
  withPower,
} from '../../../server/cli/validator/plan.ts';
import { isChangeWithinBound, totalPower, type ValidatorPower } from '../../../server/ledger/index.ts';
import { validatorKey } from '../../ledger/support.ts';

const KEYS = Array.from({ length: 7 }, (_, i) => validatorKey(i)) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const equal = (count: number, power = 10): ValidatorPower[] =>
  KEYS.slice(0, count).map((publicKey) => ({ publicKey, power }));
const online = (...publicKeys: string[]): Set<string> => new Set(publicKeys.map(addressOf));
const powersOf = (plan: Plan): (string | number)[] => (plan.ok ? plan.steps.map(({ power }) => power) : [plan.reason]);

/** Each step allowed by the ledger, and the chain going on with those that sign. */
function expectSafe(
  validators: readonly ValidatorPower[],
  plan: Plan,
  up: ReadonlySet<string>,
): readonly ValidatorPower[] {
  if (!plan.ok) throw new Error(plan.reason);
  let now = validators;
  for (const step of plan.steps) {
    const next = withPower(now, step);
    expect(isChangeWithinBound(now, next)).toBe(true);
    expect(hasQuorum(next, up)).toBe(true);
    now = next;
  }
  return now;
}

describe('adding', () => {
  test('reaches the power in steps of less than a third', () => {
    const plan = addPlan(equal(1), KEYS[1], 10, online(KEYS[0]));
    expect(powersOf(plan)).toEqual([3, 7, 10]);
    expectSafe(equal(1), plan, online(KEYS[0], KEYS[1]));
  });

  test('goes on from the power that it has', () => {
    expect(
      powersOf(addPlan([...equal(1), { publicKey: KEYS[1], power: 7 }], KEYS[1], 10, online(KEYS[0], KEYS[1]))),
    ).toEqual([10]);
    expect(powersOf(addPlan(equal(2), KEYS[1], 10, online(KEYS[0], KEYS[1])))).toEqual([]);
  });

  test('is refused where those that sign would no longer be enough', () => {
    // Three of four are more than two thirds; with a fifth three and the new one are not more than two thirds of 50, once another is away.
    const up = online(KEYS[0], KEYS[1]);
    expect(powersOf(addPlan(equal(4), KEYS[4], 10, up))[0]).toMatch(/the chain would stop/);
    expect(powersOf(addPlan(equal(4), KEYS[4], 10, online(KEYS[0], KEYS[1], KEYS[2])))).toEqual([10]);
  });
});

describe('removing', () => {
  test('goes down to 0 in steps of less than a third', () => {
    expectSafe(equal(4), removePlan(equal(4), KEYS[3], online(...KEYS)), online(KEYS[0], KEYS[1], KEYS[2]));
    const uneven = [...equal(2), { publicKey: KEYS[2], power: 10 }];
    const plan = removePlan(uneven, KEYS[2], online(...KEYS));
    expect(powersOf(plan)).toEqual([1, 0]);
  });

  test('is refused where the others that sign have two thirds of the rest or less', () => {
    const plan = removePlan(equal(4), KEYS[3], online(KEYS[0], KEYS[1], KEYS[3]));
    expect(plan.ok).toBe(false);
    expect(powersOf(plan)[0]).toContain(`${addressOf(KEYS[2])} with 10`);
  });

  test('takes a validator that is away out as well', () => {
    expect(removePlan(equal(4), KEYS[3], online(KEYS[0], KEYS[1], KEYS[2])).ok).toBe(true);
  });

  test('leaves the last one', () => {
    expect(powersOf(removePlan(equal(1), KEYS[0], online(KEYS[0])))[0]).toMatch(/only validator/);
  });
});

test('rotating raises the new key before it lowers the old one', () => {
  const plan = rotatePlan(equal(4), { from: KEYS[0], to: KEYS[4], power: 10 }, online(...KEYS.slice(0, 4)));
  const after = expectSafe(equal(4), plan, online(...KEYS));
  expect([powerOf(after, KEYS[0]), powerOf(after, KEYS[4])]).toEqual([0, 10]);
  const steps = plan.ok ? plan.steps : [];
  expect(steps.findIndex(({ publicKey }) => publicKey === KEYS[0])).toBeGreaterThan(
    steps.findLastIndex(({ publicKey }) => publicKey === KEYS[4]),
  );
});

test('plans of random networks are safe at each step', () => {
  for (let run = 0; run < 1000; run += 1) {
    const validators = KEYS.slice(0, 2 + (run % 5)).map((publicKey) => ({
      publicKey,
      power: 1 + Math.floor(Math.random() * 100),
    }));
    const up = online(...validators.filter(() => Math.random() < 0.8).map(({ publicKey }) => publicKey));
    if (!hasQuorum(validators, up)) continue;
    const added = addPlan(validators, KEYS[6], 1 + Math.floor(Math.random() * 200), up);
    if (added.ok) expectSafe(validators, added, new Set([...up, addressOf(KEYS[6])]));
    const gone = validators[0] as ValidatorPower;
    const removed = removePlan(validators, gone.publicKey, up);
    if (removed.ok) {
      const rest = new Set(up);
      rest.delete(addressOf(gone.publicKey));
      expect(hasQuorum(validators.slice(1), rest)).toBe(true);
      expectSafe(validators, removed, up);
    }
  }
});

test('the usual power is what most have, and a third or more is too much', () => {
  expect(usualPower([...equal(3), { publicKey: KEYS[4], power: 7 }])).toBe(10);
  expect(tooStrong(equal(4))).toEqual([]);
  expect(tooStrong(equal(3))).toHaveLength(3);
  expect(totalPower(equal(3))).toBe(30n);
});
