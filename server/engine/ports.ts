/**
 * The environment, as ports: time, randomness and logging reach the engine and the gateway only through these, so
 * that a simulation can drive both with a virtual clock and so that nothing in them depends on the machine.
 */

/** A pending timer. Cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall clock, ms since the Unix epoch. It may jump in either direction. */
  nowMs(): number;
  /** Wall clock, ns since the Unix epoch. It may jump in either direction. */
  nowNs(): bigint;
  /** A clock that only goes forward, ms since an arbitrary moment. */
  monotonicMs(): number;
  /** Calls `fn` once, no earlier than `delayMs` from now, never before the current turn has ended. */
  setTimer(fn: () => void, delayMs: number): Timer;
}

export interface RandomSource {
  /** `n` cryptographically random bytes. */
  bytes(n: number): Uint8Array;
}

export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Measures how long something takes that happens again and again. `stop` is given what `start` answered; without it nothing is counted. */
export interface Stopwatch {
  start(): number;
  stop(startedMs: number): void;
}

/** What a stopwatch counted. Structured-cloneable. */
export interface DurationFigures {
  /** Upper bounds of the buckets, seconds. */
  boundsS: readonly number[];
  /** One for each bucket, not added up, and one more for what took longer than the last. */
  counts: readonly number[];
  sumS: number;
}

/** What a database of ours takes its time for: commits by what was committed, checkpoints by the thread; the rest is of PostgreSQL. */
export interface StoreFigures {
  commits: Readonly<Record<string, DurationFigures>>;
  checkpoints: Readonly<Record<string, DurationFigures>>;
  roundTrips?: Readonly<Record<string, DurationFigures>>;
  connections?: { open: number; idle: number; waiting: number };
}
