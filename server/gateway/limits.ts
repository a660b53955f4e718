/** Every bound of the gateway in one place. */
import { NONCE_WINDOW } from '../ledger/index.ts';

/** Pending transfers of one owner. */
export const PENDING_PER_OWNER_MAX_DEFAULT = 10_000;
/** Pending transfers altogether; they are also held in memory, about 0.5 KiB each. */
export const PENDING_MAX_DEFAULT = 100_000;
/** Owner under which the places of broadcasts without a token are counted: together they are one owner. No token can have this name. */
export const NO_OWNER = '';
/**
 * Transfers of one account that wait behind a gap in its nonces: a quarter of the window of nonces. Enough for a sender with a hundred
 * connections whose transfers arrive in any order.
 */
export const WAITING_PER_ACCOUNT_MAX = 256;

/**
 * Senders that wait for a missing nonce and are named in one log line: enough to investigate, in a readable line. The rest are counted.
 */
export const HELD_UP_NAMED_MAX = 20;
/**
 * Between two such lines, and the least time for which a sender has waited for one nonce when it is named: longer than transfers sent at
 * once overtake each other.
 */
export const HELD_UP_LOG_MS_MIN = 60_000;
/**
 * An owner may have as many transfers pending as this part of the places that are free. One owner alone has a fifth of all places, twice
 * what is allowed by default; ten who take all they can get leave a tenth, and of that the next one has a quarter.
 */
export const FAIR_PART = 0.25;
/** The part of all places that transfers behind a gap can have: the other part is for those that the next blocks take. */
export const WAITING_PART = 0.5;
/** One day, in block time and in uptime. */
export const PENDING_TTL_MS_DEFAULT = 86_400_000;

/** Transfers checked in one database transaction. */
export const GROUP_SIZE_MAX = 1024;
/** Transfers of one batch, as in the contract. A batch fits into one group. */
export const BATCH_TRANSFERS_MAX = 1000;
/** Work on the HTTP thread that takes longer than this is done in turns of this length; others are served in between. */
export const TURN_MS_MAX = 5;
/**
 * A turn of work that is neither a payment nor a cancel: a payment that comes meanwhile waits so much longer, and a page of a statement
 * takes about as long.
 */
export const OTHER_TURN_MS_MAX = 2;
/** Pieces of work that may share such a turn: as many as lists of ten fit into it. */
export const WORKS_OF_A_TURN_MAX = 16;
/**
 * For this long after a payment or cancel the thread keeps to the shares of other work: so a client that pays once a second always has
 * priority.
 */
export const MAIN_JOB_PRESENT_MS = 1000;
/** Work with a share may take this much at once before its share is enforced: a search or two, or twenty small answers. */
export const SHARE_BURST_MS = 20;
/** Longest pause of work that took more than its share, however much it took. */
export const SHARE_DEBT_MS_MAX = 2000;
/** Longest delay between groups, and between looks at the transfers that others accepted, on a database that is a server of its own. */
export const REST_MS_MAX = 50;
/** With this many waiting they are a group at once: half of what a group costs is for its items then. */
export const GROUP_ENOUGH = 100;
/** Cancels that are written in one database transaction. */
export const CANCELS_PER_GROUP_MAX = 256;
/** Transfers that may wait for their group; further ones are refused with a Retry-After. */
export const GROUP_QUEUE_MAX = 16_384;
/** Number of times that a group is checked again after another writer took one of its slots. */
export const GROUP_ATTEMPTS_MAX = 3;
/** Concurrent calls from an HTTP thread to the ledger service; what arrives meanwhile travels together in the next. */
export const FRONT_CALLS_MAX = 2;
/**
 * The same where the ledger service's thread does nothing else while it commits: a second call would wait, and then be a group of its own
 * with a commit of its own.
 */
export const FRONT_CALLS_TO_WRITER_MAX = 1;
/** Retry-After of a full pool or a full queue. */
export const RETRY_AFTER_S = 5;

/** Transactions broadcast to the engine in one call. */
export const BROADCAST_BATCH_MAX = 500;
/** Wait before the second broadcast of the same bytes; it doubles with each further one. */
export const REBROADCAST_MS_MIN = 1000;
export const REBROADCAST_MS_MAX = 10_000;

/** Blocks read from the engine in one call. */
export const BLOCKS_PER_PULL_MAX = 20;
/** Longest wait for a new block before the next call. */
export const HEIGHT_WAIT_MS = 10_000;
/** Pause after the engine or the store failed. */
export const FOLLOW_RETRY_MS = 500;
/** Transfers that one block lets expire, for each reason on a store of rows: bounds the work of a block after a long silence. */
export const EXPIRED_PER_BLOCK_MAX = 200;

/** The gateway that dispatches and follows holds its lease for this long at a time, by the database's clock. */
export const LEASE_TTL_MS = 3000;
/** Interval of its renewals, and of the attempts of the others to take it. */
export const LEASE_RENEW_MS = 1000;
/** The holder stops this long before its lease can end elsewhere: two clocks do not run at the same rate. */
export const LEASE_MARGIN_MS = 500;
/**
 * When blocks that a gateway on standby has verified are not settled for this long, it takes the lease from the holder, which then cannot
 * see the chain. Five times the interval of the looks, so that a slow block is not a reason; and protocol and design promise no more.
 */
export const LEASE_BLIND_MS_MAX = 5000;
/** Interval at which every gateway compares the chain that it sees with what is settled. */
export const CHAIN_LOOK_MS = 1000;
/** Pause after a failed read of the lease or of the changes of others. */
export const SHARING_RETRY_MS = 250;
/** While every attempt to take over fails, the log has a line for the first and then one in this interval. */
export const SHARING_RETRY_LOG_MS = 10_000;
/** Time for which a gateway that stops waits for its lease to be given back; after that the lease runs out by itself. */
export const LEASE_DROP_MS_MAX = 1000;
/** Interval of the reads for changes whose announcement may have been lost. */
export const CHANGES_POLL_MS = 1000;
/** Every so many polls cancels are looked for as well: that reads all that is pending. */
export const CANCELS_POLL_EVERY = 5;
/** Transfers that were accepted elsewhere, read at a time. */
export const CATCH_UP_ROWS_MAX = 1000;
/** Announced cancels that wait to be read; with more, everything is read again. */
export const CANCELS_TOLD_MAX = 10_000;

/** Longest wait for a settlement; a longer one is cut to this. */
export const WAIT_MS_MAX = 30_000;
/** Callers waiting at one time; further ones get the record as it is. */
export const WAITERS_MAX = 10_000;

/** Time for which broadcast_tx_commit waits for the block; CometBFT's timeout_broadcast_tx_commit. */
export const BROADCAST_COMMIT_MS_MAX = 10_000;

export const LIST_LIMIT_MAX = 1000;
/**
 * Rows of the event log that one page with filters looks at. A filter costs about a microsecond a row on the thread that answers HTTP,
 * which may not be blocked longer than 10 ms, on a slow machine either.
 */
export const EVENTS_SCANNED_MAX = 4096;
/** Accounts of one answer, as in the contract. */
export const ACCOUNTS_MAX = 100;
/** Ranges of missing nonces of one account, as in the contract: in the window of 1,024 nonces at most every other one is missing. */
export const GAPS_MAX = NONCE_WINDOW / 2;
/** Longest cursor that is decoded. */
export const CURSOR_CHARS_MAX = 64;

/**
 * The last block may be this much older than the interval of empty blocks on an idle chain before the service is not ready: a slow disk or
 * a change of proposers is not a fault.
 */
export const BLOCK_LATE_MS_MAX = 20_000;
/** The follower may be this far behind the engine. */
export const FOLLOWER_LAG_BLOCKS_MAX = 50;
/** Verified blocks may stay unsettled for so long: another gateway takes over in half of it. */
export const SETTLEMENT_LAG_MS_MAX = 10_000;
/** An engine that does not answer within this time counts as unreachable. */
export const ENGINE_STATUS_MS_MAX = 2000;
/** Longest time that a caller waits for a database on another machine; half a second less than the 5 s that a caller is promised. */
export const STORE_WAIT_MS_MAX = 4500;
/** A store that has not taken a readiness check's write within this time counts as unavailable. */
export const STORE_PROBE_ANSWER_MS_MAX = 2000;
/** A readiness check writes to the store at most this often. */
export const STORE_PROBE_MS_MIN = 1000;
/** For this long after a group could not be stored the service is not ready, even if a small write succeeds. */
export const STORE_FAULT_MS = 5000;
/** The same for a database that is a server of its own: a failure while it restarted shows little about its present state. */
export const STORE_FAULT_SHARED_MS = 1000;

/** A token is looked up again after this time, so a revocation holds well within the 5 seconds promised. */
export const TOKEN_CACHE_MS = 2000;
export const TOKEN_CACHE_ENTRIES_MAX = 10_000;
/**
 * Cache entries for ids that no token has, kept apart: enough that a partner with a wrong token causes one read of the store in
 * TOKEN_CACHE_MS.
 */
export const UNKNOWN_TOKEN_ENTRIES_MAX = 1_000;
/** Concurrent lookups of ids that were not found a moment ago: the store answers hundreds a second with as few. */
export const UNKNOWN_TOKEN_LOOKUPS_MAX = 8;
/** Lookups of such ids that wait for their turn; more are refused with 503. A whole team's first requests after a start fit. */
export const UNKNOWN_TOKENS_WAITING_MAX = 512;

/** Last uses of tokens are written at most this often: once a minute is enough to see which are not used. */
export const TOKEN_USES_MS = 60_000;
/** The first use after a quiet minute is written this soon, so that a user who tries a new token sees it in the list. */
export const TOKEN_USES_FIRST_MS = 1000;

/** Changed rows that a gateway remembers to have named in its log; more than these are named again after a take-over. */
export const FORGED_NAMED_MAX = 10_000;

/** Governance transactions that a gateway remembers to have written into the audit trail: a chain has a few in a year. */
export const GOVERNANCE_REMEMBERED_MAX = 1_000;
/**
 * Rows of the audit trail a minute for governance transactions that came without a token, which an open RPC allows. With one that more
 * governors have signed than need be a client can make many, by leaving signatures out, and rows stay forever. A chain has a few in a year.
 */
export const ANONYMOUS_GOVERNANCE_PER_MINUTE_MAX = 10;
/** Interval at which a gateway looks for entries of the audit trail that others wrote: one look at the end of a primary key. */
export const AUDIT_POLL_MS = 2000;
/** Entries read at a time. */
export const AUDIT_PAGE_MAX = 100;

/**
 * The most that a limit of one token can be, by the contract too: beyond what one process does in a second, and beyond the pending
 * transfers that it keeps by default.
 */
export const TOKEN_RATE_PER_S_MAX = 100_000;
export const TOKEN_PENDING_MAX_MAX = 100_000;

/** Bounds that an operator may set. */
export interface GatewayLimits {
  /** A transfer that stays pending this long, in block time and in uptime, is cancelled by the gateway. */
  pendingTtlMs: number;
  pendingMax: number;
  pendingPerOwnerMax: number;
}

export const GATEWAY_LIMITS_DEFAULT: GatewayLimits = {
  pendingTtlMs: PENDING_TTL_MS_DEFAULT,
  pendingMax: PENDING_MAX_DEFAULT,
  pendingPerOwnerMax: PENDING_PER_OWNER_MAX_DEFAULT,
};

/** Longest wait of a read for the block of `Ledger-Height-Min`, by the contract too: as long as for a statement that is behind. */
export const HEIGHT_WAIT_MS_MAX = 5_000;
/**
 * More blocks than come within that wait, by the contract too: a read that requires a block further ahead is refused at once, and so is a
 * request for events after a place in such a block.
 */
export const HEIGHT_AHEAD_MAX = 100;

/**
 * Pending transfers whose trace is remembered, about 300 bytes each; beyond it the oldest are forgotten, and their block is not in their
 * trace.
 */
export const TRACED_TRANSFERS_MAX = 10_000;
