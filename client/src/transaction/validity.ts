/**
 * The end of a transfer's validity, in the caller's form and in the signed one: whole Unix seconds, in the time of blocks.
 *
 * A duration counts from the chain's time, because the end is compared with the time of blocks. A local clock that is wrong by an hour
 * would make every payment late or valid for an hour too long, and no one would notice before it mattered.
 */
import { getChain } from '../actions/getChain.ts';
import type { Client } from '../client.ts';
import type { Chain } from '../contract.ts';
import type { Deadline } from '../deadline.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { VALID_FOR_MS_MIN, VALID_UNTIL_S_MAX } from '../limits.ts';

/** The validity of a transfer, in one of two forms; without both it is valid forever. */
export interface Validity {
  /**
   * The latest time of a block that may hold the transfer; a fraction of a second is cut off. After it the transfer can never execute, and
   * ends `expired`. Without it a transfer is valid forever.
   */
  readonly validUntil?: Date | undefined;
  /**
   * The same as a duration in milliseconds, at least 1,000, counted from the chain's time when the call is made (see `chainTimeMs`), which
   * is requested from the service. Give one of the two.
   */
  readonly validForMs?: number | undefined;
}

const MS_PER_S = 1000;

/** Rounded down, so that a transfer is never valid for longer than the caller requested. */
export function unixSecondOf(validUntil: Date, argument = 'validUntil'): number {
  const second = validUntil instanceof Date ? Math.floor(validUntil.getTime() / MS_PER_S) : Number.NaN;
  if (!(second >= 1 && second <= VALID_UNTIL_S_MAX))
    throw new InvalidArgumentError(argument, 'is a Date between 1970 and the end of 9999');
  return second;
}

/** Refuses a validity that can never be valid, before any request is made. */
export function checkValidity({ validUntil, validForMs }: Validity): void {
  if (validUntil !== undefined) unixSecondOf(validUntil);
  if (validForMs === undefined) return;
  if (validUntil !== undefined)
    throw new InvalidArgumentError('validForMs', 'is given without validUntil: one end is enough');
  if (!(Number.isFinite(validForMs) && validForMs >= VALID_FOR_MS_MIN))
    throw new InvalidArgumentError('validForMs', `is a number of milliseconds, at least ${VALID_FOR_MS_MIN}`);
}

/**
 * The chain's time, from which a validity with a duration counts: the later of `lastBlockTime` and `serviceTime`. The last block of an idle
 * chain can be two minutes old, and the next one has the service's time. A service of contract 1.6.0 has only `lastBlockTime`, and its
 * chain is never that idle.
 *
 * @example
 * const validUntil = new Date(chainTimeMs(await getChain(client)) + 900_000);
 */
export function chainTimeMs({
  lastBlockTime,
  serviceTime = lastBlockTime,
}: Pick<Chain, 'lastBlockTime' | 'serviceTime'>): number {
  return Math.max(Date.parse(lastBlockTime), Date.parse(serviceTime));
}

/** The ends of several validities. The chain's time is requested once, and only if one of them is a duration. */
export async function endsOf(
  client: Client,
  validities: readonly Validity[],
  deadline: Deadline,
): Promise<(Date | undefined)[]> {
  for (const validity of validities) checkValidity(validity);
  if (!validities.some(({ validForMs }) => validForMs !== undefined))
    return validities.map(({ validUntil }) => validUntil);
  const nowMs = chainTimeMs(await getChain(client, deadline));
  return validities.map(({ validUntil, validForMs }) => {
    if (validForMs === undefined) return validUntil;
    const end = new Date(nowMs + validForMs);
    unixSecondOf(end, 'validForMs');
    return end;
  });
}
