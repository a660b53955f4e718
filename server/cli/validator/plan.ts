/**
 * Plans changes of power: the steps, and whether the chain can continue after each of them. It sends no request: the same chain gives the
 * same plan.
 *
 * @module
 */
import { totalPower, validatorAddress, type ValidatorPower } from '../../ledger/index.ts';
import { powerSteps } from '../governance/power-steps.ts';

/** Share of all power that commits a block: more than two thirds (CometBFT). */
const QUORUM = { numerator: 2n, denominator: 3n } as const;

export interface PowerStep {
  readonly publicKey: string;
  readonly power: number;
}

export type Plan =
  | { readonly ok: true; readonly steps: readonly PowerStep[] }
  | { readonly ok: false; readonly reason: string };

export const addressOf = (publicKey: string): string => validatorAddress(Buffer.from(publicKey, 'hex'));

export const powerOf = (validators: readonly ValidatorPower[], publicKey: string): number =>
  validators.find((each) => each.publicKey === publicKey)?.power ?? 0;

/** The validators after a step. */
export function withPower(
  validators: readonly ValidatorPower[],
  { publicKey, power }: PowerStep,
): readonly ValidatorPower[] {
  const others = validators.filter((each) => each.publicKey !== publicKey);
  return power === 0 ? others : [...others, { publicKey, power }];
}

/** True if the online validators alone can commit blocks. */
export function hasQuorum(validators: readonly ValidatorPower[], online: ReadonlySet<string>): boolean {
  const up = totalPower(validators.filter(({ publicKey }) => online.has(addressOf(publicKey))));
  return up * QUORUM.denominator > totalPower(validators) * QUORUM.numerator;
}

/** Steps that bring one validator to a power, each less than a third of all power. */
function stepsTo(validators: readonly ValidatorPower[], publicKey: string, power: number): Plan {
  const { powers, complete } = powerSteps(validators, publicKey, power);
  if (!complete)
    return {
      ok: false,
      reason: `With so little power of the others ${power} cannot be reached in steps of less than a third: raise theirs first (txledger governance propose).`,
    };
  return { ok: true, steps: powers.map((each) => ({ publicKey, power: each })) };
}

/** Checks that after each step the chain can continue without the validator that the steps remove, or with the one that they add. */
function checked(validators: readonly ValidatorPower[], plan: Plan, online: ReadonlySet<string>): Plan {
  if (!plan.ok) return plan;
  let after = validators;
  for (const step of plan.steps) {
    after = withPower(after, step);
    if (!hasQuorum(after, online)) {
      const off = after
        .filter(({ publicKey }) => !online.has(addressOf(publicKey)))
        .map(({ publicKey, power }) => `${addressOf(publicKey)} with ${power}`);
      return {
        ok: false,
        reason: `With ${step.power} for ${addressOf(step.publicKey)} the validators that sign now would have two thirds of ${totalPower(after)} or less, and the chain would stop. These do not sign: ${off.join(', ')}. Bring them back first.`,
      };
    }
  }
  return plan;
}

/**
 * @param online the validators that sign now. The new one counts as online: it gets power only when it follows the chain, and has to sign
 * after each step.
 */
export function addPlan(
  validators: readonly ValidatorPower[],
  publicKey: string,
  power: number,
  online: ReadonlySet<string>,
): Plan {
  return checked(validators, stepsTo(validators, publicKey, power), new Set([...online, addressOf(publicKey)]));
}

/** The removed validator counts as gone from the first step on, although it may sign until the last. */
export function removePlan(
  validators: readonly ValidatorPower[],
  publicKey: string,
  online: ReadonlySet<string>,
): Plan {
  const rest = withPower(validators, { publicKey, power: 0 });
  if (rest.length === 0)
    return {
      ok: false,
      reason: `${addressOf(publicKey)} is the only validator, and a chain without one makes no blocks. Add another one first.`,
    };
  const without = new Set(online);
  without.delete(addressOf(publicKey));
  if (!hasQuorum(rest, without)) return checked(validators, { ok: true, steps: [{ publicKey, power: 0 }] }, without);
  return stepsTo(validators, publicKey, 0);
}

/** The new key gets its power before the old one loses its own, so the total never falls below its value at the beginning. */
export function rotatePlan(
  validators: readonly ValidatorPower[],
  keys: { readonly from: string; readonly to: string; readonly power: number },
  online: ReadonlySet<string>,
): Plan {
  const add = addPlan(validators, keys.to, keys.power, online);
  if (!add.ok) return add;
  const between = withPower(validators, { publicKey: keys.to, power: keys.power });
  const remove = removePlan(between, keys.from, new Set([...online, addressOf(keys.to)]));
  return remove.ok ? { ok: true, steps: [...add.steps, ...remove.steps] } : remove;
}

/** The power that most validators have; the lowest of them if several are as common. */
export function usualPower(validators: readonly ValidatorPower[]): number {
  const counts = new Map<number, number>();
  for (const { power } of validators) counts.set(power, (counts.get(power) ?? 0) + 1);
  const [usual] = [...counts].toSorted(([a, many], [b, few]) => few - many || a - b);
  return usual?.[0] ?? 0;
}

/** The validators that alone could stop the chain, with a third or more of all power. */
export function tooStrong(validators: readonly ValidatorPower[]): readonly ValidatorPower[] {
  const total = totalPower(validators);
  return validators.filter(({ power }) => BigInt(power) * QUORUM.denominator >= total);
}
