/** What the client asks of its surroundings. The defaults are the platform's; a test or a simulation puts its own in their place. */
export interface Environment {
  /** Performs one request; the standard `fetch`. */
  fetch(request: Request): Promise<Response>;
  /** A clock that only runs forward, in milliseconds. */
  nowMs(): number;
  /** Calls back once after the delay unless the returned function has been called before. */
  setTimer(callback: () => void, delayMs: number): () => void;
  /** A number from 0 up to but not including 1, for jitter; it protects nothing. */
  random(): number;
}

export const PLATFORM: Environment = {
  // The signal a second time: React's server components answer two equal GETs of one rendering with one answer, unless a signal is given here.
  fetch: (request) => fetch(request, { signal: request.signal }),
  nowMs: () => performance.now(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
