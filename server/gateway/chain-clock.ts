/**
 * The wall clock of a gateway before nodes, as far as their blocks confirm it.
 *
 * A clock that jumped ahead would refuse payments whose validity has not passed, so it is used only while it is close to the time of the
 * last block. The time in a block's header is that of the votes on the block before it: so it was about that time when the block before was
 * seen here, and a monotonic clock measures what has passed since. Where that moment was not seen (the first block after a start, a block
 * that was skipped), the moment of the block itself replaces it, which makes the estimate too early and never too late.
 */
import type { Clock } from '../engine/ports.ts';
import { CLOCK_AHEAD_MS_MAX } from '../engine/ports.ts';

export interface SeenBlock {
  readonly height: number;
  readonly blockTimeMs: number;
}

export class ChainClock {
  readonly #clock: Clock;
  #last: SeenBlock;
  #seenAtMs: number;
  /** Monotonic moment at which it was the time of the last block. */
  #atMs: number;

  constructor(clock: Clock, last: SeenBlock) {
    this.#clock = clock;
    this.#last = last;
    this.#seenAtMs = clock.monotonicMs();
    this.#atMs = this.#seenAtMs;
  }

  /** The store is at this block now, applied by any gateway. */
  reached({ height, blockTimeMs }: SeenBlock): void {
    if (height <= this.#last.height) return;
    const nowMs = this.#clock.monotonicMs();
    this.#atMs = height === this.#last.height + 1 ? this.#seenAtMs : nowMs;
    this.#last = { height, blockTimeMs };
    this.#seenAtMs = nowMs;
  }

  /** Milliseconds since 1970. */
  nowMs(): number {
    const nowMs = this.#clock.nowMs();
    const expectedMs = this.#last.blockTimeMs + this.#clock.monotonicMs() - this.#atMs;
    return nowMs - expectedMs > CLOCK_AHEAD_MS_MAX ? expectedMs : nowMs;
  }
}
