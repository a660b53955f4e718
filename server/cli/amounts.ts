/**
 * Amounts as a terminal shows and takes them: `12.34 EUR`, by the client's functions. `--json` and the files that commands write have whole minor units.
 *
 * @module
 */
import { getChain } from '../../client/src/actions/getChain.ts';
import { formatAmount, parseAmount } from '../../client/src/amount.ts';
import type { Client, Currency } from '../../client/src/index.ts';
import { CommandError } from './failure.ts';
import { wantsJson } from './output.ts';

/** Minor units, perhaps negative, to text. */
export type ShowAmount = (minorUnits: string | bigint) => string;

export const amountsIn =
  (currency: Currency): ShowAmount =>
  (minorUnits) =>
    formatAmount(minorUnits, currency);

/**
 * Asks the service for its currency, unless no person reads the answer. A service that does not answer that is no reason to fail: a number without a
 * currency is minor units.
 */
export async function askAmounts(
  client: Client,
  options: { timeoutMs: number; signal?: AbortSignal },
): Promise<ShowAmount> {
  if (wantsJson()) return String;
  return getChain(client, { ...options, maxRetries: 0 }).then(
    ({ currency }) => amountsIn(currency),
    () => String,
  );
}

/** Reads an amount in minor units. @param where what had it, such as `--amount`. @throws CommandError that says what was expected. */
export function readAmount(text: string, currency: Currency, where: string): bigint {
  const parsed = parseAmount(text, currency);
  if (!parsed.ok) throw new CommandError(`${where} ${JSON.stringify(text)}: ${parsed.message}.`);
  return parsed.minorUnits;
}

const NONCE = /^(0|[1-9][0-9]{0,15})$/;

/** A longer number would be rounded to another nonce. */
export const isNonce = (text: string): boolean => NONCE.test(text) && Number.isSafeInteger(Number(text));
