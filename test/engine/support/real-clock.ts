/** The machine's clock, for tests that run the engine in real time. */
import { performance } from 'node:perf_hooks';
import type { Clock } from '../../../server/engine/ports.ts';

export const realClock: Clock = {
  nowMs: () => Date.now(),
  nowNs: () => BigInt(Date.now()) * 1_000_000n,
  monotonicMs: () => performance.now(),
  setTimer(fn, delayMs) {
    const timeout = setTimeout(fn, delayMs);
    return { cancel: () => clearTimeout(timeout) };
  },
};
