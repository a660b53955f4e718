/** Names and secrets that are made of random bytes. */
import type { RandomSource } from '../../engine/ports.ts';
import { SECRET_BYTES } from './limits.ts';

/** 32 characters, so that each is five bits of a byte. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuv';
/** 130 bits: none is ever made twice. */
const NAME_CHARS = 26;

export type NamePrefix = 'wh' | 'test' | 'disabled' | 'replay' | 'audit';

export function newName(prefix: NamePrefix, random: RandomSource): string {
  return `${prefix}_${Array.from(random.bytes(NAME_CHARS), (byte) => ALPHABET[byte & 31]).join('')}`;
}

/** The form of a symmetric key in Standard Webhooks. */
export const newSecret = (random: RandomSource): string =>
  `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`;
