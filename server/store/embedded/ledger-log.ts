/** What the ledger thread writes: groups at once, and what a block decides together with the block's own entry. */
import type { ChainLog } from './chain-log.ts';
import type { JournalEntry } from './journal.ts';
import type { BlockRows } from './block-rows.ts';

export class LedgerLog {
  readonly #log: ChainLog;
  #rows: BlockRows | undefined;

  constructor(log: ChainLog) {
    this.#log = log;
  }

  /** Makes a group durable: from then on it may be acknowledged. One append. Throws as `Store.write` does. */
  journal(entries: readonly JournalEntry[]): void {
    this.#log.append(entries);
  }

  /** Throws as `Store.write` does. */
  saveUptime(uptimeMs: number): void {
    this.#log.appendUptime(uptimeMs);
  }

  /** While a block is made: what it decides. */
  settle(rows: BlockRows): void {
    this.#rows = rows;
  }

  /** For the entry of the block, once. */
  takeRows(): BlockRows {
    const rows = this.#rows;
    if (rows === undefined) throw new Error('a block was made that settled nothing');
    this.#rows = undefined;
    return rows;
  }
}
