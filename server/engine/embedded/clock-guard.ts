/**
 * Keeps a jumping wall clock out of header times.
 *
 * Header times must strictly increase, so one block signed with a time far in the future would force every later block to be later still,
 * and light clients refuse headers ahead of their own clock by more than ten seconds. The guard compares the wall clock with the time that
 * has passed since the last signature by the monotonic clock. A jump while the process is down cannot be detected: the wall clock at start
 * is used as it is. A clock that went back needs no guard, because times then advance by the smallest step until it has caught up.
 */
import type { Clock } from '../ports.ts';
import { CLOCK_AHEAD_MS_MAX } from '../ports.ts';
import { NS_PER_MS } from '../encoding/index.ts';

/** Both clocks, read once: the time that is checked is the time that is signed, even when the clock is set between two readings. */
export interface ClockReading {
  wallNs: bigint;
  monotonicMs: number;
  /** Milliseconds by which the wall clock is ahead of its expected value; 0 when it is not. */
  aheadMs: number;
  /** True when signing with this time is refused. */
  isHeld: boolean;
}

export class ClockGuard {
  readonly #clock: Clock;
  #anchorNs: bigint;
  #anchorMonotonicMs: number;

  /** `lastVoteNs`: time of the last signature before this start; 0n when there is none. */
  constructor(clock: Clock, lastVoteNs: bigint) {
    this.#clock = clock;
    const now = clock.nowNs();
    this.#anchorNs = now > lastVoteNs ? now : lastVoteNs;
    this.#anchorMonotonicMs = clock.monotonicMs();
  }

  read(): ClockReading {
    const monotonicMs = this.#clock.monotonicMs();
    const wallNs = this.#clock.nowNs();
    const passedMs = monotonicMs - this.#anchorMonotonicMs;
    const aheadMs = Math.max(0, Math.round(Number((wallNs - this.#anchorNs) / NS_PER_MS) - passedMs));
    return { wallNs, monotonicMs, aheadMs, isHeld: aheadMs > CLOCK_AHEAD_MS_MAX };
  }

  /** Records that a block was signed with this time, by this reading. */
  signedAt(voteNs: bigint, { monotonicMs }: Pick<ClockReading, 'monotonicMs'>): void {
    this.#anchorNs = voteNs;
    this.#anchorMonotonicMs = monotonicMs;
  }

  /** The wall clock in ms since 1970; while signing is refused, its expected value. */
  nowMs(): number {
    const { wallNs, aheadMs, isHeld } = this.read();
    return Number(wallNs / NS_PER_MS) - (isHeld ? aheadMs : 0);
  }
}
