import { jest } from '@jest/globals';

/** Above what any lock is waited for. */
const WAITS_MAX = 50_000;

/** Runs `work`, in which a thread that waits for a lock without end fails instead of hanging; it waits for no time at all. */
export function failingEndlessWaits(work: () => void): void {
  let waits = 0;
  const waiting = jest.spyOn(Atomics, 'wait').mockImplementation(() => {
    waits += 1;
    if (waits > WAITS_MAX) throw new Error('a lock is waited for without end');
    return 'timed-out';
  });
  try {
    work();
  } finally {
    waiting.mockRestore();
  }
}
