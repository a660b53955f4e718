/** Limits of one block of the embedded engine. */
import type { BlockLimits } from '../../ledger/index.ts';

/** Payments wait for the last step of a block, which takes 10 to 15 us a transaction; where more wait, the next block follows at once. */
export const EMBEDDED_BLOCK_TRANSACTIONS_MAX = 500;
export const EMBEDDED_BLOCK_BYTES_MAX = 1024 * 1024;

export const BLOCK_LIMITS: BlockLimits = {
  bytesMax: EMBEDDED_BLOCK_BYTES_MAX,
  transactionsMax: EMBEDDED_BLOCK_TRANSACTIONS_MAX,
  // One key signs for the whole chain: another validator would stop it forever, so validator changes need a network of nodes.
  allowValidatorChanges: false,
};
