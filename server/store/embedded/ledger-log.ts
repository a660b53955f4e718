/**
 * Writes of the ledger thread: groups and changes of access and webhooks at once, and the decisions of a block together with the block's
 * own entry.
 */
import { StoreUnavailableError } from '../errors.ts';
import type { EntryWrite } from './access-entry.ts';
import type { ChainLog } from './chain-log.ts';
import type { JournalEntry } from './journal.ts';
import type { BlockRows } from './block-rows.ts';

export class LedgerLog {
  readonly #log: ChainLog;
  #rows: BlockRows | undefined;
  #held: string | undefined;

  constructor(log: ChainLog) {
    this.#log = log;
  }

  /**
   * The reason why the log could not store the block that was made last; undefined when it has the block. Memory is ahead of the log
   * meanwhile.
   */
  get held(): string | undefined {
    return this.#held;
  }

  hold(reason: string | undefined): void {
    this.#held = reason;
  }

  /**
   * Throws StoreUnavailableError while memory is ahead of the log: nothing is checked against it or answered from it then, and no entry
   * comes before the block's.
   */
  assertNotHeld(): void {
    if (this.#held !== undefined) throw new StoreUnavailableError(`a block waits for a place in log.db: ${this.#held}`);
  }

  /** Makes a group durable: from then on it may be acknowledged. One append. Throws as `Store.write` does. */
  journal(entries: readonly JournalEntry[]): void {
    this.assertNotHeld();
    this.#log.append(entries);
  }

  /** Throws as `Store.write` does. */
  saveUptime(uptimeMs: number): void {
    this.assertNotHeld();
    this.#log.appendUptime(uptimeMs);
  }

  /** Makes a change of access or webhooks durable: from then on it is in force. Throws as `Store.write` does. @returns its entry. */
  changeAccess(writes: readonly EntryWrite[]): number {
    this.assertNotHeld();
    this.#log.appendAccess(writes);
    return this.#log.head.seq;
  }

  /** Takes the decisions of a block while it is made. */
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
