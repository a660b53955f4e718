/**
 * Formats and parses amounts on a terminal, such as `12.34 EUR`, with the client's functions. `--json` and the files of commands have whole
 * minor units.
 *
 * @module
 */
import { getChain } from '../../client/src/actions/getChain.ts';
import { formatAmount, parseAmount } from '../../client/src/amount.ts';
import type { Client, Currency } from '../../client/src/index.ts';
import { CommandError } from './failure.ts';
import { wantsJson } from './output.ts';

/** Formats minor units, which may be negative. */
export type ShowAmount = (minorUnits: string | bigint) => string;

export const amountsIn =
  (currency: Currency): ShowAmount =>
  (minorUnits) =>
    formatAmount(minorUnits, currency);

/**
 * Requests the currency from the service, unless only a program reads the output. If the service does not answer, the command continues: a
 * number without a currency is minor units.
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

/**
 * Parses an amount into minor units. @param where name of its option or place, such as `--amount`. @throws CommandError that states the
 * expected form.
 */
export function readAmount(text: string, currency: Currency, where: string): bigint {
  const parsed = parseAmount(text, currency);
  if (!parsed.ok) throw new CommandError(`${where} ${JSON.stringify(text)}: ${parsed.message}.`);
  return parsed.minorUnits;
}

const NONCE = /^(0|[1-9][0-9]{0,15})$/;

/** True for a nonce. A longer number would be rounded to another nonce. */
export const isNonce = (text: string): boolean => NONCE.test(text) && Number.isSafeInteger(Number(text));
