/** The payments of a file: `to` and `amount`, and `reference`, `validUntil` and `nonce` if the caller has chosen them. @module */
import { parseAddress } from '../../../client/src/crypto/address.ts';
import { isOnCurve } from '../../../client/src/crypto/curve.ts';
import { REFERENCE_PATTERN } from '../../../client/src/limits.ts';
import { parseAmount } from '../../../client/src/amount.ts';
import type { Chain } from '../../../client/src/index.ts';
import { addressOf } from '../accounts.ts';
import { isNonce } from '../amounts.ts';
import { parseEnd } from '../moment.ts';
import { placeOf, type FileFault, type Place } from './file-faults.ts';
import { hintFor, spoiltCell } from './spreadsheet-cells.ts';
import { readTable, type TableRow } from './table-file.ts';

export interface FilePayment {
  readonly place: Place;
  readonly to: string;
  /** The text of the file, until `inMinorUnits` has parsed it. */
  readonly amount: string;
  readonly reference: string | undefined;
  /** Whole Unix seconds. */
  readonly validUntil: number | undefined;
  /** Undefined: the next nonce. */
  readonly nonce: number | undefined;
}

/** The payments without a fault in the order of the file, and all faults that can be found without the service. */
export interface PaymentFile {
  readonly payments: readonly FilePayment[];
  readonly faults: readonly FileFault[];
}

type Report = (member: keyof FilePayment, message: string) => void;

/** Digits followed by a currency, whose value depends on the chain. */
const WITH_CURRENCY = /^\d.*\p{L}/su;
/** For whole minor units the currency makes no difference. */
const ANY_CURRENCY = { code: 'XXX', scale: 0 } as const;

export function readPayments(file: string): PaymentFile {
  const table = readTable(file, { required: ['to', 'amount'], optional: ['reference', 'validUntil', 'nonce'] });
  const faults = [...table.faults];
  const isPayable = receiverCheck();
  const payments = table.rows.flatMap((row) => {
    const before = faults.length;
    const payment = paymentOf(row, isPayable, (member, message) => {
      const cell = row.cells[member] ?? '';
      faults.push({ ...row.place, member, message: spoiltCell(cell) ?? `${message}${hintFor(cell)}` });
    });
    return faults.length === before ? [payment] : [];
  });
  faults.push(...sharedNonces(payments));
  return { payments, faults };
}

function paymentOf({ place, cells }: TableRow, receiverFault: ReceiverCheck, report: Report): FilePayment {
  const { to = '', amount = '', reference = '', validUntil = '', nonce = '' } = cells;
  const receiver = addressOf(to);
  const unpayable = to === '' ? 'it is empty; expected the address that is paid.' : receiverFault(receiver);
  if (unpayable !== undefined) report('to', unpayable);
  checkAmount(amount, report);
  if (nonce !== '' && !isNonce(nonce))
    report('nonce', `the nonce ${JSON.stringify(nonce)} is no whole number up to 2^53 - 1.`);
  // No spreadsheet wrote JSON, so such a reference is intended there.
  const isSpoilt = 'line' in place && spoiltCell(reference) !== undefined;
  if (reference !== '' && (isSpoilt || !REFERENCE_PATTERN.test(reference)))
    report(
      'reference',
      `the reference ${JSON.stringify(reference)} is not 1 to 140 printable ASCII characters without " and \\.`,
    );
  return {
    place,
    to: receiver,
    amount,
    reference: reference === '' ? undefined : reference,
    validUntil: validUntil === '' ? undefined : endIn(validUntil, report),
    nonce: nonce === '' ? undefined : Number(nonce),
  };
}

function checkAmount(amount: string, report: Report): void {
  if (WITH_CURRENCY.test(amount) && spoiltCell(amount) === undefined) return;
  const written = JSON.stringify(amount);
  const parsed = /^\d+$/.test(amount) ? parseAmount(amount, ANY_CURRENCY) : undefined;
  if (parsed?.ok === true) return;
  if (parsed?.reason === 'range' && /[1-9]/.test(amount))
    report('amount', `the amount ${amount} is more than 2^128 - 1, the largest there is.`);
  else
    report(
      'amount',
      `the amount ${written} is no whole number of minor units without a leading zero, and no currency follows it.`,
    );
}

/** Parses the amounts by the chain's currency; a faulty one becomes ''. */
export function inMinorUnits(
  payments: readonly FilePayment[],
  { currency }: Pick<Chain, 'currency'>,
): { payments: FilePayment[]; faults: FileFault[] } {
  const faults: FileFault[] = [];
  const read = payments.map((payment) => {
    const parsed = parseAmount(payment.amount, currency);
    if (parsed.ok) return { ...payment, amount: `${parsed.minorUnits}` };
    const message = `the amount ${JSON.stringify(payment.amount)} cannot be read: ${parsed.message}.${hintFor(payment.amount)}`;
    faults.push({ ...payment.place, member: 'amount', message });
    return { ...payment, amount: '' };
  });
  return { payments: read, faults };
}

/** Returns faults for repeated nonces: the second payment would be refused after the first one is paid. */
function sharedNonces(payments: readonly FilePayment[]): FileFault[] {
  const first = new Map<number, Place>();
  return payments.flatMap(({ place, nonce }) => {
    if (nonce === undefined) return [];
    const other = first.get(nonce);
    first.set(nonce, other ?? place);
    if (other === undefined) return [];
    const message = `the nonce ${nonce} is that of ${placeOf(other)}, and only one transfer can have it.`;
    return [{ ...place, member: 'nonce', message }];
  });
}

function endIn(text: string, report: Report): number | undefined {
  try {
    return Math.floor(parseEnd(text).getTime() / 1000);
  } catch {
    report(
      'validUntil',
      `validUntil ${JSON.stringify(text)} is neither a moment such as 2026-11-22T17:30:00Z nor Unix time in whole seconds.`,
    );
    return undefined;
  }
}

/** The network of the chain is not known here. */
const FORMAT =
  'an address is txl1, or txlt1 on a development or test chain, and 58 lower-case characters of the bech32 alphabet';

/** Returns the fault of a receiver that no chain can pay; undefined for a valid receiver. */
type ReceiverCheck = (to: string) => string | undefined;

/** A payment that can never be accepted would block all later ones. Each address is checked once. */
function receiverCheck(): ReceiverCheck {
  const known = new Map<string, string | undefined>();
  return (to) => {
    if (known.has(to)) return known.get(to);
    const parsed = parseAddress(to, to.startsWith('txlt') ? 'txlt' : 'txl');
    const why = !parsed.ok
      ? parsed.reason === 'format'
        ? FORMAT
        : parsed.message
      : isOnCurve(parsed.publicKey)
        ? undefined
        : 'its key is no point of the curve, so money sent there is lost';
    const message = why === undefined ? undefined : `${JSON.stringify(to)} is no address that can be paid: ${why}.`;
    known.set(to, message);
    return message;
  };
}

/** Returns faults for receivers of another network, which depend on the chain. */
export function foreignReceivers(
  payments: readonly FilePayment[],
  { addressPrefix }: Pick<Chain, 'addressPrefix'>,
): FileFault[] {
  return payments
    .filter(({ to }) => !to.startsWith(`${addressPrefix}1`))
    .map(({ place, to }) => ({
      ...place,
      member: 'to',
      message: `${to} is an address of another network: those of this one start with ${addressPrefix}1.`,
    }));
}
