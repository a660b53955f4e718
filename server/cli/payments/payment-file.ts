/** The payments of a file: `to` and `amount`, and `reference`, `validUntil` and `nonce` where the caller has chosen them. @module */
import { parseAddress } from '../../../client/src/crypto/address.ts';
import { isOnCurve } from '../../../client/src/crypto/curve.ts';
import { REFERENCE_PATTERN } from '../../../client/src/limits.ts';
import type { Chain } from '../../../client/src/index.ts';
import { addressOf } from '../accounts.ts';
import { isAmount, isNonce } from '../amounts.ts';
import { CommandError } from '../failure.ts';
import { parseEnd } from '../moment.ts';
import { readTable } from './table-file.ts';

export interface FilePayment {
  readonly to: string;
  readonly amount: string;
  readonly reference: string | undefined;
  /** Whole Unix seconds. */
  readonly validUntil: number | undefined;
  /** Undefined: the next one. */
  readonly nonce: number | undefined;
}

/** The largest amount of the contract. */
const AMOUNT_MAX = 2n ** 128n - 1n;

export function readPayments(file: string): FilePayment[] {
  const payments = readTable(file, { required: ['to', 'amount'], optional: ['reference', 'validUntil', 'nonce'] }).map(
    ({ to = '', amount = '', reference = '', validUntil = '', nonce = '' }, index) => {
      const where = `${file}, payment ${index + 1}`;
      if (!isAmount(amount))
        throw new CommandError(
          `${where}: the amount ${JSON.stringify(amount)} is no whole number of minor units without a leading zero.`,
        );
      if (BigInt(amount) > AMOUNT_MAX)
        throw new CommandError(`${where}: the amount ${amount} is more than 2^128 - 1, the largest there is.`);
      if (nonce !== '' && !isNonce(nonce))
        throw new CommandError(`${where}: the nonce ${JSON.stringify(nonce)} is no whole number up to 2^53 - 1.`);
      if (reference !== '' && !REFERENCE_PATTERN.test(reference)) {
        throw new CommandError(
          `${where}: the reference ${JSON.stringify(reference)} is not 1 to 140 printable ASCII characters without " and \\.`,
        );
      }
      return {
        to: addressOf(to),
        amount,
        reference: reference === '' ? undefined : reference,
        validUntil: validUntil === '' ? undefined : endIn(where, validUntil),
        nonce: nonce === '' ? undefined : Number(nonce),
      };
    },
  );
  refuseSharedNonce(file, payments);
  return payments;
}

/** The second payment of a nonce would be refused when the first is already paid. */
function refuseSharedNonce(file: string, payments: readonly FilePayment[]): void {
  const first = new Map<number, number>();
  for (const [index, { nonce }] of payments.entries()) {
    if (nonce === undefined) continue;
    const other = first.get(nonce);
    if (other !== undefined)
      throw new CommandError(
        `${file}, payment ${index + 1}: the nonce ${nonce} is that of payment ${other + 1}, and only one transfer can have it.`,
      );
    first.set(nonce, index);
  }
}

function endIn(where: string, text: string): number {
  try {
    return Math.floor(parseEnd(text).getTime() / 1000);
  } catch {
    throw new CommandError(
      `${where}: validUntil ${JSON.stringify(text)} is neither a moment such as 2026-11-22T17:30:00Z nor Unix time in whole seconds.`,
    );
  }
}

/** Checked before anything is signed: one payment that can never be accepted would hold up all after it. */
export function checkReceivers(
  file: string,
  payments: readonly FilePayment[],
  { addressPrefix }: Pick<Chain, 'addressPrefix'>,
): void {
  const good = new Set<string>();
  for (const [index, { to }] of payments.entries()) {
    if (good.has(to)) continue;
    const parsed = parseAddress(to, addressPrefix);
    const why = !parsed.ok
      ? parsed.message
      : isOnCurve(parsed.publicKey)
        ? undefined
        : 'its key is no point of the curve, so money sent there is lost';
    if (why !== undefined)
      throw new CommandError(`${file}, payment ${index + 1}: ${to} is no address that can be paid: ${why}.`);
    good.add(to);
  }
}
