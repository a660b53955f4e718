/**
 * Decides what to broadcast next. Pure bookkeeping: the dispatcher does the sending.
 *
 * Cancels come first, so that a cancel never waits behind the backlog that it is meant to cut. A transfer goes out only while every nonce
 * before it is void or goes out as well: the engine would refuse any other. Everything that went out goes out again, ever less often, until
 * a block decides: a mempool that took a transaction may still drop it.
 *
 * Owners take turns, and within an owner its accounts. A first broadcast never waits for more than one half of a batch of cancels or of
 * repetitions, however many of these there are.
 */
import { NO_OWNER, REBROADCAST_MS_MAX, REBROADCAST_MS_MIN } from '../limits.ts';
import { RoundRobin } from '../round-robin.ts';
import { DueQueue } from './due-queue.ts';
import type { PendingIndex, PendingTransfer } from './pending-index.ts';

export interface Sending {
  readonly kind: 'transfer' | 'cancel';
  readonly entry: PendingTransfer;
}

export class Schedule {
  readonly #pending: PendingIndex;
  readonly #due = new DueQueue();
  /** Cancels that never went out, by seq. */
  readonly #freshCancels = new RoundRobin<number>();
  /** Accounts that have transfers that never went out. */
  readonly #freshAccounts = new RoundRobin<number>();
  /** For each account the nonce up to which its transfers went out at least once. */
  readonly #sentThrough = new Map<number, number>();

  constructor(pending: PendingIndex) {
    this.#pending = pending;
  }

  /** Starts again with all that is pending. */
  reset(): void {
    this.#due.clear();
    this.#freshCancels.clear();
    this.#freshAccounts.clear();
    this.#sentThrough.clear();
    for (const entry of this.#pending.values()) this.changed(entry);
  }

  /** The entry is new, or a cancel of it was requested. */
  changed(entry: PendingTransfer): void {
    if (entry.cancelRequested) this.#freshCancels.add(ownerOf(entry), entry.transfer.seq);
    else this.#file(entry.transfer.fromId);
  }

  /** A block changed the account: transfers that waited may run now. */
  accountMoved(id: number): void {
    if (this.#pending.gapOf(id) === undefined) this.#sentThrough.delete(id);
    else this.#file(id);
  }

  /** The monotonic moment of the next broadcast that is due. */
  get nextAtMs(): number | undefined {
    return this.#due.nextAtMs;
  }

  /** Up to `max` broadcasts that are due now; each account's transfers in the order of their nonces. */
  take(nowMs: number, max: number): Sending[] {
    const cancels: Sending[] = [];
    const transfers: Sending[] = [];
    const half = this.#freshAccounts.size > 0 ? Math.ceil(max / 2) : max;
    while (cancels.length < half) {
      const next = this.#freshCancels.next();
      if (next === undefined) break;
      const entry = this.#pending.get(next);
      if (entry !== undefined) cancels.push({ kind: 'cancel', entry });
    }
    const takeDue = (end: number): void => {
      while (cancels.length + transfers.length < end) {
        const due = this.#due.popDue(nowMs);
        if (due === undefined) return;
        const entry = this.#pending.get(due.seq);
        if (entry === undefined) continue;
        if (due.kind === 'cancel') cancels.push({ kind: 'cancel', entry });
        else if (this.#stillRuns(entry)) transfers.push({ kind: 'transfer', entry });
      }
    };
    takeDue(half);
    this.#takeFresh(transfers, max - cancels.length);
    takeDue(max);
    return [...cancels, ...inOrderOfNonces(transfers)];
  }

  /** Records a broadcast at `nowMs`. */
  sent({ kind, entry }: Sending, nowMs: number): void {
    if (!this.#stillPending(entry) || (kind === 'transfer' && entry.forged)) return;
    const attempts = kind === 'cancel' ? entry.cancelAttempts++ : entry.attempts++;
    const delayMs = Math.min(REBROADCAST_MS_MIN * 2 ** attempts, REBROADCAST_MS_MAX);
    this.#due.push({ atMs: nowMs + delayMs, seq: entry.transfer.seq, kind });
  }

  /** Its row differs from what was signed: only a cancel of it goes out. */
  forged(entry: PendingTransfer): void {
    this.#pending.markForged(entry.transfer.seq);
  }

  /** It could not be broadcast, and there is no answer about it. */
  failed({ kind, entry }: Sending, retryAtMs: number): void {
    if (!this.#stillPending(entry)) return;
    this.#due.push({ atMs: retryAtMs, seq: entry.transfer.seq, kind });
  }

  /** Settled meanwhile, or loaded again: then the new entry is scheduled by itself. */
  #stillPending(entry: PendingTransfer): boolean {
    return this.#pending.get(entry.transfer.seq) === entry;
  }

  /** True if the transfer can still run. If not, it is sent as if for the first time once it can run again. */
  #stillRuns(entry: PendingTransfer): boolean {
    const { fromId, nonce } = entry.transfer;
    if (entry.cancelRequested) return false;
    if (nonce < (this.#pending.gapOf(fromId) ?? 0)) return true;
    this.#sentThrough.set(fromId, Math.min(this.#sentThrough.get(fromId) ?? nonce, nonce));
    return false;
  }

  #takeFresh(transfers: Sending[], max: number): void {
    while (transfers.length < max) {
      const accountId = this.#freshAccounts.next();
      if (accountId === undefined) return;
      const entry = this.#unsent(accountId);
      if (entry === undefined) continue;
      transfers.push({ kind: 'transfer', entry });
      this.#sentThrough.set(accountId, entry.transfer.nonce + 1);
      this.#file(accountId);
    }
  }

  /** Under the owner of the transfer that goes out next, if there is one. */
  #file(accountId: number): void {
    const entry = this.#unsent(accountId);
    if (entry !== undefined) this.#freshAccounts.add(ownerOf(entry), accountId);
  }

  #unsent(accountId: number): PendingTransfer | undefined {
    for (const entry of this.#pending.run(accountId, this.#sentThrough.get(accountId) ?? 0)) return entry;
    return undefined;
  }
}

const ownerOf = ({ transfer }: PendingTransfer): string => transfer.owner ?? NO_OWNER;

/** Each account keeps its places in the batch and sends its lowest nonce there: an engine refuses a nonce before those below it. */
function inOrderOfNonces(transfers: readonly Sending[]): Sending[] {
  const byAccount = Map.groupBy(transfers, ({ entry }) => entry.transfer.fromId);
  for (const sendings of byAccount.values()) sendings.sort((a, b) => b.entry.transfer.nonce - a.entry.transfer.nonce);
  return transfers.map(({ entry }) => byAccount.get(entry.transfer.fromId)?.pop() as Sending);
}
