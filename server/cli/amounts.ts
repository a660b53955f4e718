/**
 * Amounts as people read them: `12.34 EUR` where the chain names its currency, the plain number of minor units where it names none. Only what is shown
 * to a person comes through here: `--json`, files and every option have whole minor units, because `1` and `1.00` must not be two ways to say what is a
 * hundred times more.
 *
 * @module
 */
import { getChain } from '../../client/src/actions/getChain.ts';
import type { Chain, Client } from '../../client/src/index.ts';
import { wantsJson } from './output.ts';

/** Minor units, perhaps negative, to text. */
export type ShowAmount = (minorUnits: string | bigint) => string;

/** Without a code there is no decimal point either: a number without a unit is always minor units. */
export function amountsIn(currency: Chain['currency'] | undefined): ShowAmount {
  if (currency === undefined) return String;
  const { code, scale } = currency;
  return (minorUnits) => {
    const [, sign = '', digits = ''] = /^(-?)([0-9]+)$/.exec(String(minorUnits)) ?? [];
    const padded = digits.padStart(scale + 1, '0');
    const point = padded.length - scale;
    return `${sign}${padded.slice(0, point)}${scale === 0 ? '' : `.${padded.slice(point)}`} ${code}`;
  };
}

/** Asks the service for its currency, unless no person reads the answer. A service that does not say is no reason to fail: then it is minor units. */
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

const AMOUNT = /^[1-9][0-9]{0,38}$/;
const NONCE = /^(0|[1-9][0-9]{0,15})$/;

/** Whole minor units, as the contract writes them. Long enough for any amount; the client and the service say which are too large. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);

/** A longer number would be rounded to another nonce. */
export const isNonce = (text: string): boolean => NONCE.test(text) && Number.isSafeInteger(Number(text));
