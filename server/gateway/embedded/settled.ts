/**
 * Transfers that blocks have decided, for the ledger thread: in chain.db, or in memory for as long as chain.db does not have their block.
 * Without the second a payment that a block settled a moment ago would be in neither place, and be paid again (protocol.md, rule 38).
 */
import type { ChainReader } from '../../store/embedded/reader.ts';
import type { StoredTransfer } from '../../store/index.ts';
import type { LiveTransfer } from './live-transfers.ts';

/** State of chain.db relative to the log. */
export interface ChainIndex {
  /** The last block that chain.db has. */
  readonly height: number;
  /**
   * Resolves when chain.db has every block, also those that were made during this call. Rejects with StoreUnavailableError when that takes
   * too long.
   */
  caughtUp(): Promise<void>;
  /** The log has one more block or change of access. */
  wake(): void;
  /** The last entry whose changes of access chain.db has. */
  readonly accessSeq: number;
  /** Same as `caughtUp`, for changes of access up to one entry. */
  accessCaughtUp(seq: number): Promise<void>;
}

interface Decided {
  height: number;
  /** Monotonic. */
  atMs: number;
  settled: readonly LiveTransfer[];
  seen: readonly StoredTransfer[];
}

export type SettledRows = Pick<ChainReader, 'slots' | 'keyed' | 'settledByHash'>;

export class SettledTransfers {
  readonly #rows: SettledRows;
  readonly #index: Pick<ChainIndex, 'height'>;
  /** Blocks that chain.db did not have at the last look, oldest first. */
  #blocks: Decided[] = [];
  /** Number of the blocks that the maps include. They are filled late: most blocks are in chain.db before anything in them is looked up. */
  #found = 0;
  readonly #bySeq = new Map<number, StoredTransfer>();
  readonly #byHash = new Map<string, StoredTransfer>();
  readonly #bySlot = new Map<string, StoredTransfer[]>();
  readonly #byKey = new Map<string, StoredTransfer>();

  constructor(rows: SettledRows, index: Pick<ChainIndex, 'height'>) {
    this.#rows = rows;
    this.#index = index;
  }

  /** A block's entry is in the log. */
  add(block: Decided): void {
    this.#forget();
    if (block.settled.length > 0 || block.seen.length > 0) this.#blocks.push(block);
  }

  /** Number of transfers that chain.db does not have yet. */
  behind(): number {
    this.#forget();
    let transfers = 0;
    for (const { settled, seen } of this.#blocks) transfers += settled.length + seen.length;
    return transfers;
  }

  /** Time since the oldest of these blocks. */
  behindMs(nowMs: number): number {
    this.#forget();
    const [oldest] = this.#blocks;
    return oldest === undefined ? 0 : nowMs - oldest.atMs;
  }

  /** By its own hash or by the hash it was executed as; 64 upper-case hex digits. */
  byHash(hash: string): StoredTransfer | undefined {
    this.#find();
    return this.#byHash.get(hash) ?? this.#now(this.#rows.settledByHash(hash));
  }

  /** Every transfer at this place that is not live. */
  slots(from: string, nonce: number): StoredTransfer[] {
    this.#find();
    const held = this.#bySlot.get(slotOf(from, nonce)) ?? [];
    return [...held, ...this.#rows.slots(from, nonce).filter(({ seq }) => !this.#bySeq.has(seq))];
  }

  /** The transfer that was submitted with this key of the owner. */
  keyed(owner: string, key: string): StoredTransfer | undefined {
    this.#find();
    return this.#byKey.get(keyOf(owner, key)) ?? this.#now(this.#rows.keyed(owner, key));
  }

  /** A row may be older than the block that decided it. */
  #now(row: StoredTransfer | undefined): StoredTransfer | undefined {
    return row && (this.#bySeq.get(row.seq) ?? row);
  }

  /** chain.db is read after this, so every transfer is in one of the two places. */
  #find(): void {
    this.#forget();
    for (; this.#found < this.#blocks.length; this.#found += 1) {
      const { settled, seen } = this.#blocks[this.#found] as Decided;
      for (const { entry, idempotencyKey } of settled) {
        this.#hold(entry.transfer);
        const { owner } = entry.transfer;
        if (owner !== undefined && idempotencyKey !== undefined)
          this.#byKey.set(keyOf(owner, idempotencyKey), entry.transfer);
      }
      for (const transfer of seen) this.#hold(transfer);
    }
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

  /** Drops the blocks that chain.db has by now. */
  #forget(): void {
    const { height } = this.#index;
    const [oldest] = this.#blocks;
    if (oldest === undefined || oldest.height > height) return;
    this.#blocks = this.#blocks.filter((block) => block.height > height);
    this.#found = 0;
    for (const map of [this.#bySeq, this.#byHash, this.#bySlot, this.#byKey]) map.clear();
  }
}

const slotOf = (from: string, nonce: number): string => `${from}/${nonce}`;
const keyOf = (owner: string, key: string): string => `${key}\n${owner}`;
