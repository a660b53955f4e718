/**
 * A posting: records that a change concerns an account, and what the account's statement shows of it. The postings of an account sort in
 * the order of the chain, and each is a position in its statement: a cursor holds one.
 */

/** The order counts: the debit of a transfer to oneself comes before its credit. */
export const PART = { out: 0, in: 1, hidden: 2 } as const;
export type Part = (typeof PART)[keyof typeof PART];

const PARTS = 4;

export const postingOf = (ordinal: number, part: Part): number => ordinal * PARTS + part;
export const ordinalOf = (posting: number): number => Math.floor(posting / PARTS);
export const partOf = (posting: number): Part => (posting % PARTS) as Part;
/** All postings of the changes before this one are below. */
export const firstPostingOf = (ordinal: number): number => ordinal * PARTS;

/** Postings in one row: the row stays below what SQLite keeps inside a page of an index. */
export const CHUNK_POSTINGS = 224;

const OFFSET_BYTES = 4;

/** Ascending postings as offsets from the first posting of their run. */
export function encodeChunk(offsets: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(offsets.length * OFFSET_BYTES);
  for (const [index, offset] of offsets.entries()) bytes.writeUInt32LE(offset, index * OFFSET_BYTES);
  return bytes;
}

export function decodeChunk(bytes: Buffer, base: number): number[] {
  const postings: number[] = [];
  for (let at = 0; at < bytes.length; at += OFFSET_BYTES) postings.push(base + bytes.readUInt32LE(at));
  return postings;
}
