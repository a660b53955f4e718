/**
 * Segments of the indexes over random keys: the segment of a transfer, and the part of a hash that they hold. The schema has the reason
 * (migrations.ts).
 */
import { hash } from 'node:crypto';

/**
 * Rows of one segment: 2 to this power. A larger one writes more pages a block, with a smaller one a look-up in a long history reads more
 * segments.
 */
export const SEGMENT_BITS = 16;

export const SEGMENT_ROWS = 2 ** SEGMENT_BITS;
/** by_hash holds this much of a hash. Six bytes stay exact in a number; the rare collision is a second row for the reader to compare. */
export const HASH_PREFIX_BYTES = 6;

export const segmentOf = (seq: number): number => Math.floor(seq / SEGMENT_ROWS);

/** Prefix of a hash in hex. */
export const prefixOf = (hash: string): number => Number.parseInt(hash.slice(0, 2 * HASH_PREFIX_BYTES), 16);

/** For a text: the index holds its SHA-256, so that a long one costs no more than a short one. */
export const prefixOfText = (text: string): number => prefixOf(hash('sha256', text, 'hex'));
