/** Determines the possible meanings of a text in the search field, without a request to the service. */
import { parseAddress } from '../../../../../client/src/crypto/address.ts';
import { REFERENCE_PATTERN } from '../../../../../client/src/limits.ts';

export interface SearchChain {
  readonly addressPrefix: 'txl' | 'txlt';
  /** Names of the accounts of a development chain, `dev-0` to `dev-9`; empty on other chains. */
  readonly names: readonly string[];
}

export type Meant =
  | { readonly kind: 'nothing' }
  /** Hash of a transaction or of a block, in upper case. */
  | { readonly kind: 'hash'; readonly hash: string }
  /** A number, which may also be a reference. */
  | { readonly kind: 'height'; readonly height: number; readonly reference: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'reference'; readonly reference: string }
  /** The text nearly has a known form; the message states its fault. */
  | { readonly kind: 'fault'; readonly message: string };

const HASH = /^(?:0x)?([0-9a-f]{64})$/i;
/** So many hex digits are unlikely as a reference: they are a hash that lost some of its digits. */
const NEARLY_HASH = /^(?:0x)?([0-9a-f]{40,})$/i;
const HEIGHT = /^#?(\d{1,16})$/;
const NAME = /^dev-\d+$/i;
const ADDRESS = /^txlt?1/i;

export function classify(typed: string, { addressPrefix, names }: SearchChain): Meant {
  const text = typed.trim();
  if (text === '') return { kind: 'nothing' };
  const hash = HASH.exec(text)?.[1];
  if (hash !== undefined) return { kind: 'hash', hash: hash.toUpperCase() };
  const digits = NEARLY_HASH.exec(text)?.[1];
  if (digits !== undefined)
    return { kind: 'fault', message: `It looks like a hash, which has 64 hex digits; this has ${digits.length}.` };
  if (ADDRESS.test(text)) {
    const address = text.toLowerCase();
    const parsed = parseAddress(address, addressPrefix);
    return parsed.ok
      ? { kind: 'address', address }
      : { kind: 'fault', message: `It looks like an address, but ${parsed.message}.` };
  }
  if (NAME.test(text) && names.length > 0) {
    const name = text.toLowerCase();
    return names.includes(name)
      ? { kind: 'name', name }
      : { kind: 'fault', message: `It looks like a development account; they are ${names[0]} to ${names.at(-1)}.` };
  }
  const height = Number(HEIGHT.exec(text)?.[1]);
  if (height >= 1 && Number.isSafeInteger(height)) return { kind: 'height', height, reference: text };
  if (REFERENCE_PATTERN.test(text)) return { kind: 'reference', reference: text };
  return {
    kind: 'fault',
    message:
      'It is no hash, height, address or reference. A reference has 1 to 140 printable ASCII characters without " and \\.',
  };
}
