/** The rhythm of blocks and the guard of the clock, by themselves. */
import { describe, expect, test } from '@jest/globals';
import { ClockGuard } from '../../server/engine/embedded/clock-guard.ts';
import { CLOCK_AHEAD_MS_MAX } from '../../server/engine/ports.ts';
import { IDLE_BLOCK_MS_DEFAULT, needsFreshHeader, nextBlockDelayMs } from '../../server/engine/embedded/schedule.ts';
import { VirtualClock } from './support/virtual-clock.ts';

const rhythm = { intervalMs: 1000, idleMs: IDLE_BLOCK_MS_DEFAULT };
const idle = { transactions: 0, fullBlock: false, proofPending: false, expectedInMs: undefined };

describe('the next block is due', () => {
  test.each([
    ['at once while a full block waits', 0, { ...idle, transactions: 1000, fullBlock: true }, 0],
    ['one interval after the last while anything waits', 300, { ...idle, transactions: 1 }, 700],
    ['at once when the interval has passed', 5_000, { ...idle, transactions: 1 }, 0],
    ['one interval after a block that changed the state', 0, { ...idle, proofPending: true }, 1000],
    ['when a moment that headers are expected to pass has come', 2_000, { ...idle, expectedInMs: 1_500 }, 1500],
    ['one interval after the last while such a moment has passed', 300, { ...idle, expectedInMs: -5 }, 700],
    ['as without it when the moment is far', 0, { ...idle, expectedInMs: 1e12 }, IDLE_BLOCK_MS_DEFAULT - 500],
    ['a moment before a minute has passed while nothing waits', 10_000, idle, 49_500],
  ])('%s', (_, sinceMs, waiting, delayMs) => expect(nextBlockDelayMs(sinceMs, rhythm, waiting)).toBe(delayMs));

  test.each([1_000, 10_000, IDLE_BLOCK_MS_DEFAULT, 3_600_000])(
    'before an idle chain may be silent any longer, which is %d ms, whatever the interval',
    (idleMs) => {
      for (const waiting of [idle, { ...idle, transactions: 1 }, { ...idle, proofPending: true }]) {
        for (const intervalMs of [10, 1_000, 3_600_000]) {
          const delayMs = nextBlockDelayMs(0, { intervalMs, idleMs }, waiting);
          expect(delayMs).toBeGreaterThan(0);
          expect(delayMs).toBeLessThan(idleMs);
        }
      }
    },
  );

  test('with a fresh header first when the last block is more than two intervals and a second old', () => {
    expect([999, 1_001, 2_001].map((sinceMs) => needsFreshHeader(sinceMs, 10))).toEqual([false, true, true]);
    expect([1_999, 2_001].map((sinceMs) => needsFreshHeader(sinceMs, 1_000))).toEqual([false, true]);
  });
});

describe('the clock guard', () => {
  const ns = (ms: number) => BigInt(ms) * 1_000_000n;

  test('lets time pass and holds exactly what is more than ten seconds ahead of it', async () => {
    const clock = new VirtualClock(1_000_000);
    const guard = new ClockGuard(clock, 0n);
    await clock.advance(3_600_000);
    expect([guard.read().isHeld, guard.read().aheadMs]).toEqual([false, 0]);
    clock.jump(CLOCK_AHEAD_MS_MAX);
    expect(guard.read().isHeld).toBe(false);
    clock.jump(1);
    expect([guard.read().isHeld, guard.read().aheadMs]).toEqual([true, CLOCK_AHEAD_MS_MAX + 1]);
    clock.jump(-2);
    expect(guard.read().isHeld).toBe(false);
  });

  test('never holds a clock that went back, nor its return', async () => {
    const clock = new VirtualClock(10_000_000);
    const guard = new ClockGuard(clock, ns(10_000_000));
    clock.jump(-5_000_000);
    for (let i = 1; i <= 3; i++) {
      expect(guard.read().isHeld).toBe(false);
      guard.signedAt(ns(10_000_000 + i), guard.read());
      await clock.advance(1_000);
    }
    clock.jump(5_000_000);
    expect(guard.read().isHeld).toBe(false);
  });

  test('tells the clock as long as it may sign by it, and else what it should show', async () => {
    const clock = new VirtualClock(1_000_000);
    const guard = new ClockGuard(clock, 0n);
    await clock.advance(5_000);
    clock.jump(CLOCK_AHEAD_MS_MAX);
    expect(guard.nowMs()).toBe(1_015_000);
    clock.jump(3_600_000);
    expect(guard.nowMs()).toBe(1_005_000);
    await clock.advance(500);
    expect(guard.nowMs()).toBe(1_005_500);
    clock.jump(-7_200_000);
    expect(guard.nowMs()).toBe(clock.nowMs());
  });

  test('measures from the last signature', async () => {
    const clock = new VirtualClock(1_000_000);
    const guard = new ClockGuard(clock, 0n);
    for (let i = 0; i < 5; i++) {
      clock.jump(9_000);
      expect(guard.read().isHeld).toBe(false);
      guard.signedAt(clock.nowNs(), guard.read());
      await clock.advance(1_000);
    }
    clock.jump(10_001);
    expect(guard.read().isHeld).toBe(true);
  });
});
