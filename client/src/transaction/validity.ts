/**
 * The end of a transfer's validity, as callers say it and as it is signed: whole Unix seconds, in the time of blocks.
 *
 * A duration counts from the time of the chain's last block, which is what the end is compared with. A local clock that is wrong by an hour would make
 * every payment late or valid for an hour too long, and no one would notice before it mattered.
 */
import { getChain } from '../actions/getChain.ts';
import type { Client } from '../client.ts';
import type { Chain } from '../contract.ts';
import type { Deadline } from '../deadline.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { VALID_FOR_MS_MIN, VALID_UNTIL_S_MAX } from '../limits.ts';

/** How long a transfer is valid, in one of two ways; without both it is valid forever. */
export interface Validity {
  /**
   * The last moment at which a block may hold the transfer, by the time of the block; a fraction of a second is cut off. After it the transfer can never
   * execute, and ends `expired`. Without it a transfer is valid forever.
   */
  readonly validUntil?: Date | undefined;
  /**
   * The same as a duration in milliseconds, at least 1,000, counted from the time of the chain's last block when the call is made; the service is asked for it. Give
   * one of the two.
   */
  readonly validForMs?: number | undefined;
}

const MS_PER_S = 1000;

/** Rounded down, so that a transfer is never valid for longer than the caller said. */
export function unixSecondOf(validUntil: Date, argument = 'validUntil'): number {
  const second = validUntil instanceof Date ? Math.floor(validUntil.getTime() / MS_PER_S) : Number.NaN;
  if (!(second >= 1 && second <= VALID_UNTIL_S_MAX))
    throw new InvalidArgumentError(argument, 'is a Date between 1970 and the end of 9999');
  return second;
}

/** Refuses what can never work, before anything is asked or sent. */
export function checkValidity({ validUntil, validForMs }: Validity): void {
  if (validUntil !== undefined) unixSecondOf(validUntil);
  if (validForMs === undefined) return;
  if (validUntil !== undefined)
    throw new InvalidArgumentError('validForMs', 'is given without validUntil: one end is enough');
  if (!(Number.isFinite(validForMs) && validForMs >= VALID_FOR_MS_MIN))
    throw new InvalidArgumentError('validForMs', `is a number of milliseconds, at least ${VALID_FOR_MS_MIN}`);
}

/**
 * What a validity that lasts for a while counts from: the chain's time. The last block of an idle chain can be two minutes old, and the next one
 * has the service's time; a service of contract 1.6.0 tells only the first, and is never that idle.
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

/** The ends of several validities. The chain is asked for its time once, and only if a duration is among them. */
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
