/**
 * Time during which gateways have been running on this store: the time to live of a transfer is counted in it.
 *
 * Several gateways count the same time at once, each from the value that it read from the store. A count therefore never runs ahead of the
 * time during which at least one of them ran: it goes on at the pace of the clock, and takes over the value of another only where that is
 * further.
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
