/** The deadline of a call: one budget of time for everything that it does, and the caller's signal to end it earlier. */
import type { Environment } from './environment.ts';
import type { Hooks } from './hooks.ts';
import { CALL_TIMEOUT_MS_DEFAULT } from './limits.ts';

/** Limits of a call; every function of this package that sends requests has these options. */
export interface CallOptions extends Hooks {
  /**
   * Maximum time of the whole call, in milliseconds: attempts, pauses and waiting for a block included.
   * @default 60_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Ends the call at once. It rejects with the signal's reason, or with an UnknownOutcomeError when a request was sent that may take
   * effect.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Attempts after the first, while the error is retriable and time is left.
   * @default the client's
   */
  readonly maxRetries?: number | undefined;
}

/** The remaining time. It has the shape of {@link CallOptions}, so that a call within another one gets the remaining time of the whole. */
export interface Deadline extends CallOptions {
  readonly timeoutMs: number;
}

export function deadlineOf({ nowMs }: Environment, options: CallOptions): Deadline {
  const endMs = nowMs() + (options.timeoutMs ?? CALL_TIMEOUT_MS_DEFAULT);
  return {
    ...options,
    get timeoutMs() {
      return Math.max(0, endMs - nowMs());
    },
  };
}

/**
 * Calls back once, after the delay or as soon as the signal aborts, unless the returned function has been called before. It does not use
 * AbortSignal.any, which on older Node keeps memory for as long as the caller's signal exists.
 */
export function after(
  { setTimer }: Environment,
  delayMs: number,
  signal: AbortSignal | undefined,
  callback: () => void,
): () => void {
  const fire = (): void => {
    stop();
    callback();
  };
  const stop = (): void => {
    cancelTimer();
    signal?.removeEventListener('abort', fire);
  };
  const cancelTimer = setTimer(fire, delayMs);
  signal?.addEventListener('abort', fire);
  if (signal?.aborted) fire();
  return stop;
}

/** Resolves after the delay; rejects with the signal's reason as soon as it aborts. */
export function sleep(environment: Environment, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    after(environment, delayMs, signal, () => (signal?.aborted ? reject(signal.reason) : resolve()));
  });
}
