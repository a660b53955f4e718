/**
 * CheckTx and its recheck after every block: decides which transactions may wait in the mempool.
 *
 * The answer is a hint, never a fact: a node drops transactions that were answered 0. The check state runs ahead of the committed state so
 * that an account can have several nonces waiting. It differs from `step` on purpose in local policies, none of them a rule of blocks: a
 * transfer that would fail (for lack of funds, or because it opens an account with too little) is refused on arrival, a nonce that other
 * bytes hold is refused, and a transaction that waited too long is evicted.
 */
import { type BlockContext, blockAfter } from './block-context.ts';
import { CODES, type Refused, refuse } from './codes.ts';
import { CHECK_TRANSACTIONS_MAX, RECHECK_BLOCKS_MAX } from './limits.ts';
import { Overlay } from './overlay.ts';
import { isAvailable } from './prepare.ts';
import type { StateView } from './state.ts';
import { opensTooLittle } from './step-transfer.ts';
import { step } from './step.ts';
import type { Transaction } from './transaction.ts';
import type { VerifiedTransaction } from './verify.ts';

export type CheckResult = { readonly ok: true } | Refused;

export interface CheckOptions {
  /** True when the voting power of validators may change; false for an engine that signs with a single key. Default true. */
  readonly allowValidatorChanges?: boolean;
}

const OK: CheckResult = { ok: true };

/** Slot that only one transaction can use: a nonce of an account, or a governance sequence. A cancel holds none. */
function slotOf(tx: Transaction): string | undefined {
  switch (tx.kind) {
    case 'transfer':
      return `${tx.from}/${tx.nonce}`;
    case 'governance':
      return `governance/${tx.sequence}`;
    case 'cancel':
      return undefined;
  }
}

export class CheckState {
  readonly #allowValidatorChanges: boolean;
  #committed: StateView;
  #next: BlockContext;
  #overlay: Overlay;
  /** Slot to the hash of the transaction that holds it. */
  #holders = new Map<string, string>();

  /** `last` is the block that `committed` is the state after. */
  constructor(committed: StateView, last: BlockContext, options: CheckOptions = {}) {
    this.#allowValidatorChanges = options.allowValidatorChanges ?? true;
    this.#committed = committed;
    this.#next = blockAfter(last);
    this.#overlay = new Overlay(committed);
  }

  /** Starts again on the state after a block: call it at Commit, before any recheck. */
  reset(committed: StateView, last: BlockContext): void {
    this.#committed = committed;
    this.#next = blockAfter(last);
    this.#overlay = new Overlay(committed);
    this.#holders = new Map();
  }

  /** A transaction that arrives. */
  check(candidate: VerifiedTransaction): CheckResult {
    return this.#judge(candidate, false);
  }

  /** The answer of `check`, without keeping the transaction: it has no effect on later checks. */
  peek(candidate: VerifiedTransaction): CheckResult {
    return this.#judge(candidate, false, false);
  }

  /**
   * Checks a transaction that is in the mempool already, in its order there. `waitedBlocks` counts the blocks since it came in: one that
   * waited RECHECK_BLOCKS_MAX is evicted so that a new broadcast gossips it again (CometBFT sends a transaction to a peer only once). Lack
   * of funds evicts nothing, because a credit may be on its way.
   */
  recheck(candidate: VerifiedTransaction, waitedBlocks: number): CheckResult {
    if (waitedBlocks >= RECHECK_BLOCKS_MAX)
      return refuse('check_waited', `waited ${waitedBlocks} blocks: broadcast it again`);
    return this.#judge(candidate, true);
  }

  #judge(candidate: VerifiedTransaction, inMempool: boolean, keep = true): CheckResult {
    const { tx, hash } = candidate;
    if (!isAvailable(candidate, { allowValidatorChanges: this.#allowValidatorChanges })) {
      return refuse('governance_not_available', 'voting power cannot change while one key signs for the chain');
    }
    const slot = slotOf(tx);
    if (slot === undefined) {
      // A cancel is checked against the committed state and changes nothing here: otherwise it would be refused exactly while its target
      // waits.
      const result = step(this.#committed, tx, this.#next);
      return result.ok ? OK : result;
    }
    const holder = this.#holders.get(slot);
    // The very same bytes again: the node may have dropped them after it answered 0.
    if (holder === hash) return OK;
    if (holder !== undefined)
      return refuse('check_nonce_taken', `transaction ${holder} holds this nonce in the mempool`);
    if (this.#holders.size >= CHECK_TRANSACTIONS_MAX)
      return refuse('check_full', 'too many transactions since the last block');
    const result = step(this.#overlay, tx, this.#next);
    if (!result.ok) return result;
    if (!inMempool && tx.kind === 'transfer') {
      if (result.effect.code === CODES.insufficient_funds) return refuse('check_funds', result.effect.log);
      // Checked against the committed state: another transfer that waits for this receiver may never be in a block.
      if (tx.to !== tx.from && opensTooLittle(this.#committed, tx)) {
        return refuse(
          'check_opening_minimum',
          `the receiver has no account, and at least ${this.#committed.governance().openingMinimum} opens one`,
        );
      }
    }
    if (keep) {
      this.#overlay.apply(result.effect);
      this.#holders.set(slot, hash);
    }
    return OK;
  }
}
