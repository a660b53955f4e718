/**
 * Steps by which a validator's power changes: a block moves less than a third of all power, so a large change takes several blocks.
 *
 * @module
 */
import { POWER_CHANGE_DIVISOR, totalPower, type ValidatorPower } from '../../ledger/index.ts';

export interface PowerSteps {
  /** The powers to set, one in each block; the last one is the target unless `complete` is false. */
  readonly powers: readonly number[];
  /** False if the total power becomes so small on the way that every change is a third of it or more. */
  readonly complete: boolean;
}

/** The largest change in one block for a total power before it: the ledger's bound is 3 x moved < total. */
export function largestMove(total: bigint): bigint {
  return total === 0n ? 0n : (total - 1n) / POWER_CHANGE_DIVISOR;
}

/** The fewest steps to `target`, if nothing else changes. Empty if the power is already that. */
export function powerSteps(validators: readonly ValidatorPower[], publicKey: string, target: number): PowerSteps {
  const others = totalPower(validators.filter((validator) => validator.publicKey !== publicKey));
  const wanted = BigInt(target);
  let power = BigInt(validators.find((validator) => validator.publicKey === publicKey)?.power ?? 0);
  const powers: number[] = [];
  while (power !== wanted) {
    const most = largestMove(others + power);
    if (most === 0n) return { powers, complete: false };
    const left = wanted > power ? wanted - power : power - wanted;
    const move = left < most ? left : most;
    power += wanted > power ? move : -move;
    powers.push(Number(power));
  }
  return { powers, complete: true };
}
