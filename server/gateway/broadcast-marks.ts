/**
 * First broadcasts that the store does not know yet.
 *
 * Writing each down at once would cost a commit of its own; they travel with the next block, or alone when none comes soon.
 */
import type { Clock, Timer } from '../engine/ports.ts';
import { BROADCAST_MARK_MS_MAX } from './limits.ts';

export class BroadcastMarks {
  readonly #clock: Clock;
  readonly #flush: () => void;
  #seqs: number[] = [];
  #timer: Timer | undefined;

  /** `flush` is called when marks have waited long enough; it takes them. */
  constructor(clock: Clock, flush: () => void) {
    this.#clock = clock;
    this.#flush = flush;
  }

  add(seqs: readonly number[]): void {
    this.#seqs.push(...seqs);
    this.#timer ??= this.#clock.setTimer(() => {
      this.#timer = undefined;
      this.#flush();
    }, BROADCAST_MARK_MS_MAX);
  }

  /** The caller writes them down, or gives them back. */
  take(): number[] {
    const seqs = this.#seqs;
    this.#seqs = [];
    this.#timer?.cancel();
    this.#timer = undefined;
    return seqs;
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
