/**
 * Counters that the threads of a server share about chain.db and log.db: the number of commits, the height of chain.db, and the height that
 * it has to reach.
 *
 * From the count a reader sees, without a query, that its last snapshot is still current. A writer raises its count before a commit and
 * again after it. While it is odd, a commit is under way that some readers see already and others do not, so no reader may continue with
 * its earlier snapshot. A read that begins after any thread has shown something of a commit begins after the first of the two: it reads
 * another count than the one it remembers, and begins a new snapshot.
 *
 * The writer of chain.db commits several blocks at once where no caller waits for one of them, so a wait for a block is recorded here.
 */

/** Each has a count of its own, so that two commits at one time do not make an even number. */
const WRITERS = { ledger: 0, chain: 1 } as const;
const LONG_LOGS = { 'chain.db': 2, 'log.db': 3 } as const;
const HEIGHT = 4;
const LOG_HEIGHT = 5;
const WANTED = 6;
/** An even number, because eight bytes may begin after them only then. */
const WORDS = 8;
/** The number of an entry does not fit into a word. It comes after them, where eight bytes may begin. */
const ACCESS_SEQ_AT = WORDS * Int32Array.BYTES_PER_ELEMENT;
const BYTES = ACCESS_SEQ_AT + BigInt64Array.BYTES_PER_ELEMENT;

export type ChainWriterName = keyof typeof WRITERS;

/** Memory of the counters, made by the process that has the writers and passed to its threads. */
export function commitCountMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(BYTES);
}

export class CommitCount {
  readonly #words: Int32Array;
  readonly #accessSeq: BigInt64Array;
  readonly #writer: number;

  constructor(memory: SharedArrayBuffer, writer: ChainWriterName = 'ledger') {
    this.#words = new Int32Array(memory, 0, WORDS);
    this.#accessSeq = new BigInt64Array(memory, ACCESS_SEQ_AT, 1);
    this.#writer = WRITERS[writer];
  }

  /** For a writer: runs work that commits. */
  during<T>(commit: () => T): T {
    Atomics.add(this.#words, this.#writer, 1);
    try {
      return commit();
    } finally {
      // Also when it failed: a failure may leave the commit in the file.
      Atomics.add(this.#words, this.#writer, 1);
    }
  }

  /**
   * For a writer: with a long write-ahead log no reader keeps a snapshot from one read to the next, because that log begins again only in a
   * moment without one.
   */
  logIsLong(file: keyof typeof LONG_LOGS, isLong: boolean): void {
    Atomics.store(this.#words, LONG_LOGS[file], isLong ? 1 : 0);
  }

  /**
   * The same number means that nothing was committed in between; undefined: results of this read must not be kept. Call it before the
   * snapshot begins.
   */
  now(): number | undefined {
    // Runs at every read, so without a loop over their names.
    if (Atomics.load(this.#words, LONG_LOGS['chain.db']) !== 0 || Atomics.load(this.#words, LONG_LOGS['log.db']) !== 0)
      return undefined;
    const ledger = Atomics.load(this.#words, WRITERS.ledger);
    const chain = Atomics.load(this.#words, WRITERS.chain);
    // Both only grow, so that no two moments with a commit between them have the same sum.
    return ledger % 2 === 0 && chain % 2 === 0 ? ledger + chain : undefined;
  }

  /** For the writer of chain.db: its last block is this one now. */
  wrote(height: number): void {
    Atomics.store(this.#words, HEIGHT, height);
    this.woken(HEIGHT);
  }

  /** For the writer of chain.db: it has all changes of access in the log up to this entry. */
  wroteAccess(seq: number): void {
    Atomics.store(this.#accessSeq, 0, BigInt(seq));
    Atomics.notify(this.#accessSeq, 0);
  }

  /** The last entry about access that chain.db has. */
  get accessSeq(): number {
    return Number(Atomics.load(this.#accessSeq, 0));
  }

  /** As `beyond`, for access. */
  async beyondAccess(seq: number, timeoutMs: number): Promise<void> {
    const { async: isLater, value } = Atomics.waitAsync(this.#accessSeq, 0, BigInt(seq), timeoutMs);
    if (isLater) await value;
  }

  /** For the ledger thread: the log has this block. */
  logged(height: number): void {
    Atomics.store(this.#words, LOG_HEIGHT, height);
    this.woken(LOG_HEIGHT);
  }

  /** The last block of which any caller was shown anything. */
  get logHeight(): number {
    return Math.max(this.height, Atomics.load(this.#words, LOG_HEIGHT));
  }

  /** The last block that chain.db has. */
  get height(): number {
    return Atomics.load(this.#words, HEIGHT);
  }

  /** For a caller that waits for chain.db: its writer commits what it has applied until this block is in it. */
  want(height: number): void {
    for (let known = this.#wanted; known < height; known = this.#wanted) {
      if (Atomics.compareExchange(this.#words, WANTED, known, height) !== known) continue;
      this.woken(WANTED);
      return;
    }
  }

  /** True when a caller waits for a block above this one. */
  isWantedBeyond(height: number): boolean {
    return this.#wanted > height;
  }

  /** Resolves when a caller waits for a block above this one, or for any other block than before, or after `timeoutMs`. */
  async wantedBeyond(height: number, timeoutMs: number): Promise<void> {
    const wanted = this.#wanted;
    if (wanted <= height) await this.otherThan(WANTED, wanted, timeoutMs);
  }

  get #wanted(): number {
    return Atomics.load(this.#words, WANTED);
  }

  /**
   * Resolves when chain.db has another last block than this one, or after `timeoutMs`. The writer does not make it wait for blocks after
   * the next one.
   */
  async beyond(height: number, timeoutMs: number): Promise<void> {
    this.want(height + 1);
    await this.otherThan(HEIGHT, height, timeoutMs);
  }

  /** Resolves when the log has a block above this one, or one more block, or after `timeoutMs`. */
  async loggedBeyond(height: number, timeoutMs: number): Promise<void> {
    const logged = Atomics.load(this.#words, LOG_HEIGHT);
    if (logged <= height) await this.otherThan(LOG_HEIGHT, logged, timeoutMs);
  }

  /** The two that a simulation has in its own time. */
  protected async otherThan(word: number, value: number, timeoutMs: number): Promise<void> {
    const waiting = Atomics.waitAsync(this.#words, word, value, timeoutMs);
    if (waiting.async) await waiting.value;
  }

  protected woken(word: number): void {
    Atomics.notify(this.#words, word);
  }

  protected wordAt(word: number): number {
    return Atomics.load(this.#words, word);
  }
}
