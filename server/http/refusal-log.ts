/**
 * Log lines about refused requests of unknown callers. Anyone can send them without end, and a disk that is full of them stops payments. So
 * a thread writes a bounded number in a minute, then one of many, and at the end of the minute the number of omitted lines. Requests with a
 * token, and every failure of the service, always have their line.
 */
import type { Clock, Logger, Timer } from '../engine/ports.ts';

/** Lines of a minute that are all written, for each HTTP thread: more than a person reads, and enough to see which clients are active. */
export const REFUSAL_LINES_PER_MINUTE_MAX = 300;
/** After them one line in this many is written in that minute: a flood of 2,000 a second leaves 1,500 lines a minute. */
export const REFUSAL_SAMPLE = 100;
const MINUTE_MS = 60_000;

/** A line; lines are counted by the problem code of the refusal. */
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

  /** Ends the minute: logs the number of omitted lines. */
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
