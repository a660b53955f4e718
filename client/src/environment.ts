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
  // A GET as URL and options: server components (React, Next.js) give two equal GETs of one rendering the first one's answer, so that waiting
  // would see no block, unless they find a signal among the options. One inside a Request they do not see, nor one beside it.
  fetch: (request) => {
    const { url, method, headers, redirect, signal } = request;
    return method === 'GET' ? fetch(url, { headers, redirect, signal }) : fetch(request);
  },
  nowMs: () => performance.now(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
