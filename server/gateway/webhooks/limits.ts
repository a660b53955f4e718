/** Bounds of webhooks. The contract repeats those that a client meets. */

/** Endpoints of one owner. Each is a connection, a place and a log of its own; one endpoint can listen for a hundred accounts. */
export const WEBHOOKS_PER_OWNER_MAX = 20;
/** Secrets from before the last rotation that sign at a time: each is another signature in every message. */
export const PREVIOUS_SECRETS_MAX = 3;
/** Tests of one endpoint that wait to be sent: enough to try a receiver out, too few to flood one. */
export const TESTS_WAITING_MAX = 10;
/** Blocks that one replay looks through: eleven days of one a second. A longer history is read faster by listEvents. */
export const REPLAY_BLOCKS_MAX = 1_000_000;
/** Text of one page of a delivery log, as of every page: an answer of a receiver is up to 3 KiB of it, and a page may have a thousand. */
export const DELIVERY_PAGE_BYTES_MAX = 1024 * 1024;
/** Entries that are copied to the audit trail at once. */
export const AUDIT_BATCH_MAX = 100;
/** Time for which the earlier secret signs too, unless the caller sets another. */
export const SECRET_OVERLAP_S_DEFAULT = 86_400;
/** 256 bits, as long as the key of HMAC-SHA-256 can be of use. */
export const SECRET_BYTES = 32;
