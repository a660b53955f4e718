/** Every bound of this package, with its unit. The first group is the chain's own; the rest are choices of this client. */

/** The largest amount, 2^128 - 1 minor units. */
export const AMOUNT_MAX = 340282366920938463463374607431768211455n;
/** The digits of the largest amount. */
export const AMOUNT_DIGITS_MAX = 39;
/** The largest nonce, 2^53 - 1: JSON numbers are exact up to here in every language. */
export const NONCE_MAX = 9007199254740991;
/**
 * The payer's name for a payment: 1 to 140 printable ASCII characters without `"` and `\`, not beginning or ending with a space. So the
 * signed bytes contain it without escaping.
 */
export const REFERENCE_PATTERN = /^[!#-[\]-~]([ !#-[\]-~]{0,138}[!#-[\]-~])?$/;
/** The latest end of a validity, 9999-12-31T23:59:59Z in Unix seconds. */
export const VALID_UNTIL_S_MAX = 253_402_300_799;
/** The shortest validity that can be given as a duration: it is counted in whole seconds. */
export const VALID_FOR_MS_MIN = 1000;
/** A service accepts nonces below the account's own plus this many. */
export const NONCE_WINDOW = 1024;
/** Transfers of one batch, as the contract says. */
export const BATCH_TRANSFERS_MAX = 1000;
/** The longest that a service holds an answer (`Prefer: wait=N`). */
export const SERVER_WAIT_S_MAX = 30;

/** Default of a whole call, all its attempts, pauses and waiting included. */
export const CALL_TIMEOUT_MS_DEFAULT = 60_000;
/** One attempt, in addition to the time for which the service holds the answer on request. */
export const ATTEMPT_TIMEOUT_MS_DEFAULT = 15_000;
/** Attempts of one call. With the pauses below the tenth comes after some 10 to 20 s. */
export const ATTEMPTS_MAX = 10;
/** The first pause is up to this long, each later one up to twice the one before. */
export const BACKOFF_MS_BASE = 200;
export const BACKOFF_MS_MAX = 5_000;
/** A longer `Retry-After` is not waited for: the call rejects instead. */
export const RETRY_AFTER_MS_MAX = 60_000;
/** The body of an answer, 8 MiB. A page or a batch of 1,000 transfers is below 1 MiB. */
export const ANSWER_BYTES_MAX = 8_388_608;

/** Pause between two lookups of a pending transaction: grows from the first value to the second. */
export const POLL_MS_MIN = 100;
export const POLL_MS_MAX = 2_000;
/** Pause between two lookups of an account whose window of nonces is full of pending transfers. */
export const WINDOW_POLL_MS = 500;

/** New nonces that `sendTransfer` tries when another process takes the ones it chose. */
export const NONCE_RECOVERIES_MAX = 32;
/** Accounts whose nonces are kept in memory at a time. */
export const NONCE_ACCOUNTS_MAX = 10_000;

/** A service sends a heartbeat every 15 s; when three are missing, the connection is dead or a proxy holds its bytes back. */
export const STREAM_SILENCE_MS_MAX = 45_000;
/** Streams in a row that ended before their first byte while pages are answered: after these, a proxy must be letting no stream through. */
export const UNHEARD_STREAMS_MAX = 3;
/** Time for which pages are read in place of a stream before a stream is tried again. */
export const POLLING_MS = 600_000;
/** Pause between two pages where there is no stream; a block takes about a second. */
export const EVENTS_POLL_MS = 2_000;
/** Events in a page that is read in place of a stream. */
export const EVENTS_PAGE_SIZE = 1000;
/** The longest `retry` of a service, and the longest `Retry-After` that a stream waits for: an hour. */
export const STREAM_PAUSE_MS_MAX = 3_600_000;
/** The text of one event, 64 Ki characters. The largest that a service sends is below 2,000. */
export const EVENT_CHARS_MAX = 65_536;

/** Simultaneous waits from which on they share one stream of events: two cause less traffic with lookups of their own. */
export const SHARED_WAITS_MIN = 3;
/** Pause between two lookups while a stream is open: for an event that one gateway sent before the service's other gateways had it. */
export const WATCHED_POLL_MS = 10_000;
/** Events of others in a row after which a shared stream costs more than it saves: about 5 MB. */
export const OTHERS_EVENTS_MAX = 10_000;
/** Maximum difference between the time of a webhook and now, as Standard Webhooks recommends: 5 minutes. */
export const WEBHOOK_TOLERANCE_S_DEFAULT = 300;
/** Bytes of a webhook's secret, as Standard Webhooks allows: 24 to 64. */
export const WEBHOOK_SECRET_BYTES_MIN = 24;
export const WEBHOOK_SECRET_BYTES_MAX = 64;
