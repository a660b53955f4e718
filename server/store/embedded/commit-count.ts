/**
 * How many commits chain.db has had, in memory that its writer shares with the threads that read it: so a reader knows without asking SQLite
 * that what it looked at last is still all there is.
 *
 * The writer raises the count before a commit and again after it. While it is odd, a commit is under way that some readers see already and others
 * do not, so no reader may continue with its earlier snapshot. A reader that was shown something, by any thread, begins after the first
 * of the two: it finds another count than the one it remembers, and looks again.
 */

const COUNT = 0;
const LONG_LOGS = { 'chain.db': 1, 'log.db': 2 } as const;
const WORDS = 3;

/** What the process that has the writer makes and hands to its threads. */
export function commitCountMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
}

export class CommitCount {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** Of the writer: runs what commits. */
  during<T>(commit: () => T): T {
    Atomics.add(this.#words, COUNT, 1);
    try {
      return commit();
    } finally {
      // Also when it failed: a failure may leave the commit in the file.
      Atomics.add(this.#words, COUNT, 1);
    }
  }

  /**
   * Of the writer: with a long write-ahead log no reader keeps a snapshot from one read to the next, because that log begins again only in a moment
   * without one.
   */
  logIsLong(file: keyof typeof LONG_LOGS, isLong: boolean): void {
    Atomics.store(this.#words, LONG_LOGS[file], isLong ? 1 : 0);
  }

  /** The same number means that nothing was committed in between; undefined: what is read now must not be kept. Ask before the snapshot begins. */
  now(): number | undefined {
    if (Object.values(LONG_LOGS).some((word) => Atomics.load(this.#words, word) !== 0)) return undefined;
    const count = Atomics.load(this.#words, COUNT);
    return count % 2 === 0 ? count : undefined;
  }
}
