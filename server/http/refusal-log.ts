/**
 * Lines of the log about requests that were refused and whose caller is not known. Anyone can send those without end, and a disk that is full
 * of them stops payments: so a thread writes a bounded number a minute, then one of many, and says at the end of the minute how many it left
 * out. What a caller with a token did, and every failure of the service, has its line whatever else is going on.
 */
import type { Clock, Logger, Timer } from '../engine/ports.ts';

/** Lines of a minute that are all written, of one HTTP thread: more than a person reads, and enough to see who is at work. */
export const REFUSAL_LINES_PER_MINUTE_MAX = 300;
/** Of what comes after them in that minute, one of so many is written: a flood of 2,000 a second leaves 1,500 lines a minute. */
export const REFUSAL_SAMPLE = 100;
const MINUTE_MS = 60_000;

/** A line, which is counted by the code that the contract gives the refusal. */
interface RefusalFields {
  readonly code?: string | undefined;
  readonly status?: number;
  readonly [field: string]: unknown;
}

export class RefusalLog {
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #leftOut = new Map<string, number>();
  #seen = 0;
  #timer: Timer | undefined;

  constructor(logger: Pick<Logger, 'info' | 'warn'>, clock: Pick<Clock, 'setTimer'>) {
    this.#logger = logger;
    this.#clock = clock;
  }

  info(fields: RefusalFields, message: string): void {
    this.#timer ??= this.#clock.setTimer(() => this.close(), MINUTE_MS);
    this.#seen += 1;
    const isWritten =
      this.#seen <= REFUSAL_LINES_PER_MINUTE_MAX || (this.#seen - REFUSAL_LINES_PER_MINUTE_MAX) % REFUSAL_SAMPLE === 0;
    if (isWritten) return this.#logger.info(fields, message);
    const kind = fields.code ?? String(fields.status ?? 'unknown');
    this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + 1);
  }

  /** Ends the minute: tells what was left out of it. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const leftOut = [...this.#leftOut.values()].reduce((sum, count) => sum + count, 0);
    if (leftOut > 0)
      this.#logger.warn(
        { leftOut, refused: this.#seen, byCode: Object.fromEntries(this.#leftOut) },
        'most requests that were refused without a known caller have no line in this log: they were too many',
      );
    this.#leftOut.clear();
    this.#seen = 0;
  }
}
