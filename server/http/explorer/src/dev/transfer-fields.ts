/** Parses the form of a transfer: the typed text becomes the values to sign, or faults of its fields. It needs no browser. */
import { parseAmount, type ParsedAmount } from '../../../../../client/src/amount.ts';
import type { Currency } from '../../../../../client/src/contract.ts';
import { REFERENCE_PATTERN } from '../../../../../client/src/limits.ts';
import { classify } from '../search/classify.ts';

export interface TypedTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly reference: string;
  /** The value of `datetime-local`, in the reader's zone; empty if unset. */
  readonly validUntil: string;
  /** Empty: the next nonce. */
  readonly nonce: string;
}

export interface NamedAccount {
  readonly name: string;
  readonly address: string;
}

export interface TransferToSend {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly reference: string | undefined;
  readonly validUntil: Date | undefined;
  /** Undefined: the next nonce. */
  readonly nonce: number | undefined;
}

export type Faults = Partial<Record<keyof TypedTransfer, string>>;

export function readTransfer(
  typed: TypedTransfer,
  {
    accounts,
    addressPrefix,
    currency,
  }: { accounts: readonly NamedAccount[]; addressPrefix: 'txl' | 'txlt'; currency: Currency },
): { readonly transfer: TransferToSend | undefined; readonly faults: Faults } {
  const faults: Faults = {};
  const from = accounts.find(({ name }) => name === typed.from)?.address;
  if (from === undefined) faults.from = 'Choose an account whose key this page has.';
  const to = receiver(typed.to.trim(), accounts, addressPrefix);
  if ('fault' in to) faults.to = to.fault;
  const amount = readAmount(typed.amount.trim(), currency);
  if (!amount.ok) faults.amount = `${amount.message.charAt(0).toUpperCase()}${amount.message.slice(1)}.`;
  const reference = typed.reference === '' ? undefined : typed.reference;
  if (reference !== undefined && !REFERENCE_PATTERN.test(reference))
    faults.reference =
      'A reference has 1 to 140 printable ASCII characters without " and \\, and no space at its ends.';
  const validUntil = typed.validUntil === '' ? undefined : new Date(typed.validUntil);
  if (validUntil !== undefined && Number.isNaN(validUntil.getTime())) faults.validUntil = 'Write a day and a time.';
  const nonce = typed.nonce.trim() === '' ? undefined : Number(typed.nonce);
  if (nonce !== undefined && !(/^\d{1,16}$/.test(typed.nonce.trim()) && Number.isSafeInteger(nonce)))
    faults.nonce = 'A nonce is a whole number from 0 on.';
  if (Object.keys(faults).length > 0 || from === undefined || 'fault' in to || !amount.ok)
    return { transfer: undefined, faults };
  return { transfer: { from, to: to.address, amount: amount.minorUnits, reference, validUntil, nonce }, faults };
}

/** Parses an amount. The label of the field has the currency, so the text may leave it out. */
function readAmount(text: string, currency: Currency): ParsedAmount {
  const { code } = currency;
  const isNamed = text.endsWith(code) && !/^[\d.,]+$/.test(text);
  return parseAmount(isNamed ? text : `${text} ${code}`, currency);
}

function receiver(
  text: string,
  accounts: readonly NamedAccount[],
  addressPrefix: 'txl' | 'txlt',
): { address: string } | { fault: string } {
  const named = accounts.find(({ name }) => name === text.toLowerCase());
  if (named !== undefined) return { address: named.address };
  const meant = classify(text, { addressPrefix, names: [] });
  if (meant.kind === 'address') return { address: meant.address };
  const example = accounts[1]?.name ?? 'dev-1';
  return {
    fault:
      meant.kind === 'fault' && meant.message.includes('address')
        ? meant.message
        : `Write an address, or a name such as ${example}.`,
  };
}
