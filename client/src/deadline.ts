/** One budget of time for everything that a call does, and the caller's way to end it earlier. */
import type { Environment } from './environment.ts';

/** How long a call may take and what ends it earlier; every function of this package that talks to the service takes these. */
export interface CallOptions {
  /** Everything included: attempts, pauses, waiting for a block. In milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Ends the call at once. It rejects with the signal's reason, or with an UnknownOutcomeError when something was sent already. */
  readonly signal?: AbortSignal | undefined;
}

export interface Deadline {
  remainingMs(): number;
  readonly signal: AbortSignal | undefined;
}

export function deadlineOf(environment: Environment, { timeoutMs, signal }: CallOptions, timeoutMsDefault: number): Deadline {
  const endMs = environment.nowMs() + (timeoutMs ?? timeoutMsDefault);
  return { remainingMs: () => Math.max(0, endMs - environment.nowMs()), signal };
}

/** What a call that is part of another gets: what is left of the whole. */
export function callOptions(deadline: Deadline): CallOptions {
  return { timeoutMs: deadline.remainingMs(), signal: deadline.signal };
}

/** Resolves after the delay; rejects with the signal's reason as soon as it aborts. */
export function sleep(environment: Environment, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancelTimer();
      reject(signal?.reason);
    };
    const cancelTimer = environment.setTimer(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves when the promise has settled, whichever way, or when the time is up; rejects with the signal's reason as soon as it aborts. */
export async function settledBy(environment: Environment, promise: Promise<unknown>, deadline: Deadline): Promise<void> {
  const over = new AbortController();
  const onAbort = (): void => over.abort();
  deadline.signal?.addEventListener('abort', onAbort, { once: true });
  const finished = promise.then(onAbort, onAbort);
  await Promise.race([finished, sleep(environment, deadline.remainingMs(), over.signal).catch(() => undefined)]);
  deadline.signal?.removeEventListener('abort', onAbort);
  // Ends the timer when the promise was first.
  over.abort();
  deadline.signal?.throwIfAborted();
}
