/**
 * Cursors: the place where the next page of a list begins.
 *
 * Opaque text, because what it holds may change: a version, the seq below which the page begins, and a checksum over both and over the list
 * they belong to. A cursor that was altered, or is used with other filters, is refused: its page would belong to neither list. It gives no
 * access, so a checksum is enough.
 */
import { hash } from 'node:crypto';
import { CURSOR_CHARS_MAX } from '../limits.ts';
import type { ListQuery } from '../types.ts';

const VERSION = 1;
const SEQ_OFFSET = 1;
const CHECKSUM_OFFSET = 9;
const CHECKSUM_BYTES = 8;
const CURSOR_BYTES = CHECKSUM_OFFSET + CHECKSUM_BYTES;
const BASE64URL_PATTERN = /^[A-Za-z0-9_-]+$/;

/** The bound of the contract. A place that is an address takes 94 characters. */
const TEXT_CURSOR_CHARS_MAX = 256;

export type ListFilters = Pick<ListQuery, 'status' | 'from' | 'nonce' | 'to' | 'account' | 'reference'>;

export function encodeCursor(chainId: string, filters: ListFilters, seq: number): string {
  return encodePlace(listOf(chainId, filters), seq);
}

/** The seq, or undefined when the text is not a cursor of this list on this chain. */
export function decodeCursor(chainId: string, filters: ListFilters, cursor: string): number | undefined {
  return decodePlace(listOf(chainId, filters), cursor);
}

/** A place in a list that this text names. Base64url without padding. */
export function encodePlace(list: string, place: number): string {
  const bytes = Buffer.alloc(CURSOR_BYTES);
  bytes[0] = VERSION;
  bytes.writeBigUInt64BE(BigInt(place), SEQ_OFFSET);
  checksum(bytes, list).copy(bytes, CHECKSUM_OFFSET);
  return bytes.toString('base64url');
}

/**
 * The place, or undefined when the text is not a cursor of this list. Anyone can compute the checksum, so the place is checked too: none
 * past 2^53 was ever assigned, and PostgreSQL has no number past 2^63.
 */
export function decodePlace(list: string, cursor: string): number | undefined {
  if (cursor.length > CURSOR_CHARS_MAX || !BASE64URL_PATTERN.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes[0] !== VERSION) return undefined;
  if (bytes.toString('base64url') !== cursor) return undefined;
  if (!checksum(bytes, list).equals(bytes.subarray(CHECKSUM_OFFSET))) return undefined;
  const place = Number(bytes.readBigUInt64BE(SEQ_OFFSET));
  return Number.isSafeInteger(place) ? place : undefined;
}

/** A place that is a text, in a list that another text names. */
export function encodeText(list: string, text: string): string {
  const place = Buffer.from(text);
  return Buffer.concat([textChecksum(list, text), place]).toString('base64url');
}

/** Undefined when the text is not a cursor of this list. */
export function decodeText(list: string, cursor: string): string | undefined {
  if (cursor.length > TEXT_CURSOR_CHARS_MAX || !BASE64URL_PATTERN.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  const text = bytes.toString('utf8', CHECKSUM_BYTES);
  return textChecksum(list, text).equals(bytes.subarray(0, CHECKSUM_BYTES)) ? text : undefined;
}

const textChecksum = (list: string, text: string): Buffer =>
  hash('sha256', `${text}\n${list}`, 'buffer').subarray(0, CHECKSUM_BYTES);

function listOf(chainId: string, { status, from, nonce, to, account, reference }: ListFilters): string {
  // Only where there is one, so that the cursors of other lists stay as they were. A seq is a number and this is text, so the two cannot be
  // confused.
  const slot = nonce === undefined ? [] : [nonce];
  const named = reference === undefined ? [] : [reference];
  return JSON.stringify([chainId, status ?? '', from ?? '', to ?? '', account ?? '', ...slot, ...named]);
}

function checksum(bytes: Buffer, list: string): Buffer {
  const text = `${bytes.toString('hex', 0, CHECKSUM_OFFSET)}${list}`;
  // Every page has one. As text, because a whole digest as a buffer costs three times as much.
  return Buffer.from(hash('sha256', text, 'binary').slice(0, CHECKSUM_BYTES), 'latin1');
}
