/**
 * Addresses: bech32m (BIP 350) of a 32-byte Ed25519 public key, `txl1...` on a production chain, `txlt1...` on a development or test chain.
 *
 * The checks are those of the service, so that a typing error is found without a round trip.
 */
import type { AddressPrefix } from '../contract.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { BECH32_REMAINDER, BECH32M_REMAINDER, decodeBech32, encodeBech32m } from './bech32m.ts';
import type { Bytes } from './bytes.ts';
import { isStrictPublicKey, PUBLIC_KEY_BYTES } from './ed25519.ts';

const ADDRESS_PATTERN = /^txlt?1[02-9ac-hj-np-z]{58}$/;

export type AddressFault = 'format' | 'checksum' | 'not_bech32m' | 'wrong_network' | 'weak_key';

export type ParsedAddress =
  | { readonly ok: true; readonly publicKey: Bytes }
  | { readonly ok: false; readonly reason: AddressFault; readonly message: string };

function fault(reason: AddressFault, message: string): ParsedAddress {
  return { ok: false, reason, message };
}

/**
 * Reads one address of the network with this prefix. The result has the first fault, in the order format, checksum, network, key.
 *
 * @example
 * const parsed = parseAddress(address, 'txl');
 * console.log(parsed.ok ? parsed.publicKey : parsed.message);
 */
export function parseAddress(text: string, prefix: AddressPrefix): ParsedAddress {
  if (!ADDRESS_PATTERN.test(text))
    return fault('format', `an address is ${prefix}1 and 58 lower-case characters of the bech32 alphabet`);
  const decoded = decodeBech32(text);
  if (decoded.remainder === BECH32_REMAINDER)
    return fault('not_bech32m', 'the checksum is that of bech32; addresses are bech32m (BIP 350)');
  if (decoded.remainder !== BECH32M_REMAINDER)
    return fault('checksum', 'the checksum does not match: a character was changed, lost or swapped');
  if (decoded.prefix !== prefix)
    return fault('wrong_network', `the address is of another network: this one's addresses start with ${prefix}1`);
  if (!decoded.padded) return fault('format', 'the 4 padding bits of an address must be zero');
  if (!isStrictPublicKey(decoded.bytes))
    return fault('weak_key', 'the key is not canonical or of small order: anyone could sign for it');
  return { ok: true, publicKey: decoded.bytes };
}

/**
 * The address of a key on the network with this prefix.
 *
 * @throws {InvalidArgumentError} The key is not 32 bytes.
 * @example
 * console.log(encodeAddress(signer.publicKey, 'txlt')); // 'txlt1...'
 */
export function encodeAddress(publicKey: Uint8Array, prefix: AddressPrefix): string {
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    throw new InvalidArgumentError('publicKey', `is ${PUBLIC_KEY_BYTES} bytes, got ${publicKey.length}`);
  return encodeBech32m(prefix, publicKey);
}
