/** All limits of the engine over CometBFT nodes. */

/** Time for a node to answer its status; a slower one counts as down until it answers again. */
export const STATUS_CALL_MS_MAX = 3_000;
/** Interval of status queries to each node; a lost websocket therefore costs no more than this. */
export const STATUS_POLL_MS = 1_000;
/** Time for a block with its results: while a node that hangs is waited for, no other is queried. */
export const BLOCK_CALL_MS_MAX = 5_000;
/** Time for any other read. CometBFT itself gives up after 10 s. */
export const READ_CALL_MS_MAX = 10_000;
/** Time for broadcast_tx_commit, which waits for its block, 10 s by CometBFT's default. */
export const COMMIT_CALL_MS_MAX = 15_000;
/**
 * Time for a broadcast: a node accepts no transaction while it rechecks its mempool after a block, which for a full mempool takes seconds.
 */
export const BROADCAST_CALL_MS_MAX = 10_000;

/** Time that a broadcast waits for one of several nodes; then that node's transactions are sent again, to another. */
export const BROADCAST_PATIENCE_MS = 2_000;
/** A node that was not waited for gets no transactions for this time, or until it answers after all. */
export const SLOW_MS = 30_000;

/** Bytes of one answer: some times the largest block with its results, in base64 and with events. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of the answers of all nodes that are being read, together: two of the largest, so that many calls at once do not add up. */
export const ANSWERS_BYTES_MAX = 128 * 1024 * 1024;
/** Bytes of a status answer, which is short. */
export const STATUS_ANSWER_BYTES_MAX = 1024 * 1024;
/** Bytes of one message of the websocket: a header. */
export const HEADER_MESSAGE_BYTES_MAX = 1024 * 1024;

/** Connections to one node. */
export const CONNECTIONS_PER_NODE_MAX = 16;
/** Calls to one node in progress or waiting for a connection; one more is refused. */
export const CALLS_PER_NODE_MAX = 512;

/** Calls in one JSON-RPC batch, until the node answers that it accepts fewer (rpc.max_request_batch_size: 10 by default). */
export const BATCH_CALLS_MAX = 100;
/** Characters of one batch; a node reads bodies of up to 1,000,000 bytes by default (rpc.max_body_bytes). */
export const BATCH_CHARS_MAX = 512 * 1024;

/** Transactions whose number of sendings is kept, about 150 bytes each. */
export const BROADCASTS_KEPT_MAX = 100_000;

/** Blocks that are fetched at the same time. */
export const BLOCKS_IN_FLIGHT_MAX = 4;
/** One answer of `blocks` or `events` holds at most this many blocks ... */
export const BLOCKS_PER_CALL_MAX = 20;
/** ... and stops after the block with which its transactions pass this. */
export const BYTES_PER_CALL_MAX = 4 * 1024 * 1024;
/** Verified blocks that are kept: followers of the chain, and recent searches and events, read these. */
export const BLOCKS_KEPT_MAX = 32;
/**
 * ... unless their transactions take more than this, which is some ten times as much in memory with results and events; the newest one is
 * always kept.
 */
export const KEPT_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Blocks after which an application that does not report codes, being of an earlier version, is queried for them again: it may have been
 * replaced.
 */
export const CODES_UNKNOWN_BLOCKS = 600;

/** Further behind than this, a block that is read does not count as made just now: its age is that of its header. */
export const TIP_GAP_BLOCKS_MAX = 50;
/**
 * Verified headers that are kept, about 300 bytes each: a block with such a header needs no check of its signatures. As many as an hour of
 * fast blocks.
 */
export const HEADERS_KEPT_MAX = 4_096;
/** An announced block may not have its results yet: pause before it is requested again. */
export const TIP_RETRY_MS = 100;
/** When the newest block could not be read for this long, the engine reports itself unhealthy. */
export const TIP_TROUBLE_MS = 3_000;
/** A node that gave a false answer is not used for this time; for twice as long at each repetition ... */
export const DISTRUST_MS = 60_000;
/** ... up to this: a node that was repaired comes back within the hour. */
export const DISTRUST_MS_MAX = 3_600_000;
/**
 * A node that claims for this long to have a block, and does not show it while another does, is distrusted: several times the execution of
 * a large block.
 */
export const CLAIM_MS_MAX = 10_000;

/** Time between two pings of the websocket; a ping that was not answered by then ends it. */
export const WEBSOCKET_PING_MS = 5_000;
/** Time in which a websocket must be open. */
export const WEBSOCKET_OPEN_MS_MAX = 3_000;
/** Pause before a lost websocket is opened again, at another node if there is one; it doubles up to the longest. */
export const WEBSOCKET_RETRY_MS_MIN = 250;
export const WEBSOCKET_RETRY_MS_MAX = 4_000;

/** Number of header times from which the usual interval is computed. */
export const INTERVALS_KEPT_MAX = 15;
/** Block interval that is assumed while fewer than two blocks were seen. */
export const BLOCK_INTERVAL_MS_ASSUMED = 1_000;
/**
 * Empty-block interval of idle nodes that is assumed unless configured: twice that of docs/NETWORK.md, because a height may take several
 * rounds.
 */
export const IDLE_BLOCK_MS_ASSUMED = 10_000;
