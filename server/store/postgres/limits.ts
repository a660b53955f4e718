/** Every bound of the store on PostgreSQL. A server or a connection that is gone has to be noticed within seconds. */

/** Connections of one store, the one that listens for announcements left out. */
export const CONNECTIONS_MAX_DEFAULT = 10;
/**
 * Connections of these that write: a group that takes free shards, one that waits for its shards, one for cancels, blocks and everything
 * else, and one for the rows that are written beside them.
 */
export const WRITERS_MAX = 4;

/** Longest wait for a connection: a new one, or one of the pool's to come free. */
export const CONNECT_MS_MAX = 3000;
/**
 * Interval of the probes of several hosts, and the time that each has to answer: a promotion is noticed within the sum, which with a new
 * connection stays below five seconds.
 */
export const HOST_WATCH_MS = 1000;
export const HOST_ANSWER_MS_MAX = 1500;
/**
 * Time that the other hosts still have once one answered that it is a primary: long enough for another that runs, short for one that hangs.
 */
export const HOST_OTHERS_MS_MAX = 300;
/** Pause after a round without a primary: so many probes a second are enough, however many callers wait. */
export const HOST_SEARCH_PAUSE_MS = 100;
/**
 * While an address is replaced: time for the writes under way to end. With two checks of a database it stays below the time that a
 * caller waits for a write.
 */
export const RELOCATE_IDLE_MS_MAX = 2000;
/** Longest wait for another writer's transaction. */
export const LOCK_MS_MAX = 4000;
/** Longest that a statement of a read may run in the server. */
export const READ_STATEMENT_MS_MAX = 6000;
/**
 * Longest wait for the answer to a statement before its connection counts as dead. Above the two before it, so that the server reports its
 * timeout first.
 */
export const ANSWER_MS_MAX = 7000;
/**
 * A transaction whose client is silent this long is ended by the server: a gateway that was paused, or whose host
 * vanished, in the middle of a write would otherwise hold up every other gateway.
 */
export const SILENT_TRANSACTION_MS_MAX = 3000;
/** An idle connection is probed by TCP after this time; the kernel gives up about ten seconds later. */
export const KEEPALIVE_MS = 5000;

/** Connections to each replica: as many as read from the primary. */
export const REPLICA_CONNECTIONS_MAX = 6;
/**
 * Longest wait for a replica, for a connection and for each answer: then the primary is read, which a caller must not wait for longer than
 * this.
 */
export const REPLICA_ANSWER_MS_MAX = 500;
/** Interval of the checks of the heights of replicas; one that failed is used again only after that. */
export const REPLICA_LOOK_MS = 1000;
/**
 * One at another block than the primary is left out this long: a block reaches it within milliseconds as a rule, and each try in vain costs
 * a round trip.
 */
export const REPLICA_BEHIND_PAUSE_MS = 50;
/** A replica this far behind does not catch up within a moment, so the log names it for its operator. */
export const REPLICA_LAG_BLOCKS_LOGGED = 10;

/** Statements that are kept prepared under a name. Their texts are set-based and few, so this is never reached. */
export const PREPARED_STATEMENTS_MAX = 256;

/**
 * Interval of the probes on the listening connection, for its liveness and for the settings by which the server keeps what it confirms, and
 * the time to answer. Acknowledgements between a change of those settings and the next probe are not protected.
 */
export const LISTEN_PROBE_MS = 2000;
export const LISTEN_ANSWER_MS_MAX = 3000;
/**
 * Number of keys for the lock by which a session shows that it lasts: so many that no two ever have the same, and no more than `randomInt`
 * takes.
 */
export const SESSION_KEYS = 2 ** 48 - 1;
/** Pause before connecting again after the listening connection was lost; it doubles with each failure. */
export const RECONNECT_MS_MIN = 50;
export const RECONNECT_MS_MAX = 2000;

/** PostgreSQL refuses a payload of 8,000 bytes or more; a seq and its comma take at most 17, so longer lists are split. */
export const SEQS_PER_ANNOUNCEMENT_MAX = 400;
