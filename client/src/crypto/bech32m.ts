/**
 * Bech32m (BIP 350), as far as addresses need it: lower case, 32 bytes of data.
 *
 * It is forty lines of our own and not a library: the well-maintained libraries are ES modules only (CommonJS on the oldest supported Node
 * could not load them) and larger than everything else that signing needs. The published vectors check it.
 */
import type { Bytes } from './bytes.ts';

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_WORDS = 6;
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** The remainder of the checksum polynomial in each of the two encodings (BIP 173, BIP 350). */
export const BECH32_REMAINDER = 1;
export const BECH32M_REMAINDER = 0x2bc830a3;

function polymod(values: readonly number[]): number {
  let checksum = 1;
  for (const value of values) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    GENERATOR.forEach((term, bit) => {
      if ((top >>> bit) & 1) checksum ^= term;
    });
  }
  return checksum;
}

function expandPrefix(prefix: string): number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
}

/** Regroups bits, most significant first; the remaining bits at the end are dropped or, with `pad`, filled up with zeros. */
function regroup(values: Iterable<number>, fromBits: number, toBits: number, pad: boolean): number[] {
  const result: number[] = [];
  let bits = 0;
  let kept = 0;
  for (const value of values) {
    bits = (bits << fromBits) | value;
    kept += fromBits;
    while (kept >= toBits) {
      kept -= toBits;
      result.push(bits >>> kept);
      bits &= (1 << kept) - 1;
    }
  }
  if (pad && kept > 0) result.push(bits << (toBits - kept));
  return result;
}

export function encodeBech32m(prefix: string, bytes: Uint8Array): string {
  const words = regroup(bytes, 8, 5, true);
  const checksum =
    polymod([...expandPrefix(prefix), ...words, ...Array<number>(CHECKSUM_WORDS).fill(0)]) ^ BECH32M_REMAINDER;
  for (let i = CHECKSUM_WORDS - 1; i >= 0; i--) words.push((checksum >>> (5 * i)) & 31);
  return `${prefix}1${words.map((word) => ALPHABET.charAt(word)).join('')}`;
}

/**
 * Splits a text in the form of an address. `remainder` shows whether the checksum is bech32m's. `padded`: all bits beyond the last whole
 * byte are zero; otherwise two texts would mean the same bytes.
 */
export function decodeBech32(text: string): { prefix: string; bytes: Bytes; remainder: number; padded: boolean } {
  const separator = text.lastIndexOf('1');
  const prefix = text.slice(0, separator);
  const words = Array.from(text.slice(separator + 1), (character) => ALPHABET.indexOf(character));
  const data = words.slice(0, -CHECKSUM_WORDS);
  const bytes = Uint8Array.from(regroup(data, 5, 8, false));
  const spare = (data.length * 5) % 8;
  const padded = ((data.at(-1) ?? 0) & ((1 << spare) - 1)) === 0;
  return { prefix, bytes, remainder: polymod([...expandPrefix(prefix), ...words]), padded };
}
