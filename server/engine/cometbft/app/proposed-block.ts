/**
 * A block that this process proposed or accepted, with the result of executing it on the committed state.
 *
 * ProcessProposal and FinalizeBlock receive the bytes of the proposal again. They are compared as bytes: that costs a fraction of hashing
 * them, and nothing kept here is used for a block that differs in one of them.
 */
import type { BlockContext, FinalizedBlock } from '../../../ledger/index.ts';

export class ProposedBlock {
  /** The result of finalizeBlock for these transactions, as long as no block was committed since. */
  readonly finalized: FinalizedBlock;
  readonly #transactions: readonly Uint8Array[];
  readonly #context: BlockContext;

  /** The bytes are kept, so they must not be a view of something larger. */
  constructor(transactions: readonly Uint8Array[], context: BlockContext, finalized: FinalizedBlock) {
    this.#transactions = transactions;
    this.#context = context;
    this.finalized = finalized;
  }

  /** True for the block of exactly these transactions, evidence, height and time: another round gives a block another time. */
  isOf(transactions: readonly Uint8Array[], context: BlockContext): boolean {
    if (!isSameContext(context, this.#context) || transactions.length !== this.#transactions.length) return false;
    return this.#transactions.every((raw, index) => Buffer.compare(raw, transactions[index] as Uint8Array) === 0);
  }
}

function isSameContext(a: BlockContext, b: BlockContext): boolean {
  return (
    a.height === b.height &&
    a.timeNs === b.timeNs &&
    JSON.stringify(a.misbehavior ?? []) === JSON.stringify(b.misbehavior ?? [])
  );
}
