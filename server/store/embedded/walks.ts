/**
 * Seqs of rows in the order of a list, newest first, from indexes alone.
 *
 * The indexes of accounts and references are cut into segments of rows that came one after the other, so they are walked from the newest
 * segment down. The rows that one call may visit are bounded: a walk that reaches its bound returns its place, and the next
 * page goes on from there.
 */
import { LIMIT_GIVEN } from '../../platform/limit-given.ts';
import type { ChainConnection } from './connection.ts';
import { prefixOfText, SEGMENT_ROWS, segmentOf } from './segments.ts';

/**
 * Segments that one walk visits in vain: to go past four million transfers of others costs about as much as a list of 100. Each walk has
 * its own bound, so that none can keep another from advancing.
 */
export const SEGMENTS_PER_WALK_MAX = 64;
/** Seqs read at first; later reads of the same walk take more. */
const BATCH_MIN = 16;
const BATCH_MAX = 1024;

/** Seqs below a bound, the newest first. */
export interface Walk {
  /** The next seq; undefined at the end, and where the walk met the bound of one call. */
  peek(): number | undefined;
  skip(): void;
  /** Everything from here up was returned, once `peek` is undefined; 0 at the end. */
  readonly reached: number;
  /**
   * Number of seqs that the next batch of it spans, for each that it holds: of two walks with the same matches the one that spans more is
   * shorter.
   */
  readonly span: number;
}

abstract class BatchWalk implements Walk {
  protected below: number;
  #batch: number[] = [];
  #at = 0;
  #size: number;

  /** `wanted`: the number of seqs that the caller needs, so that one batch is enough where everything matches. */
  constructor(below: number, wanted: number) {
    this.below = below;
    this.#size = Math.min(BATCH_MAX, Math.max(BATCH_MIN, wanted));
  }

  /**
   * The next seqs below `below`, at most `max`; [] at the end, and where the walk met its bound. Lowers `below` to the first seq that is
   * not read yet.
   */
  protected abstract read(max: number): number[];

  peek(): number | undefined {
    if (this.#at < this.#batch.length) return this.#batch[this.#at];
    this.#batch = this.read(this.#size);
    this.#at = 0;
    this.#size = Math.min(BATCH_MAX, this.#size * 2);
    return this.#batch[0];
  }

  skip(): void {
    this.#at += 1;
  }

  get reached(): number {
    return this.below;
  }

  get span(): number {
    const first = this.peek();
    return first === undefined ? Number.POSITIVE_INFINITY : (first - this.below + 1) / (this.#batch.length - this.#at);
  }
}

export class SegmentWalks {
  readonly #bySender;
  readonly #byReceiver;
  readonly #byStatus;
  readonly #byReference;

  constructor(sql: ChainConnection) {
    const ofAccount = (table: string) =>
      sql
        .prepare<[number, number, number, number], number>(
          `SELECT seq FROM ${table} WHERE segment = ? AND account_id = ? AND seq < ? ORDER BY seq DESC ${LIMIT_GIVEN}`,
        )
        .pluck();
    this.#bySender = ofAccount('by_sender');
    this.#byReceiver = ofAccount('by_receiver');
    this.#byReference = sql
      .prepare<[number, number, number, number], number>(
        `SELECT seq FROM by_reference WHERE segment = ? AND prefix = ? AND seq < ? ORDER BY seq DESC ${LIMIT_GIVEN}`,
      )
      .pluck();
    this.#byStatus = sql
      .prepare<[number, number, number], number>(
        `SELECT seq FROM transfers INDEXED BY transfers_by_status WHERE status = ? AND seq < ? ORDER BY seq DESC ${LIMIT_GIVEN}`,
      )
      .pluck();
  }

  ofSender(accountId: number, below: number, wanted: number): Walk {
    return new SegmentWalk(
      (segment, before, max) => this.#bySender.all(segment, accountId, before, max),
      below,
      wanted,
    );
  }

  ofReceiver(accountId: number, below: number, wanted: number): Walk {
    return new SegmentWalk(
      (segment, before, max) => this.#byReceiver.all(segment, accountId, before, max),
      below,
      wanted,
    );
  }

  /** All with this reference, and maybe others. */
  ofReference(reference: string, below: number, wanted: number): Walk {
    const prefix = prefixOfText(reference);
    return new SegmentWalk(
      (segment, before, max) => this.#byReference.all(segment, prefix, before, max),
      below,
      wanted,
    );
  }

  ofStatus(status: number, below: number, wanted: number): Walk {
    return new StatusWalk((before, max) => this.#byStatus.all(status, before, max), below, wanted);
  }
}

class SegmentWalk extends BatchWalk {
  readonly #query: (segment: number, before: number, max: number) => number[];
  #segmentsLeft = SEGMENTS_PER_WALK_MAX;

  constructor(query: (segment: number, before: number, max: number) => number[], below: number, wanted: number) {
    super(below, wanted);
    this.#query = query;
  }

  protected read(max: number): number[] {
    while (this.below > 0 && this.#segmentsLeft > 0) {
      const segment = segmentOf(this.below - 1);
      const seqs = this.#query(segment, this.below, max);
      this.below = seqs.length === max ? (seqs.at(-1) ?? 0) : segment * SEGMENT_ROWS;
      if (seqs.length > 0) return seqs;
      this.#segmentsLeft -= 1;
    }
    return [];
  }
}

class StatusWalk extends BatchWalk {
  readonly #query: (before: number, max: number) => number[];

  constructor(query: (before: number, max: number) => number[], below: number, wanted: number) {
    super(below, wanted);
    this.#query = query;
  }

  protected read(max: number): number[] {
    if (this.below <= 0) return [];
    const seqs = this.#query(this.below, max);
    this.below = seqs.length === max ? (seqs.at(-1) ?? 0) : 0;
    return seqs;
  }
}

/** The union of two walks, each seq once. */
export function either(a: Walk, b: Walk): Walk {
  // The result of one of them is complete only down to where the other stopped.
  const head = (): number | undefined => {
    const first = a.peek();
    const second = b.peek();
    const newest = Math.max(first ?? -1, second ?? -1);
    const complete = (first !== undefined || newest >= a.reached) && (second !== undefined || newest >= b.reached);
    return newest >= 0 && complete ? newest : undefined;
  };
  return {
    peek: head,
    skip: () => {
      const seq = head();
      if (a.peek() === seq) a.skip();
      if (b.peek() === seq) b.skip();
    },
    get reached() {
      const stopped = [a, b].filter((walk) => walk.peek() === undefined).map((walk) => walk.reached);
      return Math.max(0, ...stopped);
    },
    get span() {
      return 1 / (1 / a.span + 1 / b.span);
    },
  };
}
