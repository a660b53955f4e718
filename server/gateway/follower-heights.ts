/** The last applied height, and callers that wait for a height. */
import type { Clock, Timer } from '../engine/ports.ts';
import { WAITERS_MAX } from './limits.ts';

interface HeightWait {
  readonly height: number;
  readonly timer: Timer;
  readonly done: () => void;
}

export class FollowerHeights {
  readonly #clock: Clock;
  readonly #waits = new Set<HeightWait>();
  #height: number;
  #open = true;

  constructor(clock: Clock, height: number) {
    this.#clock = clock;
    this.#height = height;
  }

  get height(): number {
    return this.#height;
  }

  reached(height: number): void {
    this.#height = height;
    for (const wait of this.#waits) if (wait.height <= height) this.#end(wait);
  }

  /** Resolves when the height is applied, after `ms`, or when all waits end; at once when too many callers wait. */
  wait(height: number, ms: number): Promise<void> {
    if (!this.#open || height <= this.#height || ms <= 0 || this.#waits.size >= WAITERS_MAX) return Promise.resolve();
    return new Promise((done) => {
      const wait: HeightWait = { height, done, timer: this.#clock.setTimer(() => this.#end(wait), ms) };
      this.#waits.add(wait);
    });
  }

  /** Ends every wait and takes no more. */
  close(): void {
    this.#open = false;
    for (const wait of this.#waits) this.#end(wait);
  }

  #end(wait: HeightWait): void {
    this.#waits.delete(wait);
    wait.timer.cancel();
    wait.done();
  }
}
