/**
 * The transfers that no block has decided yet, in the memory of the thread that writes them: by hash, by sender and nonce, and what they
 * hold of their senders' money and of their owners' places.
 *
 * The database is authoritative. It is read into this once, at the start, and every change of it follows a commit.
 */
import type { Account } from '../../ledger/index.ts';
import type { Settlement, StoredAccount, StoredTransfer } from '../../store/index.ts';
import type { PendingTransfer } from '../dispatch/pending-index.ts';
import { PendingIndex } from '../dispatch/pending-index.ts';
import { NO_OWNER } from '../limits.ts';
import { Validities } from './validities.ts';

export interface LiveTransfer {
  readonly entry: PendingTransfer;
  readonly tokenId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The token that requested its cancel first. */
  cancelOwner: string | undefined;
  cancelTokenId: string | undefined;
  /** True when a block has come since it was accepted. */
  isWritten: boolean;
  /** The entries up to the last block lack something that memory has of it. */
  isChanged: boolean;
}

export type Origin = Pick<LiveTransfer, 'tokenId' | 'idempotencyKey'>;

export class LiveTransfers {
  readonly pending = new PendingIndex();
  readonly #bySeq = new Map<number, LiveTransfer>();
  readonly #byHash = new Map<string, LiveTransfer>();
  readonly #bySlot = new Map<string, StoredTransfer>();
  readonly #byKey = new Map<string, StoredTransfer>();
  readonly #reserved = new Map<string, bigint>();
  readonly #owners = new Map<string, number>();
  /** Receivers without an account that were checked since the last block. */
  readonly #named = new Set<string>();
  /** Since the last block, by seq. */
  #unwritten: LiveTransfer[] = [];
  readonly #changed = new Set<LiveTransfer>();
  readonly #validities = new Validities();

  get size(): number {
    return this.#bySeq.size;
  }

  get(seq: number): LiveTransfer | undefined {
    return this.#bySeq.get(seq);
  }

  byHash(hash: string): LiveTransfer | undefined {
    return this.#byHash.get(hash);
  }

  at(from: string, nonce: number): StoredTransfer | undefined {
    return this.#bySlot.get(`${from}/${nonce}`);
  }

  /** The live transfer that was submitted with this key of the owner. */
  keyed(owner: string, key: string): StoredTransfer | undefined {
    return this.#byKey.get(`${key}\n${owner}`);
  }

  reservedOf(address: string): bigint {
    return this.#reserved.get(address) ?? 0n;
  }

  pendingOf(owner: string): number {
    return this.#owners.get(owner) ?? 0;
  }

  isNamed(address: string): boolean {
    return this.#named.has(address);
  }

  /** In the order in which they were accepted: uptime never runs backwards, so the oldest come first. */
  *oldestFirst(): Iterable<LiveTransfer> {
    yield* this.#bySeq.values();
  }

  /** The oldest that has not been given up. */
  oldestWaiting(): StoredTransfer | undefined {
    for (const { entry } of this.#bySeq.values()) {
      if (!entry.cancelRequested && entry.transfer.expiryRequestedAtMs === undefined) return entry.transfer;
    }
    return undefined;
  }

  /** The earliest validUntil of those that `takePast` has not given. */
  earliestValidUntil(): number | undefined {
    return this.#validities.first();
  }

  /** Returns a transfer whose validUntil is this second or earlier, each once; undefined when there are no more. */
  takePast(validUntilMax: number): LiveTransfer | undefined {
    const seq = this.#validities.takePast(validUntilMax);
    return seq === undefined ? undefined : this.#bySeq.get(seq);
  }

  /** Ascending by seq over all calls. */
  add(
    transfer: StoredTransfer,
    sender: StoredAccount,
    { tokenId, idempotencyKey }: Origin,
    signatureVerified: boolean,
    isWritten: boolean,
  ): LiveTransfer {
    const entry = this.pending.add(transfer, sender, signatureVerified);
    const live: LiveTransfer = {
      entry,
      tokenId,
      idempotencyKey,
      cancelOwner: undefined,
      cancelTokenId: undefined,
      isWritten,
      isChanged: false,
    };
    this.#bySeq.set(transfer.seq, live);
    this.#byHash.set(transfer.hash, live);
    this.#bySlot.set(`${transfer.from}/${transfer.nonce}`, transfer);
    this.#reserved.set(transfer.from, this.reservedOf(transfer.from) + transfer.amount);
    const owner = transfer.owner ?? NO_OWNER;
    this.#owners.set(owner, this.pendingOf(owner) + 1);
    if (transfer.owner !== undefined && idempotencyKey !== undefined)
      this.#byKey.set(`${idempotencyKey}\n${transfer.owner}`, transfer);
    // A transfer is given up once only.
    if (transfer.validUntil !== undefined && transfer.expiryRequestedAtMs === undefined)
      this.#validities.add(transfer.seq, transfer.validUntil);
    if (!isWritten) {
      this.#unwritten.push(live);
      this.#named.add(transfer.to);
    }
    return live;
  }

  /** The next block's entry contains it; for a transfer accepted since the last block it does so anyway. */
  changed(live: LiveTransfer): void {
    if (!live.isWritten || live.isChanged) return;
    live.isChanged = true;
    this.#changed.add(live);
  }

  /** A block has decided it: `transfer` is final from now on. */
  settle(live: LiveTransfer, settlement: Settlement): void {
    const { transfer } = live.entry;
    Object.assign(transfer, settlement);
    this.changed(live);
    this.pending.remove(transfer.seq);
    this.#bySeq.delete(transfer.seq);
    if (transfer.validUntil !== undefined) this.#validities.remove(transfer.seq);
    this.#byHash.delete(transfer.hash);
    this.#bySlot.delete(`${transfer.from}/${transfer.nonce}`);
    subtract(this.#reserved, transfer.from, transfer.amount, 0n);
    subtract(this.#owners, transfer.owner ?? NO_OWNER, 1, 0);
    if (transfer.owner !== undefined && live.idempotencyKey !== undefined)
      this.#byKey.delete(`${live.idempotencyKey}\n${transfer.owner}`);
  }

  accountMoved(id: number, account: Account): void {
    this.pending.moveAccount(id, account);
  }

  /**
   * Transfers with facts that the entry of their group does not contain, for the entry of the next block. The caller writes them, or ends
   * the process.
   */
  takeChanged(): LiveTransfer[] {
    const changed = this.#unwritten.filter(({ entry }) => isChanged(entry.transfer));
    changed.push(...this.#changed);
    for (const live of this.#unwritten) live.isWritten = true;
    for (const live of this.#changed) live.isChanged = false;
    this.#unwritten = [];
    this.#changed.clear();
    this.#named.clear();
    return changed;
  }
}

const isChanged = ({
  status,
  reason,
  broadcastAtMs,
  cancelRequestedAtMs,
  expiryRequestedAtMs,
}: StoredTransfer): boolean =>
  status !== 'pending' ||
  broadcastAtMs !== undefined ||
  cancelRequestedAtMs !== undefined ||
  expiryRequestedAtMs !== undefined ||
  reason !== undefined;

function subtract<Amount extends number | bigint>(
  sums: Map<string, Amount>,
  key: string,
  amount: Amount,
  zero: Amount,
): void {
  const left = ((sums.get(key) ?? zero) as number) - (amount as number);
  if ((left as Amount) === zero) sums.delete(key);
  else sums.set(key, left as Amount);
}
