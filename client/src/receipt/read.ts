/**
 * Parses the texts of a receipt. Each value has exactly one valid text and every other form is refused, so that any changed byte of a
 * receipt is noticed.
 */
import type { Bytes } from '../crypto/bytes.ts';
import { fromHex } from '../crypto/hex.ts';
import { InvalidReceiptError } from '../errors/InvalidReceiptError.ts';
import { join, numberField } from './wire.ts';

const NOT_ITS_FORM = 'a member is missing or not in its one form';

function demandForm(holds: boolean): asserts holds {
  if (!holds) throw new InvalidReceiptError('form', NOT_ITS_FORM);
}

export function hexBytes(text: string): Bytes {
  const bytes = /^[0-9A-F]*$/.test(text) ? fromHex(text) : undefined;
  demandForm(bytes !== undefined);
  return bytes;
}

export function base64Bytes(text: string): Bytes {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  demandForm(toBase64(bytes) === text);
  return bytes;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Null is the only valid form of zero bytes. */
export function optionalBytes(text: string | null): Bytes {
  const bytes = text === null ? join() : base64Bytes(text);
  demandForm(text === null || bytes.length > 0);
  return bytes;
}

export function integer(text: string): bigint {
  demandForm(typeof text === 'string' && /^(0|-?[1-9]\d{0,18})$/.test(text));
  return BigInt(text);
}

export function count(value: number): number {
  demandForm(Number.isSafeInteger(value) && value >= 0);
  return value;
}

/** Seconds and nanoseconds of a time, encoded. */
export function timeBytes(text: string): Bytes {
  const [, toSecond, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{0,8}[1-9]))?Z$/.exec(text) ?? [];
  const ms = Date.parse(`${toSecond}Z`);
  demandForm(ms === ms && new Date(ms).toISOString() === `${toSecond}.000Z`);
  return join(numberField(1, ms / 1000), numberField(2, Number(fraction.padEnd(9, '0'))));
}
