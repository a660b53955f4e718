/**
 * What an application is told of every attempt, for headers of its own, traces and metrics. Neither hook sees the token or a body, so
 * nothing secret can end up where an application writes what it was told.
 */

/** An attempt that is about to leave. */
export interface AttemptRequest {
  readonly method: string;
  readonly url: string;
  /** Attempts of this call so far, this one included. */
  readonly attempts: number;
  /** Headers may be added and changed here. `Authorization` is set afterwards, where the client has a token. */
  readonly headers: Headers;
}

/** An attempt whose answer has been read whole, whatever its status; of a stream of events, one whose answer has begun. */
export interface AttemptResponse {
  readonly method: string;
  readonly url: string;
  /** Attempts of this call so far, this one included. */
  readonly attempts: number;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`: name it when asking the operator for help. A page of another origin sees it too. */
  readonly requestId: string | undefined;
  /** From just before the request until the whole answer had been read; of a stream, until it began. */
  readonly durationMs: number;
}

export interface Hooks {
  /**
   * Called before every attempt, and awaited: the place to add headers (a trace, say). When it throws, nothing is sent and the call rejects
   * with what was thrown. In a browser a header that the service does not allow (CORS) makes the request fail.
   */
  readonly onRequest?: ((request: AttemptRequest) => void | Promise<void>) | undefined;
  /**
   * Called after every answer, success or not: the place for metrics, and the way to the headers and the request id of a success. An attempt
   * without an answer is told to the logger only. What it throws goes to the logger: an answer that has come is not lost by it.
   */
  readonly onResponse?: ((response: AttemptResponse) => void | Promise<void>) | undefined;
}
