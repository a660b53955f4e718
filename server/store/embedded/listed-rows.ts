/**
 * Transfers as lists show them, by seq. No block changes one that is settled (every write is conditional on a status that is not terminal), so those are
 * kept: the head of the list is asked for again and again, and making ten rows into objects is most of what it costs.
 */
import { GenerationCache } from '../../engine/generation-cache.ts';
import type { ChainConnection } from './connection.ts';
import { LISTED_COLUMNS, listedOfRow, type ListedRow, type ListedTransfer, type Names } from './transfer-rows.ts';

/** A kilobyte each with what is made of them for answers, twice as many at most (two generations). */
export const SETTLED_KEPT_MAX = 1024;

export class ListedRows {
  readonly #names: Names;
  readonly #row;
  readonly #settled = new GenerationCache<number, ListedTransfer>(SETTLED_KEPT_MAX);

  constructor(sql: ChainConnection, names: Names) {
    this.#names = names;
    this.#row = sql.prepare<[number], ListedRow>(`SELECT ${LISTED_COLUMNS} FROM transfers t WHERE t.seq = ?`).raw();
  }

  /** The kept ones right below a seq, the newest first, down to the first seq that is not kept; at most `max`. */
  keptBelow(below: number, max: number): ListedTransfer[] {
    const found: ListedTransfer[] = [];
    while (found.length < max) {
      const kept = this.#settled.get(below - 1 - found.length);
      if (kept === undefined) break;
      found.push(kept);
    }
    return found;
  }

  /** `cancelAtMs`: when the journal has a request to cancel it, which is looked up for a pending one. Undefined when there is no such row. */
  get(seq: number, cancelAtMs: (seq: number) => number | undefined): ListedTransfer | undefined {
    const kept = this.#settled.get(seq);
    if (kept !== undefined) return kept;
    const row = this.#row.get(seq);
    if (row === undefined) return undefined;
    const transfer = listedOfRow(row, this.#names, cancelAtMs(seq));
    if (transfer.status !== 'pending') this.#settled.set(seq, transfer);
    return transfer;
  }
}
