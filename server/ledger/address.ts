/**
 * Addresses: bech32m (BIP 350) of a 32-byte Ed25519 public key.
 *
 * An address *is* its key, so a transaction needs no separate key field and a weak key is refused wherever an address is read.
 */
import { bech32, bech32m } from '@scure/base';
import { ownText } from './bytes.ts';
import type { AddressPrefix } from './chain.ts';
import { isStrictPublicKey } from './ed25519.ts';
import { PUBLIC_KEY_BYTES } from './ed25519-strict.ts';
import { ADDRESS_CACHE_ENTRIES_MAX } from './limits.ts';

/** Form of every address before its checksum is checked: lower case, bech32's alphabet, 58 characters after the separator. */
export const ADDRESS_PATTERN = /^txlt?1[02-9ac-hj-np-z]{58}$/;

export type AddressFault = 'format' | 'checksum' | 'not_bech32m' | 'wrong_network' | 'weak_key';

export type ParsedAddress =
  /** `publicKey` is shared between calls: read it, never write it. */
  | { readonly ok: true; readonly publicKey: Uint8Array }
  | { readonly ok: false; readonly reason: AddressFault; readonly message: string };

type Accepted = Extract<ParsedAddress, { ok: true }>;

/*
 * Cache of decoded addresses: decoding costs about 6 us and the same few addresses come again and again. Two generations bound the memory:
 * when the young one is full it becomes the old one, and entries still in use move back up. Only results are cached, so the function stays
 * pure.
 */
let young = new Map<string, Accepted>();
let old = new Map<string, Accepted>();

function remember(text: string, parsed: Accepted): void {
  if (young.size >= ADDRESS_CACHE_ENTRIES_MAX) {
    old = young;
    young = new Map();
  }
  // The text is often cut out of a line with a whole transfer; the cache would keep that line in memory with it.
  young.set(ownText(text), parsed);
}

function fault(reason: AddressFault, message: string): ParsedAddress {
  return { ok: false, reason, message };
}

/** Parses one address of the network with this prefix; a refusal says what is wrong, in the order format, checksum, network, key. */
export function parseAddress(text: string, prefix: AddressPrefix): ParsedAddress {
  const separator = text.indexOf('1');
  const wrongNetwork = separator !== prefix.length || !text.startsWith(prefix);
  if (!wrongNetwork) {
    const recent = young.get(text);
    if (recent) return recent;
    const earlier = old.get(text);
    if (earlier) {
      remember(text, earlier);
      return earlier;
    }
  }
  if (!ADDRESS_PATTERN.test(text)) {
    return fault('format', `an address is ${prefix}1 and 58 lower-case characters of the bech32 alphabet`);
  }
  const decoded = bech32m.decodeUnsafe(text);
  if (!decoded) {
    if (bech32.decodeUnsafe(text))
      return fault('not_bech32m', 'the checksum is that of bech32; addresses are bech32m (BIP 350)');
    return fault('checksum', 'the checksum does not match: a character was changed, lost or swapped');
  }
  if (wrongNetwork)
    return fault('wrong_network', `the address is of another network: this one's addresses start with ${prefix}1`);
  const publicKey = bech32m.fromWordsUnsafe(decoded.words);
  if (!publicKey || publicKey.length !== PUBLIC_KEY_BYTES)
    return fault('format', 'the 4 padding bits of an address must be zero');
  if (!isStrictPublicKey(publicKey))
    return fault('weak_key', 'the key is not canonical or of small order: anyone could sign for it');
  const parsed: Accepted = { ok: true, publicKey };
  remember(text, parsed);
  return parsed;
}

/** The address of a key on the network with this prefix. Throws if the key is not 32 bytes; it does not check the key otherwise. */
export function encodeAddress(publicKey: Uint8Array, prefix: AddressPrefix): string {
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    throw new RangeError(`a public key is ${PUBLIC_KEY_BYTES} bytes, got ${publicKey.length}`);
  return bech32m.encode(prefix, bech32m.toWords(publicKey));
}
