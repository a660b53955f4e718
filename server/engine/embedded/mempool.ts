/**
 * Transactions that wait for a block, in order of arrival.
 *
 * It is bounded and forgets freely: what is refused or evicted is simply gone, because the gateway broadcasts again
 * until a block decides. It lives in memory only, for the same reason.
 */
import {
  CheckState,
  CODES,
  txHash,
  verifyTransaction,
  type BlockLimits,
  type StateView,
  type VerifiedTransaction,
} from '../../ledger/index.ts';
import type { BroadcastItem, BroadcastResult } from '../port.ts';

export const MEMPOOL_TRANSACTIONS_MAX = 50_000;
export const MEMPOOL_BYTES_MAX = 64 * 1024 * 1024;

/**
 * One process gossips to nobody, so nothing is evicted for having waited: that rule exists to make a network of nodes
 * gossip a transaction anew.
 */
const WAITED_BLOCKS = 0;

/**
 * A recheck walks through everything that waits, so a long queue is walked only every so many blocks: on average this
 * many transactions a block. Meanwhile the check state is a few blocks old, which costs at most a refusal that the next
 * broadcast mends; what goes into a block is always judged by the committed state.
 */
const RECHECKS_PER_BLOCK = 5_000;

const OK: BroadcastResult = { code: CODES.ok, log: '' };
const FULL: BroadcastResult = { code: CODES.check_full, log: 'the mempool is full: broadcast it again later' };

export interface MempoolLimits {
  transactionsMax: number;
  bytesMax: number;
}

export class Mempool {
  readonly #blockLimits: BlockLimits;
  readonly #limits: MempoolLimits;
  readonly #check: CheckState;
  #view: StateView;
  /** Cancels and governance: few, and always offered to the next block. */
  readonly #first = new Map<string, VerifiedTransaction>();
  readonly #transfers = new Map<string, VerifiedTransaction>();
  #bytes = 0;
  #blocksSinceRecheck = 0;

  constructor(view: StateView, blockLimits: BlockLimits, limits: MempoolLimits) {
    this.#view = view;
    this.#blockLimits = blockLimits;
    this.#limits = limits;
    this.#check = new CheckState(view, { allowValidatorChanges: blockLimits.allowValidatorChanges });
  }

  get size(): number {
    return this.#first.size + this.#transfers.size;
  }

  /** Bytes of all waiting transactions. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether what waits would fill a block. */
  get fillsBlock(): boolean {
    return this.size >= this.#blockLimits.transactionsMax || this.#bytes >= this.#blockLimits.bytesMax;
  }

  /** Judges a transaction and keeps it when it is good. Bytes that wait already are answered 0 again. */
  add({ raw, signatureVerified }: BroadcastItem): BroadcastResult {
    const hash = txHash(raw);
    if (this.has(hash)) return OK;
    if (this.size >= this.#limits.transactionsMax || this.#bytes + raw.length > this.#limits.bytesMax) return FULL;
    const checked = verifyTransaction(this.#view.chain, raw, { signatureVerified: signatureVerified === true });
    if (!checked.ok) return { code: checked.refusal.code, log: checked.refusal.log };
    const result = this.#check.check(checked.verified);
    if (!result.ok) return { code: result.refusal.code, log: result.refusal.log };
    this.#shelf(checked.verified).set(hash, checked.verified);
    this.#bytes += raw.length;
    return OK;
  }

  /** Whether a transaction with this hash (64 upper-case hex digits) waits. */
  has(hash: string): boolean {
    return this.#first.has(hash) || this.#transfers.has(hash);
  }

  /** What `add` would answer for new bytes, without keeping them. */
  judge(raw: Uint8Array): BroadcastResult {
    const checked = verifyTransaction(this.#view.chain, raw);
    if (!checked.ok) return { code: checked.refusal.code, log: checked.refusal.log };
    const result = this.#check.peek(checked.verified);
    return result.ok ? OK : { code: result.refusal.code, log: result.refusal.log };
  }

  /** At most `count` of what waits, cancels and governance before transfers. */
  waiting(count: number): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (const shelf of [this.#first, this.#transfers]) {
      for (const { raw } of shelf.values()) {
        if (found.length >= count) return found;
        found.push(raw);
      }
    }
    return found;
  }

  /**
   * What the next block is made from, in order of arrival. All cancels, or they could hide behind a backlog; of the
   * transfers twice as many as a block takes: an account's nonces arrive in order, so the first ones never depend on
   * later ones, and what cannot execute among them is evicted after the block.
   */
  candidates(): VerifiedTransaction[] {
    const candidates = [...this.#first.values()];
    const end = candidates.length + 2 * this.#blockLimits.transactionsMax;
    for (const transfer of this.#transfers.values()) {
      if (candidates.length >= end) break;
      candidates.push(transfer);
    }
    return candidates;
  }

  /** After a block: removes what it holds, and (in a long queue only now and then) what its state no longer lets wait. */
  blockExecuted(view: StateView, included: readonly VerifiedTransaction[]): void {
    for (const transaction of included) this.#remove(transaction);
    this.#view = view;
    this.#blocksSinceRecheck += 1;
    // A block that took nothing means that all it was offered is stale.
    if (included.length > 0 && this.#blocksSinceRecheck * RECHECKS_PER_BLOCK < this.size) return;
    this.#blocksSinceRecheck = 0;
    this.#check.reset(view);
    for (const shelf of [this.#first, this.#transfers]) {
      for (const transaction of shelf.values()) {
        if (!this.#check.recheck(transaction, WAITED_BLOCKS).ok) this.#remove(transaction);
      }
    }
  }

  #remove(transaction: VerifiedTransaction): void {
    if (this.#shelf(transaction).delete(transaction.hash)) this.#bytes -= transaction.raw.length;
  }

  #shelf({ tx }: VerifiedTransaction): Map<string, VerifiedTransaction> {
    return tx.kind === 'transfer' ? this.#transfers : this.#first;
  }
}
