/**
 * Every bound of the HTTP layer in one place. A request that passes one of them is refused with a documented code
 * before anything expensive is done with it.
 */

/** Largest body of a REST request. The largest valid transfer is under 600 bytes. */
export const BODY_BYTES_MAX = 16 * 1024;

/** Largest request line and header section together; more is 431. */
export const HEADER_BYTES_MAX = 16 * 1024;

/** A request's headers and body must have arrived this long after its first byte; else 408. */
export const REQUEST_MS_MAX = 15_000;

/** How often node:http looks for requests that are past REQUEST_MS_MAX. Its own default is 30 s. */
export const REQUEST_CHECK_MS = 1_000;

/** An idle connection is kept this long: longer than the 60 s after which common load balancers drop theirs. */
export const KEEP_ALIVE_MS = 65_000;

/** Deepest nesting of a JSON body. The contract's own bodies are one level deep. */
export const JSON_DEPTH_MAX = 16;

/** Longest Authorization credential. Tokens of this service are under 100 characters; JWTs of an issuer may be longer. */
export const CREDENTIAL_CHARS_MAX = 4 * 1024;

/** Most query parameters that are looked at; more cannot be valid since none may be repeated. */
export const QUERY_PARAMETERS_MAX = 32;

/** Longest `X-Request-Id` that is echoed, as the contract says; a longer one is replaced. */
export const REQUEST_ID_CHARS_MAX = 128;

/** Longest time that `Prefer: wait` holds an answer. More counts as this. */
export const WAIT_S_MAX = 30;

/** How long a cancel waits for the deciding block when the client names no wait. */
export const CANCEL_WAIT_S_DEFAULT = 10;

/** Most items of a problem's `errors`. */
export const PROBLEM_ERRORS_MAX = 16;

/** Seconds after which a client may try again when a refusal itself names none. */
export const RETRY_AFTER_S_DEFAULT = 1;

/** How long a page or the contract may be served from a cache. */
export const PAGE_CACHE_S = 300;
