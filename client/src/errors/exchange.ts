/** One request and what is known of its answer: what an error says about where it happened. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** Attempts of the call so far, this one included. */
  readonly attempts: number;
  /** Base URL of the service, without a slash at its end; links to the documentation start with it. */
  readonly baseUrl: string;
  /** HTTP status of the answer, 0 while none has come. */
  readonly status: number;
  /** The pause before the next attempt that the service gave, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}
