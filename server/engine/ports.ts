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
