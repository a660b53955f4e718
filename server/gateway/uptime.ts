/**
 * Time that gateways have been running on this store: what the time to live of a transfer is counted in.
 *
 * Several gateways count the same time at once, each from what it found written down. A count therefore never runs
 * ahead of the time during which at least one of them ran: it goes on at the pace of the clock, and takes over what
 * another wrote only where that is further.
 */
import type { Clock } from '../engine/ports.ts';

export class Uptime {
  readonly #clock: Clock;
  #countedMs: number;
  #countedAtMs: number;

  constructor(clock: Clock, storedMs: number) {
    this.#clock = clock;
    this.#countedMs = storedMs;
    this.#countedAtMs = clock.monotonicMs();
  }

  nowMs(): number {
    return this.#countedMs + Math.round(this.#clock.monotonicMs() - this.#countedAtMs);
  }

  /** As read from the store a moment ago. */
  atLeast(storedMs: number): void {
    if (storedMs <= this.nowMs()) return;
    this.#countedMs = storedMs;
    this.#countedAtMs = this.#clock.monotonicMs();
  }
}
