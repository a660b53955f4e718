/**
 * The pending transfers in memory, by sender and nonce.
 *
 * The store is authoritative and this is a copy of it: loaded at the start, changed after each commit, loaded again when another writer was
 * active. It answers in a few steps what would otherwise be a query for every dispatch and every listed row: up to which nonce an account's
 * transfers can run one after the other.
 */
import type { Account } from '../../ledger/index.ts';
import { isVoid } from '../../ledger/index.ts';
import type { StoredAccount, StoredTransfer } from '../../store/index.ts';
import type { TakenNonces } from '../accept/places.ts';

export interface PendingTransfer {
  readonly transfer: StoredTransfer;
  /** True when this process verified the signature: a row from the database was verified by another process, or changed since. */
  signatureVerified: boolean;
  /**
   * The row was changed since it was accepted: its signature does not match its payment. It is never broadcast, and others wait behind it.
   */
  forged: boolean;
  /** Requested by a client or by the time to live: from then on the cancel is broadcast instead of the transfer. */
  cancelRequested: boolean;
  /** True when an engine took the transfer at least once: from then on it counts as broadcast. */
  taken: boolean;
  /** Broadcasts of the transfer so far, refused ones included. */
  attempts: number;
  cancelAttempts: number;
}

interface PendingAccount {
  state: Account;
  readonly byNonce: Map<number, PendingTransfer>;
  /** The lowest nonce from the account's on that is neither void nor held by a transfer to broadcast. */
  gap: number;
  /** The same, where a transfer with a requested cancel holds its nonce too. */
  free: number;
  /** Transfers above `free`. */
  waiting: number;
}

/** A sender with transfers behind a nonce that no pending transfer has. */
export interface HeldUpSender {
  readonly from: string;
  readonly nonce: number;
}

export class PendingIndex {
  readonly #accounts = new Map<number, PendingAccount>();
  readonly #bySeq = new Map<number, PendingTransfer>();
  #cancelsRequested = 0;

  get size(): number {
    return this.#bySeq.size;
  }

  /** Entries whose cancel waits for a block. */
  get cancelsRequested(): number {
    return this.#cancelsRequested;
  }

  get(seq: number): PendingTransfer | undefined {
    return this.#bySeq.get(seq);
  }

  values(): Iterable<PendingTransfer> {
    return this.#bySeq.values();
  }

  clear(): void {
    this.#accounts.clear();
    this.#bySeq.clear();
    this.#cancelsRequested = 0;
  }

  /** `sender` is the account as of now. Returns the entry, also when it was there before. */
  add(transfer: StoredTransfer, sender: StoredAccount, signatureVerified = false): PendingTransfer {
    const known = this.#bySeq.get(transfer.seq);
    if (known !== undefined) return known;
    const cancelRequested = transfer.cancelRequestedAtMs !== undefined || transfer.expiryRequestedAtMs !== undefined;
    const taken = transfer.broadcastAtMs !== undefined;
    const entry: PendingTransfer = {
      transfer,
      signatureVerified,
      forged: false,
      cancelRequested,
      taken,
      attempts: 0,
      cancelAttempts: 0,
    };
    this.#bySeq.set(transfer.seq, entry);
    if (cancelRequested) this.#cancelsRequested += 1;
    const account = this.#accounts.get(transfer.fromId) ?? this.#open(sender);
    account.byNonce.set(transfer.nonce, entry);
    if (transfer.nonce === account.gap) extend(account);
    if (transfer.nonce >= account.free) account.waiting += 1;
    if (transfer.nonce === account.free) extendFree(account);
    return entry;
  }

  /** Returns the entry when it was pending and had no cancel requested before. */
  requestCancel(seq: number): PendingTransfer | undefined {
    const entry = this.#bySeq.get(seq);
    if (entry === undefined || entry.cancelRequested) return undefined;
    entry.cancelRequested = true;
    this.#cancelsRequested += 1;
    const account = this.#accounts.get(entry.transfer.fromId);
    if (account !== undefined) account.gap = Math.min(account.gap, entry.transfer.nonce);
    return entry;
  }

  /** Nothing behind it can execute before its cancel. */
  markForged(seq: number): void {
    const entry = this.#bySeq.get(seq);
    const account = entry && this.#accounts.get(entry.transfer.fromId);
    if (entry === undefined || account === undefined) return;
    entry.forged = true;
    account.gap = Math.min(account.gap, entry.transfer.nonce);
  }

  /** Sets the time of the first broadcast, where it is not set yet. */
  broadcast(seq: number, atMs: number): void {
    const entry = this.#bySeq.get(seq);
    if (entry !== undefined) entry.transfer.broadcastAtMs ??= atMs;
  }

  remove(seq: number): void {
    const entry = this.#bySeq.get(seq);
    if (entry === undefined) return;
    this.#bySeq.delete(seq);
    if (entry.cancelRequested) this.#cancelsRequested -= 1;
    const account = this.#accounts.get(entry.transfer.fromId);
    if (account?.byNonce.delete(entry.transfer.nonce) === true && entry.transfer.nonce > account.free)
      account.waiting -= 1;
  }

  /** A block changed the account; the transfers that it settled were removed before. */
  moveAccount(id: number, state: Account): void {
    const account = this.#accounts.get(id);
    if (account === undefined) return;
    if (account.byNonce.size === 0) {
      this.#accounts.delete(id);
      return;
    }
    account.state = state;
    account.gap = state.nonce;
    extend(account);
    account.free = state.nonce;
    account.waiting = account.byNonce.size;
    extendFree(account);
  }

  /** Nonces of the account that pending transfers hold; undefined for an account that has none. */
  takenBy(accountId: number): TakenNonces | undefined {
    const account = this.#accounts.get(accountId);
    return account && { free: account.free, waiting: account.waiting, has: (nonce) => account.byNonce.has(nonce) };
  }

  /** The account's transfer at this nonce, as it was accepted; undefined also when its cancel was requested, or its row was changed. */
  at(accountId: number, nonce: number): StoredTransfer | undefined {
    const entry = this.#accounts.get(accountId)?.byNonce.get(nonce);
    return entry === undefined || entry.cancelRequested || entry.forged ? undefined : entry.transfer;
  }

  /** The lowest missing nonce of the account: everything behind it waits for it. */
  gapOf(accountId: number): number | undefined {
    return this.#accounts.get(accountId)?.gap;
  }

  /** Transfers that wait for a cancel, or behind a changed row, are not among them. */
  *heldUp(): Iterable<HeldUpSender> {
    for (const { byNonce, free, waiting } of this.#accounts.values()) {
      if (waiting === 0) continue;
      for (const { transfer } of byNonce.values()) {
        yield { from: transfer.from, nonce: free };
        break;
      }
    }
  }

  /** Number of senders that are held up. */
  get heldUpCount(): number {
    let count = 0;
    for (const { waiting } of this.#accounts.values()) if (waiting > 0) count += 1;
    return count;
  }

  /** The account's transfers that can execute one after the other, from `fromNonce` on. */
  *run(accountId: number, fromNonce: number): Iterable<PendingTransfer> {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return;
    for (let nonce = Math.max(fromNonce, account.state.nonce); nonce < account.gap; nonce++) {
      const entry = account.byNonce.get(nonce);
      if (entry !== undefined) yield entry;
    }
  }

  #open(sender: StoredAccount): PendingAccount {
    const { balance, nonce, voids } = sender;
    const account: PendingAccount = {
      state: { balance, nonce, voids },
      byNonce: new Map(),
      gap: nonce,
      free: nonce,
      waiting: 0,
    };
    this.#accounts.set(sender.id, account);
    extend(account);
    extendFree(account);
    return account;
  }
}

function extend(account: PendingAccount): void {
  for (;;) {
    const entry = account.byNonce.get(account.gap);
    const runs = entry === undefined ? isVoid(account.state, account.gap) : !entry.cancelRequested && !entry.forged;
    if (!runs) return;
    account.gap += 1;
  }
}

function extendFree(account: PendingAccount): void {
  for (;;) {
    if (account.byNonce.has(account.free)) account.waiting -= 1;
    else if (!isVoid(account.state, account.free)) return;
    account.free += 1;
  }
}
