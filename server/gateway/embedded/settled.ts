/**
 * Transfers that blocks have decided, as the ledger thread asks for them: in chain.db, or in memory for as long as chain.db does not have
 * their block. Without the second a payment that a block settled a moment ago would be found in neither place, and be paid again (protocol.md, rule 38).
 */
import type { ChainReader } from '../../store/embedded/reader.ts';
import type { StoredTransfer } from '../../store/index.ts';
import type { LiveTransfer } from './live-transfers.ts';

/** How far chain.db is behind the log. */
export interface ChainIndex {
  /** The last block that chain.db has. */
  readonly height: number;
  /** Resolves when chain.db has every block that was made before this call. Rejects with StoreUnavailableError when that takes too long. */
  caughtUp(): Promise<void>;
}

interface Decided {
  height: number;
  transfers: StoredTransfer[];
}

export type SettledRows = Pick<ChainReader, 'slots' | 'keyed' | 'settledByHash'>;

export class SettledTransfers {
  readonly #rows: SettledRows;
  readonly #index: Pick<ChainIndex, 'height'>;
  /** Blocks that chain.db did not have when it was asked last, oldest first. */
  #blocks: Decided[] = [];
  readonly #bySeq = new Map<number, StoredTransfer>();
  readonly #byHash = new Map<string, StoredTransfer>();
  readonly #bySlot = new Map<string, StoredTransfer[]>();
  readonly #byKey = new Map<string, StoredTransfer>();

  constructor(rows: SettledRows, index: Pick<ChainIndex, 'height'>) {
    this.#rows = rows;
    this.#index = index;
  }

  /** A block's entry is in the log. */
  add(height: number, settled: readonly LiveTransfer[], seen: readonly StoredTransfer[]): void {
    this.#forget();
    const transfers = [...settled.map(({ entry }) => entry.transfer), ...seen];
    if (transfers.length === 0) return;
    this.#blocks.push({ height, transfers });
    for (const transfer of transfers) this.#hold(transfer);
    for (const { entry, idempotencyKey } of settled) {
      const { owner } = entry.transfer;
      if (owner !== undefined && idempotencyKey !== undefined)
        this.#byKey.set(`${idempotencyKey}\n${owner}`, entry.transfer);
    }
  }

  /** By its own hash or by the hash it was executed as; 64 upper-case hex digits. */
  byHash(hash: string): StoredTransfer | undefined {
    this.#forget();
    return this.#byHash.get(hash) ?? this.#now(this.#rows.settledByHash(hash));
  }

  /** Every transfer at this place that is not live. */
  slots(from: string, nonce: number): StoredTransfer[] {
    this.#forget();
    const held = this.#bySlot.get(slotOf(from, nonce)) ?? [];
    return [...held, ...this.#rows.slots(from, nonce).filter(({ seq }) => !this.#bySeq.has(seq))];
  }

  /** The transfer that this key of the owner came with. */
  keyed(owner: string, key: string): StoredTransfer | undefined {
    this.#forget();
    return this.#byKey.get(`${key}\n${owner}`) ?? this.#now(this.#rows.keyed(owner, key));
  }

  /** A row may be of before the block that decided it. */
  #now(row: StoredTransfer | undefined): StoredTransfer | undefined {
    return row && (this.#bySeq.get(row.seq) ?? row);
  }

  #hold(transfer: StoredTransfer): void {
    this.#bySeq.set(transfer.seq, transfer);
    this.#byHash.set(transfer.hash, transfer);
    if (transfer.executedAs !== undefined) this.#byHash.set(transfer.executedAs, transfer);
    const slot = slotOf(transfer.from, transfer.nonce);
    const held = this.#bySlot.get(slot);
    if (held === undefined) this.#bySlot.set(slot, [transfer]);
    else held.push(transfer);
  }

  /** What chain.db has by now. It is asked for afterwards, so nothing is in neither place. */
  #forget(): void {
    const { height } = this.#index;
    const [oldest] = this.#blocks;
    if (oldest === undefined || oldest.height > height) return;
    const kept = this.#blocks.filter((block) => block.height > height);
    const keys = [...this.#byKey].filter(([, { height: at = 0 }]) => at > height);
    for (const map of [this.#bySeq, this.#byHash, this.#bySlot, this.#byKey]) map.clear();
    this.#blocks = kept;
    for (const { transfers } of kept) for (const transfer of transfers) this.#hold(transfer);
    for (const [key, transfer] of keys) this.#byKey.set(key, transfer);
  }
}

const slotOf = (from: string, nonce: number): string => `${from}/${nonce}`;
