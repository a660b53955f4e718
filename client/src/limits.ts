/** Every bound of this package, with its unit. The first group is the chain's own; the rest are choices of this client. */

/** The largest amount, 2^128 - 1 minor units. */
export const AMOUNT_MAX = 340282366920938463463374607431768211455n;
/** The largest nonce, 2^53 - 1: JSON numbers are exact up to here in every language. */
export const NONCE_MAX = 9007199254740991;
/**
 * What a payer may call a payment: 1 to 140 printable ASCII characters without `"` and `\`, not beginning or ending with a space. So it stands in
 * the signed bytes as it is.
 */
export const REFERENCE_PATTERN = /^[!#-[\]-~]([ !#-[\]-~]{0,138}[!#-[\]-~])?$/;
/** The latest end of a validity, 9999-12-31T23:59:59Z in Unix seconds. */
export const VALID_UNTIL_S_MAX = 253_402_300_799;
/** The shortest validity that can be asked for as a duration: it is counted in whole seconds. */
export const VALID_FOR_MS_MIN = 1000;
/** A service accepts nonces below the account's own plus this many. */
export const NONCE_WINDOW = 1024;
/** Transfers of one batch, as the contract says. */
export const BATCH_TRANSFERS_MAX = 1000;
/** The longest that a service holds an answer (`Prefer: wait=N`). */
export const SERVER_WAIT_S_MAX = 30;

/** A whole call, all its attempts, pauses and waiting included, unless the caller says otherwise. */
export const CALL_TIMEOUT_MS_DEFAULT = 60_000;
/** One attempt, not counting the time for which the service was asked to hold the answer. */
export const ATTEMPT_TIMEOUT_MS_DEFAULT = 15_000;
/** Attempts of one call. With the pauses below the tenth comes after some 10 to 20 s. */
export const ATTEMPTS_MAX = 10;
/** The first pause is up to this long, each later one up to twice the one before. */
export const BACKOFF_MS_BASE = 200;
export const BACKOFF_MS_MAX = 5_000;
/** A `Retry-After` beyond this is not waited for: the caller is told instead. */
export const RETRY_AFTER_MS_MAX = 60_000;
/** The body of an answer, 8 MiB. A page or a batch of 1,000 transfers is below 1 MiB. */
export const ANSWER_BYTES_MAX = 8_388_608;

/** Pause between two looks at a pending transaction: grows from the first value to the second. */
export const POLL_MS_MIN = 100;
export const POLL_MS_MAX = 2_000;
/** Pause between two looks at an account whose window of nonces is full of pending transfers. */
export const WINDOW_POLL_MS = 500;

/** New nonces that `sendTransfer` tries when another process takes the ones it chose. */
export const NONCE_RECOVERIES_MAX = 32;
/** Accounts whose nonces are kept in mind at a time. */
export const NONCE_ACCOUNTS_MAX = 10_000;
