/** One budget of time for everything that a call does, and the caller's way to end it earlier. */
import type { Environment } from './environment.ts';
import type { Hooks } from './hooks.ts';
import { CALL_TIMEOUT_MS_DEFAULT } from './limits.ts';

/** How long a call may take and what ends it earlier; every function of this package that talks to the service takes these. */
export interface CallOptions extends Hooks {
  /**
   * Everything included: attempts, pauses, waiting for a block. In milliseconds.
   * @default 60_000
   */
  readonly timeoutMs?: number | undefined;
  /** Ends the call at once. It rejects with the signal's reason, or with an UnknownOutcomeError when something was sent already. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Attempts after the first, while what went wrong can pass and there is time.
   * @default the client's
   */
  readonly maxRetries?: number | undefined;
}

/** What is left of the time. It has the shape of {@link CallOptions}, so that a call that is part of another gets what is left of the whole. */
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
 * Calls back once, after the delay or as soon as the signal aborts, unless the returned function has been called before. By hand and not
 * with AbortSignal.any, which on older Node keeps memory for as long as the caller's signal lives.
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
