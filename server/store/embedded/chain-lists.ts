/**
 * Lists of rows by account or reference, newest first: which seqs match, from indexes. Other lists are ranges of one index
 * (listed-rows.ts).
 *
 * A list by one filter is a range of one index. Two filters at once have no index of their own, which would cost every accepted transfer
 * another entry: the shorter of their indexes is read and each row is checked, a bounded number of them, so that a page may be short.
 */
import type { TransactionStatus } from '../../gateway/types.ts';
import { statusCode } from '../codes.ts';
import type { ChainConnection } from './connection.ts';
import type { Walk } from './walks.ts';
import { either, SegmentWalks } from './walks.ts';

/** Rows that one call checks for a match of two filters at once: one to two milliseconds. */
export const PROBES_PER_CALL_MAX = 1024;

/** One side, or both, by the numbers of accounts. */
export interface RowSide {
  fromId?: number | undefined;
  toId?: number | undefined;
}

export interface RowQuery {
  /** Rows below this seq only. */
  below: number;
  wanted: number;
  status: TransactionStatus | undefined;
  /** One or two; two are of one side each. Undefined for those of every account. */
  sides: readonly RowSide[] | undefined;
  /** Exactly this one. */
  reference?: string | undefined;
}

export interface Seqs {
  seqs: number[];
  /** With fewer than requested: everything from this seq up was checked. 0 when the list has no more. */
  reached: number;
}

type Probe = [status: number, fromId: number, toId: number];

export class ChainLists {
  readonly #walks: SegmentWalks;
  readonly #probe;
  readonly #reference;

  constructor(sql: ChainConnection) {
    this.#walks = new SegmentWalks(sql);
    this.#probe = sql.prepare<[number], Probe>('SELECT status, from_id, to_id FROM transfers WHERE seq = ?').raw();
    this.#reference = sql
      .prepare<[number], string | null>('SELECT reference FROM payment_members WHERE seq = ?')
      .pluck();
  }

  find({ below, wanted, status, sides, reference }: RowQuery): Seqs {
    const walks = sides === undefined ? [] : this.#walksOf(sides, below, wanted);
    if (sides !== undefined && walks.length === 0) return { seqs: [], reached: 0 };
    const code = status === undefined ? undefined : statusCode(status);
    if (code !== undefined) walks.push(this.#walks.ofStatus(code, below, wanted));
    if (reference !== undefined) walks.push(this.#walks.ofReference(reference, below, wanted));
    const [first, ...others] = walks;
    if (first === undefined) return { seqs: [], reached: 0 };
    // The index of references keeps a part of their hash, so each row that it returns is compared as well.
    if (others.length === 0 && reference === undefined) return this.#take(first, wanted);
    const shortest = others.reduce((best, walk) => (walk.span > best.span ? walk : best), first);
    return this.#take(shortest, wanted, (seq) => this.#matches(seq, code, sides, reference));
  }

  #matches(
    seq: number,
    code: number | undefined,
    sides: readonly RowSide[] | undefined,
    reference: string | undefined,
  ): boolean {
    const probe: Probe | undefined = this.#probe.get(seq);
    if (probe === undefined) return false;
    const [status, fromId, toId] = probe;
    return (
      (code === undefined || status === code) &&
      (sides === undefined ||
        sides.some(
          (side) =>
            (side.fromId === undefined || side.fromId === fromId) && (side.toId === undefined || side.toId === toId),
        )) &&
      (reference === undefined || this.#reference.get(seq) === reference)
    );
  }

  /** Each of them gives all that the sides name, and maybe more. */
  #walksOf(sides: readonly RowSide[], below: number, wanted: number): Walk[] {
    const [first = {}, second] = sides;
    const ofFirst = this.#walksOfSide(first, below, wanted);
    if (second === undefined) return ofFirst;
    const [a] = ofFirst;
    const [b] = this.#walksOfSide(second, below, wanted);
    return a === undefined || b === undefined ? [] : [either(a, b)];
  }

  #walksOfSide({ fromId, toId }: RowSide, below: number, wanted: number): Walk[] {
    return [
      ...(fromId === undefined ? [] : [this.#walks.ofSender(fromId, below, wanted)]),
      ...(toId === undefined ? [] : [this.#walks.ofReceiver(toId, below, wanted)]),
    ];
  }

  #take(walk: Walk, wanted: number, matches?: (seq: number) => boolean): Seqs {
    const seqs: number[] = [];
    let reached = 0;
    for (let probes = 0; seqs.length < wanted;) {
      const seq = walk.peek();
      if (seq === undefined) {
        reached = walk.reached;
        break;
      }
      if (matches !== undefined) {
        if (probes === PROBES_PER_CALL_MAX) {
          reached = seq + 1;
          break;
        }
        probes += 1;
        if (matches(seq)) seqs.push(seq);
      } else seqs.push(seq);
      walk.skip();
    }
    return { seqs, reached };
  }
}
