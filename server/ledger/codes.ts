/**
 * The closed catalogue of result codes.
 *
 * Below 10 a transaction was executed: it used its nonce. From 10 on it was refused: it had no effect at all. The numbers are hashed into
 * every header (last_results_hash), so a number is never given a second meaning.
 */

/** ABCI codespace of every code that is not 0. */
export const CODESPACE = 'txledger';

export const CODES = {
  ok: 0,
  /** Executed and final: the balance was too small, nothing moved, the nonce is used. */
  insufficient_funds: 1,
  /** Executed and final: less than the minimum that opens an account, and the receiver had none; nothing moved, the nonce is used. */
  below_opening_minimum: 2,

  /** Not the canonical bytes of any transaction. */
  malformed: 10,
  /** Signed for another chain id. */
  wrong_chain: 11,
  /** An address with a wrong checksum, encoding, network or a weak key. */
  invalid_address: 12,
  /** The signature does not verify under the STRICT rule. */
  invalid_signature: 13,

  /** `from` has no account. */
  unknown_account: 14,
  /** The nonce was used before. */
  nonce_too_low: 15,
  /** The nonce is ahead of the account's. */
  nonce_gap: 16,
  /** The nonce was voided by a cancel. */
  nonce_void: 17,

  /** The nonce to cancel was used before, or is NONCE_WINDOW or more ahead. */
  cancel_outside_window: 18,
  /** The nonce to cancel is void already. */
  cancel_without_effect: 19,
  /** Signed by a key without this right: a cancel by neither the sender nor a canceller, governance by a key that is not a governor. */
  signer_not_allowed: 20,

  /** Not the next governance sequence. */
  governance_sequence: 21,
  /** The role, the threshold, the power or the rules already have the requested value. */
  governance_without_effect: 22,
  /** The last canceller or the last validator cannot be removed. */
  governance_last_one: 23,
  /** Too many cancellers, governors or validators. */
  governance_limit: 24,
  /** The subject is not a usable validator key. */
  governance_subject: 25,
  /** This chain cannot change its validators as it runs now (the embedded engine signs with one key). */
  governance_not_available: 26,
  /** Signed by fewer governors than the threshold. */
  governance_threshold: 28,
  /** The validator changes of the block would come to a third or more of the power before it. */
  governance_power_bound: 29,

  /** The time of the block is later than the transfer's validUntil. */
  validity_passed: 27,

  /** ProcessProposal: a cancel after another kind, or governance after a transfer. */
  block_order: 30,
  /** ProcessProposal: more bytes, transactions, cancels or governance than a block may hold. */
  block_limit: 31,

  /** CheckTx: the balance does not cover it now. Local policy, not a rule of blocks. */
  check_funds: 40,
  /** CheckTx: other bytes hold this nonce in the mempool. */
  check_nonce_taken: 41,
  /** CheckTx: waited too many blocks; broadcast again. */
  check_waited: 42,
  /** CheckTx: too many transactions since the last block. */
  check_full: 43,
  /** CheckTx: the receiver has no account, and the amount is less than the minimum that opens one. Local policy, not a rule of blocks. */
  check_opening_minimum: 44,

  /** There would be fewer governors than the threshold. */
  governance_unreachable: 50,
  /** Not the next version of the rules, or a version that is in force already. */
  governance_rules_version: 51,
  /** The rules would come into force too soon, or not after the previous ones. */
  governance_rules_height: 52,
} as const;

export type CodeName = keyof typeof CODES;
/** Executed without moving anything. */
export type FailureName = 'insufficient_funds' | 'below_opening_minimum';
export type RefusalName = Exclude<CodeName, 'ok' | FailureName>;

/** The reason why a transaction has no effect. `log` is for people and is not hashed into anything. */
export interface Refusal {
  readonly code: number;
  readonly name: RefusalName;
  readonly log: string;
}

export interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}

export function refuse(name: RefusalName, log: string): Refused {
  return { ok: false, refusal: { code: CODES[name], name, log } };
}

const CODE_EXECUTED_BELOW = 10;

/** The reason why a transfer with this result failed; undefined when it did not fail, or was not executed. */
export function failureOf(code: number): FailureName | undefined {
  switch (code) {
    case CODES.insufficient_funds:
      return 'insufficient_funds';
    case CODES.below_opening_minimum:
      return 'below_opening_minimum';
    default:
      return undefined;
  }
}

/** True when a transaction with this result used its nonce: for 0 and for a failed execution. */
export function isExecuted(code: number): boolean {
  return code < CODE_EXECUTED_BELOW;
}
