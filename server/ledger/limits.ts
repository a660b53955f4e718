/**
 * Every bound of the ledger in one place.
 *
 * All of them are consensus rules except where noted: a replica with another value here computes other blocks.
 */

/** Largest amount and largest total supply, in minor units: 2^128 - 1 keeps every sum of balances in 39 digits. */
export const AMOUNT_MAX = 2n ** 128n - 1n;

/** Largest nonce a transaction can carry: 2^53 - 1, the largest integer that every JSON reader keeps exact. */
export const NONCE_MAX = Number.MAX_SAFE_INTEGER;

/** A nonce can be voided only while it is less than this many nonces ahead of the account's. Also the width in bits of `voids`. */
export const NONCE_WINDOW = 1024;

/**
 * Payer's own name for a payment: 1 to 140 printable ASCII characters (as long as the remittance information of ISO 20022) without those
 * that JSON escapes, not beginning or ending with a space. So it is in the signed bytes as it is, and has one form only.
 */
export const REFERENCE_PATTERN = /^[!#-[\]-~](?:[ !#-[\]-~]{0,138}[!#-[\]-~])?$/;

/** Latest end of a transfer's validity, in Unix seconds: 9999-12-31T23:59:59Z, the last that RFC 3339 can write. */
export const VALID_UNTIL_MAX = 253_402_300_799;

/** Largest raw transfer or cancel, in bytes. The largest canonical one is below 800 bytes. */
export const TX_BYTES_MAX = 1024;

/** Largest raw governance transaction, in bytes: GOVERNORS_MAX signatures of 220 bytes each, and less than 300 bytes for the rest. */
export const GOVERNANCE_BYTES_MAX = 4096;

/** Largest voting power of one validator: 2^53 - 1 stays exact in JSON. */
export const VALIDATOR_POWER_MAX = Number.MAX_SAFE_INTEGER;

/**
 * Most validators at one time: keeps the governance record and every commit small. With VALIDATOR_POWER_MAX it also keeps the total power
 * below CometBFT's MaxTotalVotingPower, (2^63 - 1) / 8, above which CometBFT panics; so the ledger need not add powers up.
 */
export const VALIDATORS_MAX = 128;

/** A block's change of the voting power stays below the power before it, divided by this: see isChangeWithinBound. */
export const POWER_CHANGE_DIVISOR = 3n;

/**
 * Least power of all validators of a genesis: with less, every change is a third or more, and the chain could never change its validators.
 */
export const GENESIS_POWER_MIN = 4n;

/** Most cancellers at one time: a key for each gateway, and as many again while keys are changed. Keeps the governance record small. */
export const CANCELLERS_MAX = 64;

/** Most governors at one time. Each may sign one governance transaction, so this bounds its size and the cost of verifying it. */
export const GOVERNORS_MAX = 16;

/**
 * A new version of the rules is in force this many blocks after its transaction at the earliest: a minimum against a mistake, not the time
 * that an upgrade takes.
 */
export const RULES_NOTICE_BLOCKS = 100;

/** Largest version of the rules that a chain can name: six digits. */
export const RULES_VERSION_MAX = 999_999;

/** Most versions of the rules that one genesis may list. */
export const GENESIS_RULES_MAX = 100;

/** Most digits after the point of a currency: 18, as the finest currencies in use have. */
export const CURRENCY_SCALE_MAX = 18;

/** Most governance transactions in one block: each rewrites the whole governance record. */
export const GOVERNANCE_PER_BLOCK_MAX = 16;

/** Cancels take at most one part in this many of a block's bytes, so that they can never crowd out transfers. */
export const CANCEL_SHARE_DIVISOR = 4;

/** Local policy: a transaction still in the mempool after this many blocks is evicted, so that a new broadcast gossips it again. */
export const RECHECK_BLOCKS_MAX = 10;

/** Local policy: most transactions that one check state remembers between two commits. */
export const CHECK_TRANSACTIONS_MAX = 200_000;

/** Decoded addresses that each of the two generations of the address cache keeps; about 0.3 KiB an entry. */
export const ADDRESS_CACHE_ENTRIES_MAX = 8192;

/** Largest genesis file, in bytes: CometBFT's socket transport refuses an InitChain message above 100 MiB. */
export const GENESIS_BYTES_MAX = 64 * 1024 * 1024;
