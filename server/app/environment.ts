/**
 * The real clock and random source: the adapters behind the environment ports. All other code receives them as parameters, so that a
 * simulation can use a virtual clock.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import type { Clock, RandomSource, Timer } from '../engine/ports.ts';

const NS_PER_MS = 1_000_000n;
/** setTimeout takes a signed 32-bit number and fires at once for anything larger. */
const TIMER_DELAY_MS_MAX = 2 ** 31 - 1;

/** Between the two readings of one comparison a thread may lose its core for milliseconds; among several comparisons one is undisturbed. */
const CLOCK_COMPARISONS = 8;

/** `performance.now()` counts from the start of its thread. This offset makes all threads of the process count from the same moment. */
const THREAD_STARTED_MS = Math.max(
  ...Array.from(
    { length: CLOCK_COMPARISONS },
    () => Number(process.hrtime.bigint()) / Number(NS_PER_MS) - performance.now(),
  ),
);

/**
 * The wall clock in nanoseconds: the millisecond clock, extended by the monotonic clock within the millisecond, so that two readings in one
 * millisecond differ. It follows a jump of the wall clock at once.
 */
export function createClock(): Clock {
  let millisecond = 0;
  let monotonicAtMillisecondNs = 0n;
  return {
    nowMs: () => Date.now(),
    nowNs: () => {
      const nowMs = Date.now();
      const monotonicNs = process.hrtime.bigint();
      if (nowMs !== millisecond) {
        millisecond = nowMs;
        monotonicAtMillisecondNs = monotonicNs;
      }
      const withinNs = monotonicNs - monotonicAtMillisecondNs;
      return BigInt(nowMs) * NS_PER_MS + (withinNs < NS_PER_MS ? withinNs : NS_PER_MS - 1n);
    },
    monotonicMs: () => THREAD_STARTED_MS + performance.now(),
    setTimer: (fn: () => void, delayMs: number): Timer => {
      const handle = setTimeout(fn, Math.min(Math.max(delayMs, 0), TIMER_DELAY_MS_MAX));
      return { cancel: () => clearTimeout(handle) };
    },
    soon: (fn: () => void): void => void setImmediate(fn),
  };
}

export const createRandomSource = (): RandomSource => ({ bytes: (n) => new Uint8Array(randomBytes(n)) });
