/**
 * The unwritten log lines of an HTTP thread, in memory shared with the main thread. If the process exits before they are written, the main
 * thread writes them, without the help of that thread.
 *
 * @module
 */

/** Can be sent to another thread. */
export interface LineMirror {
  buffer: SharedArrayBuffer;
}

/** Lines are written when 64 KiB of them wait (log-stream.ts); a character may take three bytes. */
const BYTES_MAX = 256 * 1024;
const LOCK = 0;
const LENGTH = 1;
const HEADER_BYTES = 8;
const SPINS_MAX = 100;
const LOCK_WAIT_MS = 1;
/**
 * The thread holds the lock while it writes, which lasts as long as the pipe is full. After this many waits the process ends without its
 * lines.
 */
const LOCK_WAITS_MAX = 1_000;

export function createMirror(): LineMirror {
  return { buffer: new SharedArrayBuffer(HEADER_BYTES + BYTES_MAX) };
}

export class MirroredLines {
  readonly #words: Int32Array;
  readonly #bytes: Buffer;

  constructor({ buffer }: LineMirror) {
    this.#words = new Int32Array(buffer, 0, 2);
    this.#bytes = Buffer.from(buffer, HEADER_BYTES);
  }

  /** Returns false if there is no room: the caller has to write the lines now. */
  add(line: string): boolean {
    if (!this.#lock()) return false;
    try {
      const length = this.#words[LENGTH] as number;
      if (length + 3 * line.length > this.#bytes.length) return false;
      this.#words[LENGTH] = length + this.#bytes.write(line, length);
      return true;
    } finally {
      this.#unlock();
    }
  }

  /** Calls `write` for the added lines, unless the main thread has taken them to write them itself. */
  written(write: () => void): void {
    if (!this.#lock()) return;
    try {
      write();
      this.#words[LENGTH] = 0;
    } finally {
      this.#unlock();
    }
  }

  /** Called by the main thread at its exit. Returns the lines that the other thread holds and will not write. */
  take(): string {
    const isLocked = this.#lock();
    const text = this.#bytes.toString('utf8', 0, this.#words[LENGTH]);
    // The lock is kept: lines that the thread logs from now on come after the end of the process.
    return isLocked ? text : '';
  }

  #lock(): boolean {
    for (let tries = 0; Atomics.compareExchange(this.#words, LOCK, 0, 1) !== 0; tries += 1) {
      if (tries >= SPINS_MAX + LOCK_WAITS_MAX) return false;
      if (tries >= SPINS_MAX) Atomics.wait(this.#words, LOCK, 1, LOCK_WAIT_MS);
    }
    return true;
  }

  #unlock(): void {
    Atomics.store(this.#words, LOCK, 0);
  }
}
