/** Every bound of the store on PostgreSQL. A server or a connection that is gone has to be noticed within seconds. */

/** Connections of one store, the one that listens for announcements left out. */
export const CONNECTIONS_MAX_DEFAULT = 8;
/**
 * Of them, those that write. Writers take turns in the database, so more than one only serves while a broken
 * connection is being given up.
 */
export const WRITERS_MAX = 2;

/** Longest wait for a connection: a new one, or one of the pool's to come free. */
export const CONNECT_MS_MAX = 3000;
/** Longest wait for another writer's transaction. */
export const LOCK_MS_MAX = 4000;
/** Longest that a statement of a read may run in the server. */
export const READ_STATEMENT_MS_MAX = 6000;
/** Longest wait for the answer to a statement before its connection counts as dead. Above the two before it, so that the server speaks first. */
export const ANSWER_MS_MAX = 7000;
/**
 * A transaction whose client is silent this long is ended by the server: a gateway that was paused, or whose host
 * vanished, in the middle of a write would otherwise hold up every other gateway.
 */
export const SILENT_TRANSACTION_MS_MAX = 3000;
/** An idle connection is probed by TCP after this time; the kernel gives up about ten seconds later. */
export const KEEPALIVE_MS = 5000;

/** Statements that are kept prepared under a name. Their texts are set-based and few, so this is never reached. */
export const PREPARED_STATEMENTS_MAX = 256;

/** The connection that listens is asked for a sign of life this often, and given this long to show one. */
export const LISTEN_PROBE_MS = 4000;
export const LISTEN_ANSWER_MS_MAX = 3000;
/** How many keys there are for the lock by which a session shows that it lasts: so many that no two ever have the same, and no more than `randomInt` takes. */
export const SESSION_KEYS = 2 ** 48 - 1;
/** Pause before connecting again after the listening connection was lost; it doubles with each failure. */
export const RECONNECT_MS_MIN = 50;
export const RECONNECT_MS_MAX = 2000;

/** PostgreSQL refuses a payload of 8,000 bytes or more; a seq and its comma take at most 17, so longer lists are split. */
export const SEQS_PER_ANNOUNCEMENT_MAX = 400;
