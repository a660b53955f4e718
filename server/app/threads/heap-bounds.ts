/** How far the heaps of the embedded engine's threads grow: see `oldGenerationMibMax` of spawn.ts. */
import { statSync } from 'node:fs';

/** A batch of blocks, and what is pending: some hundred MiB at the most that PENDING_MAX allows. */
export const CHAIN_HEAP_MIB_MAX = 1000;
/** Two million accounts, at a kilobyte each. */
const LEDGER_HEAP_MIB_MAX = 2000;
/** chain.db of no more than this has at most a million accounts, at 250 bytes each with their index. */
const SMALL_CHAIN_BYTES_MAX = 256 * 1024 * 1024;

/** Of a chain whose accounts fit many times: one that is larger at the start gets what V8 gives. */
export function ledgerHeapMibMax(chainFile: string): number | undefined {
  const bytes = statSync(chainFile, { throwIfNoEntry: false })?.size ?? 0;
  return bytes <= SMALL_CHAIN_BYTES_MAX ? LEDGER_HEAP_MIB_MAX : undefined;
}
