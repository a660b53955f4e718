/** Limits of one block under CometBFT. Every validator checks proposals by these, so they are as much a rule as the ledger's own. */
import type { BlockLimits } from '../../../ledger/index.ts';

/** Executing this many takes well under a second, signatures included, so that a block never takes longer than the node's timeouts. */
export const BLOCK_TRANSACTIONS_MAX = 5_000;
export const BLOCK_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Limits of a block. `maxTxBytes` is what the node offers to the proposer; a validator that checks a proposal is offered nothing and
 * applies the rule alone.
 */
export function blockLimits(maxTxBytes = BigInt(BLOCK_BYTES_MAX)): BlockLimits {
  const bytesMax = maxTxBytes < BigInt(BLOCK_BYTES_MAX) ? Math.max(0, Number(maxTxBytes)) : BLOCK_BYTES_MAX;
  return { bytesMax, transactionsMax: BLOCK_TRANSACTIONS_MAX, allowValidatorChanges: true };
}
