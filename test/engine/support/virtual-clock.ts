/** A clock that moves only when a test moves it. Wall and monotonic time move together, unless the wall clock jumps. */
import type { Clock, Timer } from '../../../server/engine/ports.ts';

interface Pending {
  dueMs: number;
  order: number;
  fn: () => void;
}

export class VirtualClock implements Clock {
  #monotonicMs = 0;
  #wallAheadMs: number;
  #order = 0;
  readonly #timers = new Set<Pending>();
  #readings = 0;
  #onReading: ((count: number) => void) | undefined;

  constructor(wallMs: number) {
    this.#wallAheadMs = wallMs;
  }

  nowMs(): number {
    this.#read();
    return this.#wallAheadMs + this.#monotonicMs;
  }

  nowNs(): bigint {
    return BigInt(this.nowMs()) * 1_000_000n;
  }

  monotonicMs(): number {
    this.#read();
    return this.#monotonicMs;
  }

  setTimer(fn: () => void, delayMs: number): Timer {
    const pending = { dueMs: this.#monotonicMs + Math.max(0, delayMs), order: this.#order++, fn };
    this.#timers.add(pending);
    return { cancel: () => void this.#timers.delete(pending) };
  }

  /** Called before each reading of either clock, with the number of those before it. */
  set onReading(onReading: ((count: number) => void) | undefined) {
    this.#readings = 0;
    this.#onReading = onReading;
  }

  #read(): void {
    this.#onReading?.(this.#readings++);
  }

  /** The wall clock is set by hand, forwards or backwards. */
  jump(ms: number): void {
    this.#wallAheadMs += ms;
  }

  /** Lets time pass; timers fire in order, each at its moment. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonicMs + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#monotonicMs = Math.max(this.#monotonicMs, next.dueMs);
      this.#timers.delete(next);
      next.fn();
      // Whoever awaited what the timer did gets to run before time goes on.
      for (let i = 0; i < 5; i++) await Promise.resolve();
    }
    this.#monotonicMs = end;
  }

  #next(endMs: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#timers) {
      if (pending.dueMs > endMs) continue;
      if (
        first === undefined ||
        pending.dueMs < first.dueMs ||
        (pending.dueMs === first.dueMs && pending.order < first.order)
      ) {
        first = pending;
      }
    }
    return first;
  }
}
