/**
 * The environment, as ports: time, randomness and logging reach the engine and the gateway only through these, so that a simulation can
 * drive both with a virtual clock and so that nothing in them depends on the machine.
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
  /**
   * Calls `fn` once the event loop has gone around, in the order of the calls; work that one call makes ready is done before the next.
   * Without it a timer of 0 ms does the same, a millisecond later.
   */
  soon?(fn: () => void): void;
}

/**
 * Greatest lead of the wall clock over the monotonic time since the last block, in milliseconds. Equal to a light client's tolerance: an
 * embedded engine signs no block beyond it.
 */
export const CLOCK_AHEAD_MS_MAX = 10_000;

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

/**
 * Measures the duration of something that happens again and again. `stop` takes the value that `start` returned; without it nothing is
 * counted.
 */
export interface Stopwatch {
  start(): number;
  stop(startedMs: number): void;
}

/** The counts of a stopwatch. Structured-cloneable. */
export interface DurationFigures {
  /** Upper bounds of the buckets, seconds. */
  boundsS: readonly number[];
  /** One for each bucket, not cumulative, and one more for durations above the last bound. */
  counts: readonly number[];
  sumS: number;
}

export interface ConnectionCounts {
  busy: number;
  idle: number;
  /** Transactions that wait for one. */
  waiting: number;
}

/** Durations of this service's databases: commits by kind, checkpoints by thread; the rest is of a gateway before nodes. */
export interface StoreFigures {
  commits: Readonly<Record<string, DurationFigures>>;
  checkpoints: Readonly<Record<string, DurationFigures>>;
  transactions?: Readonly<Record<string, DurationFigures>>;
  /** Connections to PostgreSQL. */
  connections?: ConnectionCounts;
  standbys?: StandbyCounts;
  /** Absent where none is configured. */
  replicas?: ReplicaFigures;
}

/** Servers that settled rows are read from. */
export interface ReplicaFigures {
  /** Lists, transfers by hash and pages of events, by the server that answered. */
  reads: { primary: number; replica: number };
  /** `lag`: blocks behind the primary at the last check, undefined for one that does not answer. */
  replicas: readonly { name: string; lag: number | undefined; isUsed: boolean }[];
}

/** Standbys that a commit of PostgreSQL waits for: as configured, and as connected. */
export interface StandbyCounts {
  wanted: number;
  /** Undefined when the gateway's role may not see it. */
  inSync?: number;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** One piece of work in a trace. Its attributes never hold a token, a signature or a body. */
export interface Span {
  readonly traceId: string;
  /** The parent for work on another thread that belongs below this span (W3C Trace Context); undefined where nothing is recorded. */
  readonly traceparent: string | undefined;
  set(attributes: SpanAttributes): void;
  /** Makes the span `Tracer.active` while the work runs, with everything that it awaits. */
  run<T>(work: () => T): T;
  /** `failed`: it ended with a fault of the service. `endedMs`: by the monotonic clock; absent: now. */
  end(end?: { name?: string; failed?: boolean; endedMs?: number }): void;
}

export interface SpanStart {
  name: string;
  /** `server`: a request from outside. */
  kind?: 'server' | 'internal';
  /** A span of this thread, or a valid traceparent from elsewhere; without one a trace begins. */
  parent?: Span | string | undefined;
  /** Data of other tracing systems, beside a traceparent. */
  tracestate?: string | undefined;
  /** By the monotonic clock; absent: now. */
  startedMs?: number;
  attributes?: SpanAttributes;
}

/** Absent where tracing is off, which is the default. */
export interface Tracer {
  begin(start: SpanStart): Span;
  /** The span whose work is running. */
  active(): Span | undefined;
}
