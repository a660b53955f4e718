/**
 * Storage of finished segments of the index. All of it can be rebuilt from the blocks, so nothing here needs to survive a power cut; it
 * always holds a whole number of segments.
 */
import type { IndexedBlock } from './memory-segment.ts';
import type { Bucket } from './segment-codec.ts';

export interface SegmentInfo {
  /** 1, 2, 3, ... */
  segment: number;
  firstOrdinal: number;
  transactions: number;
}

export interface SearchStore {
  /** Ascending. */
  segments(): SegmentInfo[];
  /** The height up to which everything is in the segments; 0 when there is nothing. */
  height(): number;
  /** Writes part of a segment, which is not visible yet. */
  putPart(segment: number, blocks: readonly IndexedBlock[], buckets: readonly Bucket[]): void;
  /** Makes the segment visible. Atomic: without this call its parts do not exist. */
  finish(info: SegmentInfo, height: number): void;
  /** Blocks without transactions need no segment. */
  setHeight(height: number): void;
  directory(segment: number, bucket: number): Buffer | undefined;
  numbers(segment: number, bucket: number): Buffer | undefined;
  /** The block that holds this transaction, among those in segments. */
  blockAt(ordinal: number): IndexedBlock | undefined;
  /** The first block with transactions at this height or above, among those in segments. */
  blockFrom(height: number): IndexedBlock | undefined;
  /** Deletes everything. */
  clear(): void;
  /** Maintenance between two blocks; `idle` says that no work waits for it. */
  maintain(idle: boolean): void;
  close(): void;
}
