/** Bounds of the heaps of the embedded engine's threads: see `oldGenerationMibMax` of spawn.ts. */
import { statSync } from 'node:fs';

/** Enough for a batch of blocks and the pending transfers. */
const CHAIN_HEAP_MIB_MAX = 1000;
/** Enough for a million accounts and the pending transfers, at a kilobyte each, and half as much again. */
const LEDGER_HEAP_MIB_MAX = 2000;
/** A chain.db of this size has at most a million accounts, at 250 bytes each with their index. */
const SMALL_CHAIN_BYTES_MAX = 256 * 1024 * 1024;
/** Most pending transfers for which the bounds are enough, at a kilobyte each in both threads. */
const PENDING_MAX = 300_000;

export interface HeapBounds {
  /** Undefined: V8's default. */
  ledgerMibMax: number | undefined;
  chainMibMax: number | undefined;
}

/**
 * Bounds a heap only if its live objects stay far below the bound. A chain that is larger at the start, or may have more pending transfers,
 * gets V8's default.
 */
export function heapBounds(chainFile: string, pendingMax: number): HeapBounds {
  const bytes = statSync(chainFile, { throwIfNoEntry: false })?.size ?? 0;
  const arePendingFew = pendingMax <= PENDING_MAX;
  return {
    ledgerMibMax: arePendingFew && bytes <= SMALL_CHAIN_BYTES_MAX ? LEDGER_HEAP_MIB_MAX : undefined,
    chainMibMax: arePendingFew ? CHAIN_HEAP_MIB_MAX : undefined,
  };
}
