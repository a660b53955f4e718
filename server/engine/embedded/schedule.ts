/**
 * Computes when the next block is due. A pure function, so that every rule of the schedule can be tested by itself.
 *
 * - While a full block of transactions waits, at once: then the machine is the limit, not the interval.
 * - While anything waits, one interval after the last block.
 * - After a block that changed the state, one more an interval later: the application hash of a block is in the header of the next one, and
 *   only then a proof of the new state exists.
 * - While the end of a validity has passed and no header is later yet, one interval after the last block: a transfer ends `expired` only
 *   then.
 * - Otherwise, when idle, an empty block shortly before the longest idle time is over.
 */

/**
 * Longest time between two blocks of an idle chain, unless the operator configures another: an empty block takes as much space as one with
 * a transfer.
 */
export const IDLE_BLOCK_MS_DEFAULT = 60_000;
/** An idle block is due this much earlier, as a margin for late timers and a slow disk. */
const IDLE_MARGIN_MS_MAX = 500;
/** Share of a short interval that is the margin. */
const IDLE_MARGIN_SHARE = 0.05;

/** A header carries the time of the signature before it; one older than this is refreshed by an empty block first. */
const HEADER_AGE_MS_MIN = 1_000;

export interface Waiting {
  /** Transactions in the mempool. */
  transactions: number;
  /** True when they fill a block. */
  fullBlock: boolean;
  /** The last block changed the application hash. */
  proofPending: boolean;
  /**
   * Milliseconds until the moment that headers are expected to be later than, 0 or less when it has passed; undefined when they are, or
   * when none is expected.
   */
  expectedInMs: number | undefined;
}

/** Intervals of the schedule, ms. */
export interface Rhythm {
  /** Longest wait for a block while something waits for it. */
  intervalMs: number;
  /** Longest time between two blocks of an idle chain. */
  idleMs: number;
}

/** Delay from now until the next block is due, ms; 0 when it is due already. */
export function nextBlockDelayMs(
  sinceLastBlockMs: number,
  { intervalMs, idleMs: idleMsMax }: Rhythm,
  waiting: Waiting,
): number {
  const idleMs = idleMsMax - Math.min(IDLE_MARGIN_MS_MAX, idleMsMax * IDLE_MARGIN_SHARE);
  const dueAfterMs = waiting.fullBlock
    ? 0
    : waiting.transactions > 0 || waiting.proofPending
      ? Math.min(intervalMs, idleMs)
      : idleMs;
  const dueInMs = Math.max(0, dueAfterMs - sinceLastBlockMs);
  if (waiting.expectedInMs === undefined) return dueInMs;
  return Math.min(dueInMs, Math.max(0, waiting.expectedInMs, Math.min(intervalMs, idleMs) - sinceLastBlockMs));
}

/** True when the next block should be an empty one, so that the block after it carries a fresh time. */
export function needsFreshHeader(sinceLastBlockMs: number, intervalMs: number): boolean {
  return sinceLastBlockMs > Math.max(2 * intervalMs, HEADER_AGE_MS_MIN);
}
