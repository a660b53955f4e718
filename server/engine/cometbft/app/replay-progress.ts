/**
 * Logs from time to time the height reached while blocks follow each other faster than a chain makes them: a node replays its own, or
 * catches up.
 */
import type { Clock, Logger } from '../../ports.ts';

/** Between two lines. */
const LINE_MS = 5_000;
/** A chain at work makes at most a few blocks a second (timeout_commit is 200 ms and more); several times that is replay. */
const REPLAY_BLOCKS_PER_SECOND_MIN = 20;

export class ReplayProgress {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #logger: Logger;
  #sinceMs: number;
  #blocks = 0;
  #transactions = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
    this.#sinceMs = clock.monotonicMs();
  }

  committed(height: number, transactions: number): void {
    this.#blocks += 1;
    this.#transactions += transactions;
    const nowMs = this.#clock.monotonicMs();
    const seconds = (nowMs - this.#sinceMs) / 1_000;
    if (seconds * 1_000 < LINE_MS) return;
    const perSecond = (count: number): number => Math.round(count / seconds);
    const fields = {
      height,
      blocksPerSecond: perSecond(this.#blocks),
      transactionsPerSecond: perSecond(this.#transactions),
    };
    if (this.#blocks / seconds >= REPLAY_BLOCKS_PER_SECOND_MIN)
      this.#logger.info(fields, 'executing blocks that were made before');
    this.#sinceMs = nowMs;
    this.#blocks = 0;
    this.#transactions = 0;
  }
}
