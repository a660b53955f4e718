/**
 * Every bound of the HTTP layer in one place. A request that exceeds one of them is refused with a documented code before any expensive
 * work.
 */

/** Largest body of a REST request. The largest valid transfer is under 600 bytes. */
export const BODY_BYTES_MAX = 16 * 1024;

/**
 * Largest body of a batch: 1,000 transfers are about 400 KiB, with every optional member 480 KiB. Twice that leaves room for indentation,
 * and is the bound for a request of the RPC too.
 */
export const BATCH_BODY_BYTES_MAX = 1024 * 1024;

/**
 * Room reserved for the answer about one transfer of a batch: a transaction is under 600 bytes, a problem under 1,000 unless it quotes the
 * request at length.
 */
export const BATCH_RESULT_BYTES_MAX = 1024;

/** Largest request line and header section together; more is 431. */
export const HEADER_BYTES_MAX = 16 * 1024;

/** Largest body of an RPC request; CometBFT's max_body_bytes is 1,000,000. */
export const RPC_BODY_BYTES_MAX = 1024 * 1024;

/** Most requests of one JSON-RPC batch; CometBFT's max_request_batch_size. */
export const RPC_BATCH_MAX = 10;

/** Largest body of a method that takes neither a transaction nor evidence: heights, hashes, a query. */
export const RPC_PLAIN_BODY_BYTES_MAX = BODY_BYTES_MAX;

/** Room for a body above BODY_BYTES_MAX is reserved in steps of this size, as its bytes arrive: announced but unsent bytes take no room. */
export const BODY_STEP_BYTES = 64 * 1024;

/** A larger body is read in several turns of the event loop, so that other requests are answered in between. 64 KiB take under 1 ms. */
export const TURN_BODY_BYTES_MAX = 64 * 1024;

/** Deepest nesting of JSON-RPC. Evidence, the deepest that a method takes, has 9 levels in a batch; Go's own bound of 10,000 would overflow the stack of JSON.parse. */
export const RPC_JSON_DEPTH_MAX = 32;

/** Most values (members, elements, all at every depth) of a JSON-RPC text: ten pieces of evidence with a hundred validators each. Building them takes about 1 ms. */
export const RPC_JSON_VALUES_MAX = 16_384;

/** Longest id of a JSON-RPC request, by the contract: an answer repeats it, and so does every event of a subscription. */
export const RPC_ID_CHARS_MAX = 1024;
/** Longest method and version of a JSON-RPC request, by the contract; of the version the service reads nothing else. */
export const RPC_METHOD_CHARS_MAX = 1024;
export const RPC_VERSION_CHARS_MAX = 64;

/**
 * Largest message that a websocket may send. A transfer is under 1 KiB and a query at most 512 bytes; only evidence of a network with a
 * hundred validators comes near this, and larger messages can be sent by POST.
 */
export const WS_MESSAGE_BYTES_MAX = 256 * 1024;

/** Websockets open at one time. An idle one costs about 20 KiB. */
export const WS_CONNECTIONS_MAX = 5_000;

/** Websockets of one client address (IPv6: of one /64) if the operator sets no other number: 250 addresses fill them all. */
export const WS_CONNECTIONS_PER_IP_DEFAULT = 20;

/** Subscriptions of one websocket; CometBFT's max_subscriptions_per_client. */
export const WS_SUBSCRIPTIONS_PER_CONNECTION_MAX = 5;

/** Subscriptions of all websockets together. The engine holds about 1 KiB for each query that differs. */
export const WS_SUBSCRIPTIONS_MAX = 10_000;

/** Requests of one websocket that may wait for their turn; reading stops meanwhile. */
export const WS_CALLS_WAITING_MAX = 32;

/** The same in bytes. One more message, and the bytes of one network read (64 KiB), can be added to it. */
export const WS_WAITING_BYTES_MAX = 64 * 1024;

/**
 * Most requests in one read of a socket. One read may hold more requests than may wait; a client that sends more than this is disconnected:
 * 64 KiB cannot hold more valid requests.
 */
export const WS_CALLS_READ_MAX = 2_048;

/**
 * Bytes of earlier blocks that may wait for one websocket when the next block has events for it; a reader that lets more pile up is
 * disconnected.
 */
export const WS_BACKLOG_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The same for all websockets together: an eighth of the memory of a small machine. The readers with the most waiting bytes are
 * disconnected first.
 */
export const WS_BACKLOG_ALL_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Bytes of the events of one block over all subscriptions: no more than may wait unsent. The most expensive subscriptions are ended when a
 * block has more for them.
 */
export const WS_DELIVERY_BYTES_PER_BLOCK_MAX = WS_BACKLOG_ALL_BYTES_MAX;

/** Cost of a frame in that budget, on top of its bytes: sending one takes about as long as copying this many bytes. */
export const WS_FRAME_OVERHEAD_BYTES = 1024;

/** A socket that has taken nothing for this long, while bytes wait for it, is disconnected. */
export const WS_STALLED_MS_MAX = 10_000;

/** A peer that does not answer the close frame is cut off after this time: one round trip around the world is 0.4 s. */
export const WS_CLOSE_MS_MAX = 2_000;

/**
 * Interval between checks of the tokens of open websockets, also while they only receive events. A lookup is cached for 2 s
 * (TOKEN_CACHE_MS), so a revocation holds after 3 s, within the 5 that are promised.
 */
export const WS_SWEEP_MS = 1_000;

/** Websockets whose tokens are checked at one time. */
export const WS_TOKENS_AT_ONCE_MAX = 32;

/** Without a readable store no call with a token is carried out; after this time its websocket is closed. */
export const WS_TOKEN_UNCHECKED_MS_MAX = 30_000;

/** Longest pause in reading a websocket whose quota is used up. */
export const WS_QUOTA_PAUSE_MS_MAX = 1_000;

/** Interval between pings of a websocket; one that has not answered by the next ping is disconnected. CometBFT pings every 27 s. */
export const WS_PING_MS = 27_000;

/** Blocks whose events are fetched in one call. */
export const WS_EVENT_BLOCKS_MAX = 20;

/** Queries that are added to the engine's set in one call: copying them between threads takes about 2 ms. */
export const WS_QUERIES_PER_PULL_MAX = 1_000;

/** Longest wait for a block before the chain is polled again. */
export const WS_HEIGHT_WAIT_MS = 10_000;

/** Pause after a failed query of the chain for events. */
export const WS_EVENTS_RETRY_MS = 500;

/** Event streams open at one time: an idle one takes about 25 KiB, so these take 100 MiB; the other half of the connections is for requests. */
export const EVENT_STREAMS_MAX = 4_000;

/** Event streams of one client address (IPv6: of one /64): nearly all its connections may be streams, and a few are left for requests. */
export const EVENT_STREAMS_PER_ADDRESS_MAX = 1_000;

/** Event streams of one token: a quarter of all, so that no partner takes every place. */
export const EVENT_STREAMS_PER_TOKEN_MAX = 1_000;

/**
 * Most bytes that wait for one stream. A stream that has not taken them gets no more and reads the log later, so a slow reader costs no
 * more than this. An empty socket takes as much at once.
 */
export const EVENT_STREAM_PIECE_BYTES_MAX = 64 * 1024;

/** Events that a stream reads at once when it is behind: under 1 KiB each, so they fit into one piece; read in about a millisecond. */
export const EVENT_PAGE_EVENTS = 64;

/**
 * A stream that reads a long part of the log without a match pauses this many times as long as each of its reads took: only its opening was
 * charged, and other requests need the thread more.
 */
export const EVENT_SCAN_RESTS = 3;

/** New events that are read at once for all live streams: about 2 ms. */
export const EVENT_LIVE_EVENTS = 250;

/** Common proxies end a connection after 60 s without a byte, some after 30 s. */
export const EVENT_HEARTBEAT_MS = 15_000;

/**
 * Interval at which a part of the streams gets heartbeats, and the tokens of all streams are checked. A lookup is cached for 2 s
 * (TOKEN_CACHE_MS), so a revocation holds after 3 s, within the 5 that are promised.
 */
export const EVENT_TICK_MS = 1_000;

/** If the store cannot be read, a stream continues for this long with a token that was valid before, as a websocket does. */
export const EVENT_TOKEN_UNCHECKED_MS_MAX = WS_TOKEN_UNCHECKED_MS_MAX;

/** The reconnection time for clients: long enough for a restart, short enough for people. */
export const EVENT_STREAM_RETRY_MS = 1_000;

/**
 * Time over which streams are ended when the service stops, so that their clients do not all reconnect to another gateway at once; a drain
 * lasts at most 7 s.
 */
export const EVENT_STREAMS_DRAIN_MS = 2_000;

/** Longest wait for a block before the chain is polled again. */
export const EVENT_HEIGHT_WAIT_MS = 10_000;

/** Pause after events could not be read, or could not be written because too many bytes were waiting. */
export const EVENT_RETRY_MS = 500;

/** A request's headers and body must arrive within this time after its first byte; otherwise 408. */
export const REQUEST_MS_MAX = 15_000;

/** Interval at which node:http checks for requests that exceed REQUEST_MS_MAX. Its own default is 30 s. */
export const REQUEST_CHECK_MS = 1_000;

/** An idle connection is kept this long: longer than the 60 s after which common load balancers drop theirs. */
export const KEEP_ALIVE_MS = 65_000;

/** Longest Authorization credential. Tokens of this service are under 100 characters; JWTs of an issuer may be longer. */
export const CREDENTIAL_CHARS_MAX = 4 * 1024;

/** Most query parameters that are read; more cannot be valid, because none may be repeated. */
export const QUERY_PARAMETERS_MAX = 32;
/** The same if one of them is a list: somewhat more than its values, so that too many of these get the contract's answer. */
export const QUERY_LIST_VALUES_MAX = 128;

/** Longest `X-Request-Id` that is echoed, by the contract; a longer one is replaced. */
export const REQUEST_ID_CHARS_MAX = 128;

/** Longest time for which `Prefer: wait` delays an answer. More counts as this. */
export const WAIT_S_MAX = 30;

/** Wait of a cancel for the deciding block if the client sets none. */
export const CANCEL_WAIT_S_DEFAULT = 10;

/** Wait of a receipt for the deciding block and the one after it if the client sets none. */
export const RECEIPT_WAIT_S_DEFAULT = 10;

/** Most items of a problem's `errors`. */
export const PROBLEM_ERRORS_MAX = 16;

/**
 * Time for which all probes share one readiness answer of the gateway, because probes are never refused. It is short compared with the
 * seconds between two probes of a balancer, and a flood of probes reaches the gateway at most ten times a second.
 */
export const READINESS_CACHE_MS = 100;

/** Seconds after which a client may try again if a refusal sets no other time. */
export const RETRY_AFTER_S_DEFAULT = 1;

/** Time for which a page or the contract may be served from a cache. */
export const PAGE_CACHE_S = 300;

/**
 * A TLS handshake that takes longer is ended: it needs two round trips, and an endless one holds a connection that no other limit covers.
 * The default of Node.js is 120 s.
 */
export const TLS_HANDSHAKE_MS_MAX = 10_000;

/** Days until security.txt expires: RFC 9116 recommends less than a year, and every answer has a new expiry day. */
export const SECURITY_TXT_VALID_DAYS = 180;

/**
 * Connections open at one time: an idle one takes about 20 KiB, so these take 160 MiB. No benchmark or balancer opens more; the process's
 * limit of open files lowers it.
 */
export const CONNECTIONS_MAX_DEFAULT = 8_192;

/** Connections of one client address: twice the 512 of a large benchmark, an eighth of all, so that no single address takes every place. */
export const CONNECTIONS_PER_ADDRESS_MAX_DEFAULT = 1_024;

/**
 * Fraction of the connections that is kept free by closing idle ones: a sixteenth, 512 of 8,192, is more than arrive during the closing.
 */
export const CONNECTIONS_KEPT_FREE = 1 / 16;

/**
 * Part of the connections that is divided among several HTTP threads; any thread may use the others. A thread can end only its own
 * connections, and the system chooses the thread for each new one: without places of its own, a thread without connections could make no
 * room. With half of them one of three threads may still have twice the average.
 */
export const CONNECTIONS_OF_THREADS = 1 / 2;

/** A connection without a request for this long may be closed to make room. Clients that reuse theirs earlier notice nothing. */
export const IDLE_KEPT_MS = 5_000;

/**
 * Addresses that are examined for each new connection while few places are left, those with the most connections first; and connections
 * that are examined for each address: of those that may be idle, and of those with an incomplete request. All of them together take less
 * time than accepting a connection.
 */
export const HOLDER_LOOKS_MAX = 8;
export const CONNECTION_LOOKS_MAX = 32;

/** Number of connections of an address that are kept even if others need a place; only those that were idle for long are closed. */
export const CONNECTIONS_NEVER_TAKEN = 2;

/** An incomplete request keeps no place for its connection after this time: it fits into a few packets, which take a round trip or two. */
export const REQUEST_BEGUN_MS_MAX = 1_000;

/** An answer of which the client has taken nothing for this long keeps no place for its connection: a lost packet is sent again earlier. */
export const UNREAD_KEPT_MS = 2_000;

/** Refused connections that wait for their peer to close; beyond this number they are reset without an answer. */
export const REFUSED_CONNECTIONS_MAX = 64;

/**
 * Requests of one connection that wait while the one before them is served. node:http parses everything in one read of 64 KiB, which can be
 * 3,600 requests of some 4 KiB in memory each. A client with more than this number in flight is cut off and has to send them again.
 */
export const PIPELINED_PER_CONNECTION_MAX = 128;

/** The same for all connections: some 32 MiB. */
export const PIPELINED_MAX = 8_192;

/** The same for one client address: an eighth of all, so that no single address takes every place. */
export const PIPELINED_PER_ADDRESS_MAX = 1_024;

/**
 * Answers up to this size are sent even if the caller has used up its share: an accepted transfer must be acknowledged, and each connection
 * holds one answer at a time. An empty socket takes as much at once.
 */
export const SMALL_ANSWER_BYTES_MAX = 64 * 1024;

/** Bytes that may wait of an answer sent piece by piece: two pieces of a hundred entries. */
export const STREAM_BYTES_KEPT = 128 * 1024;

/** Interval at which an answer sent piece by piece checks for a disconnect of its client while the quota is used up. */
export const STREAM_REST_MS_MAX = 250;

/** A connection is reset when the kernel takes none of its unsent bytes for this long. */
export const NO_PROGRESS_MS_MAX = 10_000;

/** Time for which a connection stays open after the last byte and our FIN if its peer does not close. */
export const CLOSE_WAIT_MS_MAX = 1_000;

/** Interval between checks of connections with unsent bytes, and of those that wait to be closed. */
export const CONNECTION_CHECK_MS = 250;

/** Bytes of the answers of one JSON-RPC batch: four full pages. The calls after it are refused and have to be sent alone. */
export const RPC_BATCH_ANSWER_BYTES_MAX = 4 * 1024 * 1024;

/** Longest part of a `traceparent` that is logged: all of version 00, and the part of any later version that is defined today. */
export const TRACEPARENT_CHARS = 55;
