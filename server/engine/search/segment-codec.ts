/**
 * A segment of the index on disk: its terms in buckets by hash, each bucket a directory and the numbers it points to.
 *
 * One row a term would cost an insertion for every attribute of every transaction, each to a random page; in buckets a segment of thousands
 * of transactions is about a thousand rows, written in order, and a term is found by one read.
 *
 * Directory: for each term, ascending by hash, TERM_BYTES of hash, uint32 start, uint32 count (little endian, in numbers).
 * Numbers: uint32 each, ordinals minus the first of the segment.
 */
import { TERM_BYTES } from './terms.ts';

export const BUCKETS = 1024;
const NUMBER_BYTES = 4;
const ENTRY_BYTES = TERM_BYTES + 2 * NUMBER_BYTES;

export interface Bucket {
  bucket: number;
  directory: Buffer;
  numbers: Buffer;
}

export interface TermEntry {
  /** The result of termHash. */
  hash: string;
  offsets: readonly number[];
}

export function bucketOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 4), 16) % BUCKETS;
}

export function encodeBucket(bucket: number, entries: TermEntry[]): Bucket {
  entries.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const directory = Buffer.alloc(entries.length * ENTRY_BYTES);
  const numbers = Buffer.alloc(entries.reduce((sum, { offsets }) => sum + offsets.length, 0) * NUMBER_BYTES);
  let start = 0;
  entries.forEach(({ hash, offsets }, i) => {
    const at = i * ENTRY_BYTES;
    directory.write(hash, at, 'hex');
    directory.writeUInt32LE(start, at + TERM_BYTES);
    directory.writeUInt32LE(offsets.length, at + TERM_BYTES + NUMBER_BYTES);
    for (const offset of offsets) numbers.writeUInt32LE(offset, NUMBER_BYTES * start++);
  });
  return { bucket, directory, numbers };
}

/** Position of the numbers of the term with this hash in its bucket; undefined when the bucket does not hold it. */
export function findTerm(directory: Buffer, hash: string): { start: number; count: number } | undefined {
  const wanted = Buffer.from(hash, 'hex');
  let low = 0;
  let high = directory.length / ENTRY_BYTES;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * ENTRY_BYTES;
    const order = wanted.compare(directory, at, at + TERM_BYTES);
    if (order === 0) {
      return {
        start: directory.readUInt32LE(at + TERM_BYTES),
        count: directory.readUInt32LE(at + TERM_BYTES + NUMBER_BYTES),
      };
    }
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return undefined;
}

export function readNumbers(numbers: Buffer, start: number, count: number): Uint32Array {
  const found = new Uint32Array(count);
  for (let i = 0; i < count; i++) found[i] = numbers.readUInt32LE((start + i) * NUMBER_BYTES);
  return found;
}
