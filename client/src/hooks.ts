/**
 * Hooks of an application, called for every attempt: for headers of its own, traces and metrics. Neither hook gets the token or a body, so
 * no secret can reach the logs that an application writes from them.
 */

/** An attempt that is about to be sent. */
export interface AttemptRequest {
  readonly method: string;
  readonly url: string;
  /** Attempts of this call so far, this one included. */
  readonly attempts: number;
  /** Headers may be added and changed here. `Authorization` is set afterwards, where the client has a token. */
  readonly headers: Headers;
}

/** An attempt whose answer, of any status, has been read completely; for a stream of events, one whose answer has begun. */
export interface AttemptResponse {
  readonly method: string;
  readonly url: string;
  /** Attempts of this call so far, this one included. */
  readonly attempts: number;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`: quote it when you ask the operator for help. Pages of other origins can read it too. */
  readonly requestId: string | undefined;
  /** Time from just before the request until the whole answer was read; for a stream, until it began. */
  readonly durationMs: number;
}

export interface Hooks {
  /**
   * Called before every attempt, and awaited. Add headers here (a trace, say). When it throws, nothing is sent and the call rejects
   * with the thrown value. In a browser a header that the service does not allow (CORS) makes the request fail.
   */
  readonly onRequest?: ((request: AttemptRequest) => void | Promise<void>) | undefined;
  /**
   * Called after every answer, success or not. Use it for metrics, and to read the headers and the request id of a success. An attempt
   * without an answer goes to the logger only. When the hook throws, the logger gets a warning and the call keeps its answer.
   */
  readonly onResponse?: ((response: AttemptResponse) => void | Promise<void>) | undefined;
}
