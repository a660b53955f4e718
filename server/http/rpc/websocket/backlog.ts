/**
 * One budget for the bytes that were given to websockets and are still in the process.
 *
 * A socket has a bound of its own, but thousands of sockets a little below it would fill the memory. When the budget is used up, the
 * connections with the largest backlog are ended: those of the slowest readers.
 */
import { WS_BACKLOG_ALL_BYTES_MAX } from '../../limits.ts';

export interface Reader {
  readonly unsentBytes: number;
  /** Ends the connection at once and releases its bytes. */
  cutOff(): void;
}

/** Share of the budget that stays in use after it was used up, so that not every further byte ends a connection. */
const RELIEVED_SHARE = 3 / 4;

export class Backlog {
  readonly #readers = new Set<Reader>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax = WS_BACKLOG_ALL_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(reader: Reader, bytes: number): void {
    this.#bytes += bytes;
    this.#readers.add(reader);
    if (this.#bytes > this.#bytesMax) this.#relieve();
  }

  /** Called when the bytes were sent, or their connection has ended. */
  remove(reader: Reader, bytes: number): void {
    this.#bytes -= bytes;
    if (reader.unsentBytes === 0) this.#readers.delete(reader);
  }

  #relieve(): void {
    const target = this.#bytesMax * RELIEVED_SHARE;
    for (const reader of [...this.#readers].toSorted((a, b) => b.unsentBytes - a.unsentBytes)) {
      if (this.#bytes <= target) break;
      reader.cutOff();
    }
  }
}
