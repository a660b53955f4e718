/** Splits long answers into short time slices: between two of them blocks are made and other callers are answered. */
import type { Clock } from './ports.ts';

/** A time slice takes no longer than this and one unit of work. */
const TURN_MS_MAX = 5;

export class Pacer {
  readonly #clock: Clock;
  readonly #startMs: number;
  #turnStartMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.monotonicMs();
    this.#turnStartMs = this.#startMs;
  }

  /** Time since the answer began, ms. */
  elapsedMs(): number {
    return this.#clock.monotonicMs() - this.#startMs;
  }

  /** True when `pause` should be awaited now. */
  get due(): boolean {
    return this.#clock.monotonicMs() - this.#turnStartMs >= TURN_MS_MAX;
  }

  async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#clock.setTimer(resolve, 0);
    });
    this.#turnStartMs = this.#clock.monotonicMs();
  }
}
