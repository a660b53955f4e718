/** Writes a segment in small steps, so that no block waits for the whole of it. */
import type { MemorySegment } from './memory-segment.ts';
import type { SearchStore } from './search-store.ts';
import { BUCKETS, bucketOf, encodeBucket, type Bucket, type TermEntry } from './segment-codec.ts';
import { termHash } from './terms.ts';

/** About a millisecond of hashing, or of writing. */
const TERMS_PER_STEP = 1_000;
const BUCKETS_PER_STEP = 32;

/** A generator whose every step is short; the segment is visible when it is done. */
export function* writeSegment(store: SearchStore, segment: number, memory: MemorySegment): Generator<void, void> {
  const buckets = Array.from({ length: BUCKETS }, (): TermEntry[] => []);
  let terms = 0;
  for (const [term, offsets] of memory.terms) {
    const hash = termHash(term);
    buckets[bucketOf(hash)]?.push({ hash, offsets });
    if (++terms % TERMS_PER_STEP === 0) yield;
  }
  for (let start = 0; start < BUCKETS; start += BUCKETS_PER_STEP) {
    const encoded: Bucket[] = [];
    for (let bucket = start; bucket < start + BUCKETS_PER_STEP; bucket++) {
      const entries = buckets[bucket] ?? [];
      if (entries.length > 0) encoded.push(encodeBucket(bucket, entries));
    }
    store.putPart(segment, start === 0 ? memory.blocks : [], encoded);
    yield;
  }
  store.finish({ segment, firstOrdinal: memory.first, transactions: memory.transactions }, memory.height);
}
