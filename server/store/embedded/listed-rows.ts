/**
 * Transfers as lists show them, from their rows: one to three microseconds each.
 *
 * The newest settled ones are cached: the head of the list is read again and again, and no block changes them. Others are not: rows of
 * pages that are not read again cost the garbage collector more than making them costs.
 */
import { GenerationCache } from '../../engine/generation-cache.ts';
import { LIMIT_GIVEN } from '../../platform/limit-given.ts';
import type { TransactionStatus } from '../../gateway/types.ts';
import { statusCode } from '../codes.ts';
import type { ChainConnection } from './connection.ts';
import {
  type CancelAtMs,
  LISTED_COLUMNS,
  listedOfRow,
  type ListedRow,
  type ListedTransfer,
  type Names,
} from './transfer-rows.ts';

/** A kilobyte each with their texts for answers, twice as many at most (two generations). */
const HEAD_KEPT_MAX = 256;

export class ListedRows {
  readonly #names: Names;
  readonly #cancelAtMs: CancelAtMs;
  readonly #newest;
  readonly #ofStatus;
  readonly #ofSeqs;
  /** Settled ones by seq. */
  readonly #head = new GenerationCache<number, ListedTransfer>(HEAD_KEPT_MAX);

  constructor(sql: ChainConnection, names: Names, cancelAtMs: CancelAtMs) {
    this.#names = names;
    this.#cancelAtMs = cancelAtMs;
    this.#newest = sql
      .prepare<[number, number], ListedRow>(
        `SELECT ${LISTED_COLUMNS} FROM transfers t WHERE t.seq < ? ORDER BY t.seq DESC ${LIMIT_GIVEN}`,
      )
      .raw();
    this.#ofStatus = sql
      .prepare<[number, number, number], ListedRow>(
        `SELECT ${LISTED_COLUMNS} FROM transfers t INDEXED BY transfers_by_status WHERE t.status = ? AND t.seq < ? ORDER BY t.seq DESC ${LIMIT_GIVEN}`,
      )
      .raw();
    // One statement for all of them takes half the time of one for each. CROSS JOIN: SQLite goes through the seqs, not through the table.
    this.#ofSeqs = sql
      .prepare<[string], ListedRow>(
        `SELECT ${LISTED_COLUMNS} FROM json_each(?) given CROSS JOIN transfers t ON t.seq = given.value`,
      )
      .raw();
  }

  /** The newest rows up to a seq, which is that of the last row. */
  newest(lastSeq: number, max: number): ListedTransfer[] {
    const kept = this.#keptBelow(lastSeq + 1, max);
    if (kept.length === max) return kept;
    const others = this.below(kept.at(-1)?.seq ?? lastSeq + 1, max - kept.length, undefined);
    for (const transfer of others) if (transfer.status !== 'pending') this.#head.set(transfer.seq, transfer);
    return [...kept, ...others];
  }

  /** The rows right below a seq, of one status or of all, the newest first; at most `max`. */
  below(seq: number, max: number, status: TransactionStatus | undefined): ListedTransfer[] {
    const rows = status === undefined ? this.#newest.all(seq, max) : this.#ofStatus.all(statusCode(status), seq, max);
    return rows.map(this.#listed);
  }

  /** The rows with these seqs, the newest first; without those that do not exist. */
  of(seqs: readonly number[]): ListedTransfer[] {
    if (seqs.length === 0) return [];
    return this.#ofSeqs
      .all(JSON.stringify(seqs))
      .map(this.#listed)
      .sort((a, b) => b.seq - a.seq);
  }

  /** Down to the first seq that is not cached: where no row has it, SQLite is queried for what follows. */
  #keptBelow(below: number, max: number): ListedTransfer[] {
    const found: ListedTransfer[] = [];
    while (found.length < max) {
      const kept = this.#head.get(below - 1 - found.length);
      if (kept === undefined) break;
      found.push(kept);
    }
    return found;
  }

  readonly #listed = (row: ListedRow): ListedTransfer => listedOfRow(row, this.#names, this.#cancelAtMs);
}
