/**
 * Every bound of the HTTP layer in one place. A request that passes one of them is refused with a documented code
 * before anything expensive is done with it.
 */

/** Largest body of a REST request. The largest valid transfer is under 600 bytes. */
export const BODY_BYTES_MAX = 16 * 1024;

/** Largest request line and header section together; more is 431. */
export const HEADER_BYTES_MAX = 16 * 1024;

/** Largest body of an RPC request; CometBFT's max_body_bytes is 1,000,000. */
export const RPC_BODY_BYTES_MAX = 1024 * 1024;

/** Most requests of one JSON-RPC batch; CometBFT's max_request_batch_size. */
export const RPC_BATCH_MAX = 10;

/** Largest message that a websocket may send. */
export const WS_MESSAGE_BYTES_MAX = RPC_BODY_BYTES_MAX;

/** Websockets open at one time. An idle one costs about 20 KiB. */
export const WS_CONNECTIONS_MAX = 5_000;

/** Subscriptions of one websocket; CometBFT's max_subscriptions_per_client. */
export const WS_SUBSCRIPTIONS_PER_CONNECTION_MAX = 5;

/** Subscriptions of all websockets together. Each is matched against every event. */
export const WS_SUBSCRIPTIONS_MAX = 10_000;

/** Requests of one websocket that may wait for their turn; reading stops meanwhile. */
export const WS_CALLS_WAITING_MAX = 32;

/** Characters that may wait to be written to one websocket; a reader that lets more pile up is disconnected. */
export const WS_BACKLOG_BYTES_MAX = 4 * 1024 * 1024;

/** How often a websocket is pinged; one that has not answered by the next time is disconnected. CometBFT pings every 27 s. */
export const WS_PING_MS = 27_000;

/** Blocks whose events are fetched in one call. */
export const WS_EVENT_BLOCKS_MAX = 20;

/** Longest wait for a block before the chain is asked again. */
export const WS_HEIGHT_WAIT_MS = 10_000;

/** Pause after the chain could not be asked for events. */
export const WS_EVENTS_RETRY_MS = 500;

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

/** What the log takes of a `traceparent`: all of version 00, and the part of any later version that is known today. */
export const TRACEPARENT_CHARS = 55;
