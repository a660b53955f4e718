/** One request and the known part of its answer: the members of an error about a request. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** Attempts of the call so far, this one included. */
  readonly attempts: number;
  /** Base URL of the service, without a slash at its end; links to the documentation start with it. */
  readonly baseUrl: string;
  /** HTTP status of the answer, 0 before an answer has come. */
  readonly status: number;
  /** The pause before the next attempt that the service requests, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}
