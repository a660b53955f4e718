/** Callers that wait for a height. Each is resolved once: when the height is reached, or at its timeout. */
import type { Clock, Timer } from './ports.ts';

/** Upper bound of a wait: a caller that passes a longer timeout calls again. */
const WAIT_MS_MAX = 60_000;

interface Waiter {
  height: number;
  timer: Timer;
  resolve: (height: number) => void;
}

export class HeightWaiters {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  #height: number;

  constructor(clock: Clock, height: number) {
    this.#clock = clock;
    this.#height = height;
  }

  wait(height: number, timeoutMs: number): Promise<number> {
    if (height <= this.#height || timeoutMs <= 0) return Promise.resolve(this.#height);
    return new Promise((resolve) => {
      const timer = this.#clock.setTimer(() => this.#answer(waiter), Math.min(timeoutMs, WAIT_MS_MAX));
      const waiter: Waiter = { height, timer, resolve };
      this.#waiters.add(waiter);
    });
  }

  reached(height: number): void {
    this.#height = height;
    for (const waiter of this.#waiters) if (waiter.height <= height) this.#answer(waiter);
  }

  /** Resolves all waits with the current height. */
  close(): void {
    for (const waiter of this.#waiters) this.#answer(waiter);
  }

  #answer(waiter: Waiter): void {
    waiter.timer.cancel();
    this.#waiters.delete(waiter);
    waiter.resolve(this.#height);
  }
}
