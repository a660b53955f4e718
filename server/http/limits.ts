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

/**
 * Connections open at one time: an idle one takes about 20 KiB, so these take 160 MiB. More than any benchmark or balancer opens; the process's
 * limit of open files lowers it.
 */
export const CONNECTIONS_MAX_DEFAULT = 8_192;

/** Connections of one client address: twice the 512 of a large benchmark, an eighth of all, so that no single address takes every place. */
export const CONNECTIONS_PER_ADDRESS_MAX_DEFAULT = 1_024;

/** Refused connections that wait to be closed by their peer; when there are more, the next are reset without an answer. */
export const REFUSED_CONNECTIONS_MAX = 64;

/**
 * Requests of one connection that wait while the one before them is served. node:http parses all that one read of 64 KiB brings, which can be
 * 3,600 requests of some 4 KiB in memory each; a client that has more than this in flight is cut off and has to send them again.
 */
export const PIPELINED_PER_CONNECTION_MAX = 128;

/** The same of all connections: some 32 MiB. */
export const PIPELINED_MAX = 8_192;

/** Bytes of answers that the kernel has not taken yet, of all connections; with more, requests are refused before any work. */
export const UNSENT_BYTES_MAX = 256 * 1024 * 1024;

/** The same of one client address: 32 full pages that wait, or 4 that are being made, an eighth of all. An answer that is larger goes out alone. */
export const UNSENT_BYTES_PER_ADDRESS_MAX = 32 * 1024 * 1024;

/**
 * Answers up to this size are sent even when the address has used up its share: a transfer that was taken in must be acknowledged, and each
 * connection holds one answer at a time. An empty socket takes as much at once.
 */
export const SMALL_ANSWER_BYTES_MAX = 64 * 1024;

/** A connection of whose unsent bytes the kernel takes none for this long is reset. */
export const NO_PROGRESS_MS_MAX = 10_000;

/** How long a connection stays after the last byte and our FIN, for a peer that never closes. */
export const CLOSE_WAIT_MS_MAX = 1_000;

/** How often connections with unsent bytes, and those that wait to be closed, are looked at. */
export const CONNECTION_CHECK_MS = 250;

/** Text of the answers of one JSON-RPC batch; the calls behind it are told to come alone. Four full pages. */
export const RPC_BATCH_ANSWER_BYTES_MAX = 4 * 1024 * 1024;
