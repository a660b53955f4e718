/** Validators and their power: the order of a set, the distance of two sets, the updates for CometBFT. */
import { sha256UpperHex } from './bytes.ts';
import { POWER_CHANGE_DIVISOR } from './limits.ts';
import type { ValidatorPower } from './state.ts';

/** CometBFT's validator address: the first 20 bytes of the key's SHA-256, upper-case hex. */
const VALIDATOR_ADDRESS_HEX_DIGITS = 40;

export function validatorAddress(publicKey: Uint8Array): string {
  return sha256UpperHex(publicKey).slice(0, VALIDATOR_ADDRESS_HEX_DIGITS);
}

/** Sorted by public key, the order in which the state keeps them. */
export function sortValidators(validators: readonly ValidatorPower[]): ValidatorPower[] {
  return [...validators].sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
}

/**
 * Changes that turned `before` into `after`, each validator at most once, sorted by key. Net, because CometBFT panics when one block names
 * a validator twice or removes one that it never had (added and removed within the block).
 */
export function validatorChanges(
  before: readonly ValidatorPower[],
  after: readonly ValidatorPower[],
): ValidatorPower[] {
  const powers = new Map(after.map(({ publicKey, power }) => [publicKey, power]));
  for (const { publicKey, power } of before) {
    const now = powers.get(publicKey);
    if (now === undefined) powers.set(publicKey, 0);
    else if (now === power) powers.delete(publicKey);
  }
  return sortValidators([...powers].map(([publicKey, power]) => ({ publicKey, power })));
}

/** Power of all validators together. Exact: the sum of VALIDATORS_MAX powers does not fit a number. */
export function totalPower(validators: readonly ValidatorPower[]): bigint {
  return validators.reduce((sum, { power }) => sum + BigInt(power), 0n);
}

/** Power that moved between the two sets: the gains and losses of all validators, added up. */
export function movedPower(before: readonly ValidatorPower[], after: readonly ValidatorPower[]): bigint {
  const powers = new Map(before.map(({ publicKey, power }) => [publicKey, power]));
  let sum = 0n;
  for (const { publicKey, power } of validatorChanges(before, after)) {
    const moved = BigInt(power) - BigInt(powers.get(publicKey) ?? 0);
    sum += moved < 0n ? -moved : moved;
  }
  return sum;
}

/**
 * True when one block may turn one set into the other: the moved power is less than a third of the power before it. More than two thirds of
 * the old power still signs then, so the chain goes on without the rest, and light clients that trust the old set accept the new one.
 */
export function isChangeWithinBound(before: readonly ValidatorPower[], after: readonly ValidatorPower[]): boolean {
  return POWER_CHANGE_DIVISOR * movedPower(before, after) < totalPower(before);
}
