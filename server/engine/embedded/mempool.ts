/**
 * Transactions that wait for a block: cancels and governance in order of arrival, transfers by turns of their owners.
 *
 * It is bounded and may drop any transaction: the gateway broadcasts a refused or evicted one again until a block decides. It is in memory
 * only, for the same reason.
 */
import {
  CheckState,
  CODES,
  txHash,
  verifyTransaction,
  type BlockContext,
  type BlockLimits,
  type StateView,
  type VerifiedTransaction,
} from '../../ledger/index.ts';
import type { BroadcastItem, BroadcastResult } from '../port.ts';
import { FairOrder, NO_OWNER, type Waiting } from '../fair-order.ts';

export const MEMPOOL_TRANSACTIONS_MAX = 50_000;
export const MEMPOOL_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Never evicts for having waited: that rule exists to make a network of nodes gossip a transaction again, and one process has no gossip.
 */
const WAITED_BLOCKS = 0;

/**
 * Rechecks per block, on average. A recheck walks through all waiting transactions, so a long queue is walked only every so many blocks.
 * Meanwhile the check state is a few blocks old, which costs at most a refusal that the next broadcast corrects; the contents of a block
 * are always checked by the committed state.
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
  /** In order of arrival. */
  readonly #transfers = new Map<string, Waiting>();
  readonly #turns = new FairOrder();
  #bytes = 0;
  #blocksSinceRecheck = 0;

  /** `view` is the state after the block `last`. */
  constructor(view: StateView, last: BlockContext, blockLimits: BlockLimits, limits: MempoolLimits) {
    this.#view = view;
    this.#blockLimits = blockLimits;
    this.#limits = limits;
    this.#check = new CheckState(view, last, { allowValidatorChanges: blockLimits.allowValidatorChanges });
  }

  get size(): number {
    return this.#first.size + this.#transfers.size;
  }

  /** Bytes of all waiting transactions. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True when the waiting transactions would fill a block. */
  get fillsBlock(): boolean {
    return this.size >= this.#blockLimits.transactionsMax || this.#bytes >= this.#blockLimits.bytesMax;
  }

  /**
   * Checks a transaction and keeps it when it is valid. Bytes that wait already are answered 0 again. A transaction object that this very
   * process verified for this chain is not decoded, hashed or verified again.
   */
  add({ raw, signatureVerified, transaction, owner = NO_OWNER }: BroadcastItem): BroadcastResult {
    const hash = transaction?.hash ?? txHash(raw);
    if (this.#isKnown(hash, owner)) return OK;
    if (!this.#hasRoomFor(raw, owner)) return FULL;
    if (transaction !== undefined) return this.#checkAndKeep(transaction, owner);
    const checked = verifyTransaction(this.#view.chain, raw, { signatureVerified: signatureVerified === true, hash });
    if (!checked.ok) return { code: checked.refusal.code, log: checked.refusal.log };
    return this.#checkAndKeep(checked.verified, owner);
  }

  /** True when a transaction with this hash (64 upper-case hex digits) waits. */
  has(hash: string): boolean {
    return this.#first.has(hash) || this.#transfers.has(hash);
  }

  /** Returns the answer of `add` to new bytes, without keeping them. */
  judge(raw: Uint8Array): BroadcastResult {
    const checked = verifyTransaction(this.#view.chain, raw);
    if (!checked.ok) return { code: checked.refusal.code, log: checked.refusal.log };
    const result = this.#check.peek(checked.verified);
    return result.ok ? OK : { code: result.refusal.code, log: result.refusal.log };
  }

  /** At most `count` waiting transactions, cancels and governance before transfers. */
  waiting(count: number): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (const { raw } of this.#all()) {
      if (found.length >= count) break;
      found.push(raw);
    }
    return found;
  }

  /**
   * The transactions that the next block is made from. All cancels, or they could wait behind a backlog; of the transfers twice as many as
   * a block takes, by turns where more than a block waits (the application of a node does the same): an account's nonces arrive in order,
   * so the first ones never depend on later ones, and those that cannot execute are evicted after the block.
   */
  candidates(): VerifiedTransaction[] {
    const candidates = [...this.#first.values()];
    const end = candidates.length + 2 * this.#blockLimits.transactionsMax;
    const transfers = this.#transfers.size > this.#blockLimits.transactionsMax ? this.#turns : this.#transfers;
    for (const { transaction } of transfers.values()) {
      if (candidates.length >= end) break;
      candidates.push(transaction);
    }
    return candidates;
  }

  /** After a block: removes its transactions, and (in a long queue only now and then) those that the new state no longer allows to wait. */
  blockExecuted(view: StateView, block: BlockContext, included: readonly VerifiedTransaction[]): void {
    for (const transaction of included) this.#remove(transaction, true);
    this.#view = view;
    this.#blocksSinceRecheck += 1;
    // A block that took nothing means that all its candidates are stale.
    if (included.length > 0 && this.#blocksSinceRecheck * RECHECKS_PER_BLOCK < this.size) return;
    this.#blocksSinceRecheck = 0;
    this.#check.reset(view, block);
    for (const transaction of this.#all()) {
      if (!this.#check.recheck(transaction, WAITED_BLOCKS).ok) this.#remove(transaction, false);
    }
  }

  /** True when these bytes wait already; they now wait for this owner, if they came without one. */
  #isKnown(hash: string, owner: string): boolean {
    if (this.#first.has(hash)) return true;
    const known = this.#transfers.get(hash);
    if (known === undefined) return false;
    if (known.owner === NO_OWNER && owner !== NO_OWNER) this.#give(known, owner);
    return true;
  }

  #hasRoomFor(raw: Uint8Array, owner: string): boolean {
    return !this.#isFullFor(raw) || (owner !== NO_OWNER && this.#turns.hasMoreThan(this.#turns.sizeOf(owner) + 1));
  }

  #checkAndKeep(transaction: VerifiedTransaction, owner: string): BroadcastResult {
    const result = this.#check.check(transaction);
    if (!result.ok) return { code: result.refusal.code, log: result.refusal.log };
    this.#makeRoom(transaction.raw, owner);
    this.#keep(transaction, owner);
    this.#bytes += transaction.raw.length;
    return OK;
  }

  *#all(): Iterable<VerifiedTransaction> {
    yield* this.#first.values();
    for (const { transaction } of this.#transfers.values()) yield transaction;
  }

  #isFullFor(raw: Uint8Array): boolean {
    return this.size >= this.#limits.transactionsMax || this.#bytes + raw.length > this.#limits.bytesMax;
  }

  /** Frees space for this owner: drops the newest transfers of the owner with most waiting. The gateway sends them again. */
  #makeRoom(raw: Uint8Array, owner: string): void {
    while (this.#isFullFor(raw)) {
      const last = this.#turns.lastOfLargest(this.#turns.sizeOf(owner) + 1);
      // The dropped transfers are smaller than these bytes, and no owner has more waiting any longer: slightly too much is kept.
      if (last === undefined) return;
      this.#remove(last.transaction, false);
    }
  }

  #keep(transaction: VerifiedTransaction, owner: string): void {
    if (transaction.tx.kind !== 'transfer') {
      this.#first.set(transaction.hash, transaction);
      return;
    }
    const waiting = { transaction, owner };
    this.#transfers.set(transaction.hash, waiting);
    this.#turns.add(waiting);
  }

  /** Assigns an owner to a transfer that was broadcast without one. */
  #give(known: Waiting, owner: string): void {
    this.#turns.delete(known, false);
    const waiting = { transaction: known.transaction, owner };
    // The place in the order of arrival stays.
    this.#transfers.set(known.transaction.hash, waiting);
    this.#turns.add(waiting);
  }

  #remove(transaction: VerifiedTransaction, served: boolean): void {
    const waiting = this.#transfers.get(transaction.hash);
    if (waiting === undefined && !this.#first.has(transaction.hash)) return;
    this.#first.delete(transaction.hash);
    this.#transfers.delete(transaction.hash);
    if (waiting !== undefined) this.#turns.delete(waiting, served);
    this.#bytes -= transaction.raw.length;
  }
}
