/** How far the heaps of the embedded engine's threads grow: see `oldGenerationMibMax` of spawn.ts. */
import { statSync } from 'node:fs';

/** A batch of blocks, and what is pending. */
const CHAIN_HEAP_MIB_MAX = 1000;
/** A million accounts and what is pending, at a kilobyte each, and half as much again. */
const LEDGER_HEAP_MIB_MAX = 2000;
/** chain.db of no more than this has at most a million accounts, at 250 bytes each with their index. */
const SMALL_CHAIN_BYTES_MAX = 256 * 1024 * 1024;
/** Of pending transfers, of a kilobyte each in both threads. */
const PENDING_MAX = 300_000;

export interface HeapBounds {
  /** Undefined: what V8 gives. */
  ledgerMibMax: number | undefined;
  chainMibMax: number | undefined;
}

/** Only where what may be alive is far below: a chain that is larger at the start, or may have more pending, gets what V8 gives. */
export function heapBounds(chainFile: string, pendingMax: number): HeapBounds {
  const bytes = statSync(chainFile, { throwIfNoEntry: false })?.size ?? 0;
  const arePendingFew = pendingMax <= PENDING_MAX;
  return {
    ledgerMibMax: arePendingFew && bytes <= SMALL_CHAIN_BYTES_MAX ? LEDGER_HEAP_MIB_MAX : undefined,
    chainMibMax: arePendingFew ? CHAIN_HEAP_MIB_MAX : undefined,
  };
}
