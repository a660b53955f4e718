/**
 * The wall clock of a gateway before nodes, as far as their blocks bear it out.
 *
 * A clock that jumped ahead would refuse payments whose validity has not passed, so it is believed only while it is close to what the last block says.
 * The time in a block's header is that of the votes on the block before it: so it was about that time when the block before was seen here, and what has
 * passed since then a monotonic clock knows. Where that moment is not known (the first block after a start, a block that was skipped) the block itself
 * stands in for it, which makes the estimate too early and never too late.
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

  /** The follower stands at this block now, whoever moved it. */
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
