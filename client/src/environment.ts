/** The functions of the platform that the client uses. A test or a simulation replaces them with its own. */
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
  // A GET is sent as URL and options. Server components (React, Next.js) answer two equal GETs of one rendering with the first one's
  // answer, so that a wait would see no new block, unless there is a signal among the options. They ignore the signal of a Request, also
  // when another one is passed beside it.
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
