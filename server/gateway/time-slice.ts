/** Long work in short turns: between two of them the thread does other things, such as answering requests. */
import type { Clock } from '../engine/ports.ts';

import { TURN_MS_MAX } from './limits.ts';

export class TimeSlice {
  readonly #clock: Clock;
  #startMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.monotonicMs();
  }

  /** Ends the turn when it has taken long enough; to be awaited only when it answers something. */
  yield(): Promise<void> | undefined {
    if (this.#clock.monotonicMs() - this.#startMs < TURN_MS_MAX) return undefined;
    return new Promise((resolve) => {
      this.#clock.setTimer(() => {
        this.#startMs = this.#clock.monotonicMs();
        resolve();
      }, 0);
    });
  }
}
