/**
 * Folds the log lines of a database or of nodes that do not answer: meanwhile every call to them fails, many times a second and in every
 * thread, but all failures are one fact of the process.
 *
 * One line names the waiting work, its target, the start and the count, at most every OUTAGE_LINE_EVERY_MS; another one reports the end.
 * These faults are expected, so the lines have no stack trace. Every other error is logged unchanged.
 *
 * @module
 */
import type { Clock, Logger } from '../engine/ports.ts';

/** Often enough to show that it continues, and 360 lines an hour. */
export const OUTAGE_LINE_EVERY_MS = 10_000;
/** Longer than any part of the service waits before it tries again, except for the webhooks' queues. */
export const OUTAGE_OVER_AFTER_MS = 15_000;
/** Different waits that one line names; the rest are counted. */
export const OUTAGE_WAITS_MAX = 8;

const DATABASE_FAULTS: ReadonlySet<unknown> = new Set([
  'StoreUnavailableError',
  'StoreConflictError',
  'StoreOutcomeUnknownError',
  'DatabaseUnreachableError',
]);
const NODE_FAULTS: ReadonlySet<unknown> = new Set(['NodeFailure', 'BlockNotAvailable']);
/** An error from the engine's thread arrives without its class. */
const ENGINE_AWAY = 'the engine could not be reached';

type Awaited = 'the database' | 'the nodes';

/** A line about an outage, in the form that threads exchange. */
export interface OutageFault {
  readonly awaited: Awaited;
  readonly level: 'warn' | 'error';
  /** The line that would have been logged: it names the waiting work. */
  readonly waits: string;
  /** The reason. */
  readonly reason: string;
}

interface Outage {
  sinceMs: number;
  lastFaultMs: number;
  lastLineMs: number;
  failures: number;
  /** Number of times that each line would have been written. */
  waits: Map<string, number>;
}

/** The outages that this process waits for, in any of its threads. */
export class Outages {
  readonly #logger: Logger;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
  readonly #outages = new Map<Awaited, Outage>();

  constructor(logger: Logger, clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>) {
    this.#logger = logger;
    this.#clock = clock;
  }

  add({ awaited, level, waits, reason }: OutageFault): void {
    const nowMs = this.#clock.monotonicMs();
    const outage = this.#outages.get(awaited) ?? this.#begin(awaited, nowMs);
    outage.failures += 1;
    outage.lastFaultMs = nowMs;
    outage.waits.set(waits, (outage.waits.get(waits) ?? 0) + 1);
    if (nowMs - outage.lastLineMs < OUTAGE_LINE_EVERY_MS) return;
    outage.lastLineMs = nowMs;
    this.#logger[level]({ reason, ...this.#factsOf(outage) }, `waiting for ${awaited}: ${waits}`);
  }

  #begin(awaited: Awaited, nowMs: number): Outage {
    const outage = { sinceMs: nowMs, lastFaultMs: nowMs, lastLineMs: -Infinity, failures: 0, waits: new Map() };
    this.#outages.set(awaited, outage);
    this.#clock.setTimer(() => this.#lookAgain(awaited, outage), OUTAGE_OVER_AFTER_MS);
    return outage;
  }

  #lookAgain(awaited: Awaited, outage: Outage): void {
    const quietMs = this.#clock.monotonicMs() - outage.lastFaultMs;
    if (quietMs < OUTAGE_OVER_AFTER_MS) {
      this.#clock.setTimer(() => this.#lookAgain(awaited, outage), OUTAGE_OVER_AFTER_MS - quietMs);
      return;
    }
    this.#outages.delete(awaited);
    this.#logger.info(
      { ...this.#factsOf(outage), lastedMs: Math.round(outage.lastFaultMs - outage.sinceMs) },
      `${awaited} did not answer; it is over, nothing has failed for ${OUTAGE_OVER_AFTER_MS / 1000} s`,
    );
  }

  #factsOf({ sinceMs, failures, waits }: Outage): object {
    const named = [...waits].slice(0, OUTAGE_WAITS_MAX).map(([what, count]) => `${what} (${count})`);
    const others = waits.size - named.length;
    const forMs = this.#clock.monotonicMs() - sinceMs;
    return {
      since: new Date(this.#clock.nowMs() - forMs).toISOString(),
      failures,
      waits: others > 0 ? [...named, `${others} others`] : named,
    };
  }
}

/** @param tell receives the faults instead of the log. */
export function foldingOutages(logger: Logger, tell: (fault: OutageFault) => void): Logger {
  const fold = (level: OutageFault['level'], fields: object, message: string): void => {
    const awaited = awaitedBy(fields, message);
    if (awaited === undefined) return logger[level](fields, message);
    tell({ awaited, level, waits: message, reason: (fields as { err: Error }).err.message });
  };
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => fold('warn', fields, message),
    error: (fields, message) => fold('error', fields, message),
  };
}

/** Undefined for every line that is not about an outage. */
function awaitedBy(fields: object, message: string): Awaited | undefined {
  const { err } = fields as { err?: unknown };
  if (!(err instanceof Error)) return undefined;
  // The process ends: its disk cannot be trusted.
  if ((err as { rereadable?: unknown }).rereadable === false) return undefined;
  if (DATABASE_FAULTS.has(err.name)) return 'the database';
  const isOfNodes = NODE_FAULTS.has(err.name) || (err.name === 'Error' && message.startsWith(ENGINE_AWAY));
  return isOfNodes ? 'the nodes' : undefined;
}
