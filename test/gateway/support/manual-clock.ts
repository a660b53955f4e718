/** A clock that moves only when a test moves it. */
import type { Clock, Timer } from '../../../server/engine/ports.ts';
import { databaseQuiet, ON_POSTGRES } from './fixture-store.ts';

const NS_PER_MS = 1_000_000n;

interface Pending {
  dueMs: number;
  fn: () => void;
}

export class ManualClock implements Clock {
  #monotonicMs = 0;
  #wallMs: number;
  readonly #timers = new Set<Pending>();

  constructor(wallMs: number) {
    this.#wallMs = wallMs;
  }

  nowMs(): number {
    return this.#wallMs;
  }

  nowNs(): bigint {
    return BigInt(this.#wallMs) * NS_PER_MS;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  setTimer(fn: () => void, delayMs: number): Timer {
    const pending = { dueMs: this.#monotonicMs + Math.max(0, delayMs), fn };
    this.#timers.add(pending);
    return { cancel: () => void this.#timers.delete(pending) };
  }

  /** Timers fire in order, each at its moment, and what they set off runs to its end before time goes on. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#monotonicMs + ms;
    for (let next = this.#earliest(endMs); next !== undefined; next = this.#earliest(endMs)) {
      this.#moveTo(next.dueMs);
      this.#timers.delete(next);
      next.fn();
      await settled();
    }
    this.#moveTo(endMs);
  }

  /** The wall clock is set by hand, forwards or backwards. */
  jump(ms: number): void {
    this.#wallMs += ms;
  }

  #moveTo(monotonicMs: number): void {
    if (monotonicMs <= this.#monotonicMs) return;
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }

  #earliest(endMs: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#timers)
      if (pending.dueMs <= endMs && (first === undefined || pending.dueMs < first.dueMs)) first = pending;
    return first;
  }
}

/** SQLite works in this process and the engine of these tests answers at once, so all that is under way ends within one turn. */
export const settled = (): Promise<void> =>
  ON_POSTGRES ? databaseQuiet() : new Promise((resolve) => setImmediate(resolve));
