/**
 * The contract's types under the names that callers use. They are generated from the OpenAPI contract; when the package is built,
 * the generated file is copied into it, so that nothing of the repository is needed to use them.
 */
import type { components, operations, paths } from '../../generated/openapi.ts';

type Schemas = components['schemas'];

/**
 * A transfer in lists and acknowledgements: one of five kinds, which `transaction.status` narrows to. A later version of the contract may
 * add a status: give a `switch` over it a `default`. Amounts are decimal strings of minor units: `BigInt(transaction.amount)`.
 */
export type Transaction = Schemas['Transaction'];
/** A transfer with its history: each event with time and reason. */
export type TransactionDetail = Schemas['TransactionDetail'];
export type TransactionInput = Schemas['TransactionInput'];
export type TransactionPage = Schemas['TransactionPage'];
export type TransactionStatus = Schemas['TransactionStatus'];
/** The reason why a transfer is still pending or has failed. */
export type StatusReason = Schemas['PendingReason'] | Schemas['FailureReason'];
export type HistoryEntry = Schemas['HistoryEntry'];
/** Balance, available amount and nonces of an account, after the block that it names. */
export type Account = Schemas['Account'];
/** Accounts as of one block. */
export type AccountList = Schemas['AccountList'];
/** A transfer to check, signed or not. */
export type TransactionCheckInput = Schemas['TransactionCheckInput'];
/** The answer that submitting a transfer would get. */
export type TransactionCheckResult = Schemas['TransactionCheckResult'];
/** One of the two blocks of a receipt, in CometBFT's JSON. */
interface ReceiptBlock {
  header: Schemas['RpcHeader'];
  commit: Schemas['RpcCommit'];
  validators: Pick<Schemas['RpcValidator'], 'address' | 'pub_key' | 'voting_power'>[];
}
/** Proof for anyone of what the chain decided about a transfer: `verifyReceipt` checks it. */
export type Receipt = Pick<Schemas['Receipt'], 'chainId' | 'txHash' | 'height' | 'index' | 'transaction'> & {
  transactionProof: Schemas['RpcProof'];
  result: Pick<Schemas['RpcTxResult'], 'code' | 'data' | 'gas_wanted' | 'gas_used'>;
  resultProof: Schemas['RpcProof'];
  block: ReceiptBlock;
  nextBlock: ReceiptBlock;
};
/** Id, address prefix, height and genesis of the chain behind the service. */
export type Chain = Schemas['Chain'];
/** The currency of amounts: its code, and the number of digits after the point when an amount is shown. */
export type Currency = Schemas['Currency'];
export type AddressPrefix = Schemas['AddressPrefix'];
export type FieldError = Schemas['FieldError'];
export type ProblemCode = Schemas['ProblemCode'];
/** The refusal of one transfer of a batch: the members of a problem, and those of its code. */
export type TransactionRefusal = Schemas['TransactionRefusal'];
/** Filters and paging of the list, as the contract names them. */
export type ListQuery = NonNullable<operations['listTransactions']['parameters']['query']>;
/** One movement of an account's money, with the balance after it. */
export type Entry = Schemas['Entry'];
export type EntryPage = Schemas['EntryPage'];
/** Times, direction and paging of a statement, as the contract names them. */
export type EntryQuery = NonNullable<operations['listEntries']['parameters']['query']>;
/** A fact that a block decided about a transfer: committed, failed, cancelled or expired. `id` is its place in the log, HEIGHT-INDEX. */
export type LedgerEvent = Schemas['Event'];
export type EventPage = Schemas['EventPage'];
/** Filters, place and paging of the log of events, as the contract names them. */
export type EventQuery = NonNullable<operations['listEvents']['parameters']['query']>;
/** The body of a webhook: an event, a requested test, or the notice that another webhook of the owner was disabled. `type` narrows it. */
export type WebhookMessage = LedgerEvent | Schemas['WebhookTestMessage'] | Schemas['WebhookDisabledMessage'];
export type Webhook = Schemas['Webhook'];
/** A webhook with its new secret, which no other answer has. */
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type WebhookInput = Schemas['WebhookInput'];
export type WebhookUpdateInput = Schemas['WebhookUpdateInput'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryPage = Schemas['WebhookDeliveryPage'];
export type WebhookReplay = Schemas['WebhookReplay'];
export type WebhookTest = Schemas['WebhookTestQueued'];
export type { operations as Operations, paths as Paths };

/** A code that no operation lists: it has the members of every problem and no others. */
type Unlisted<Code extends ProblemCode> = Schemas['Problem'] & { code: Code };

/** The schema of each problem code, so that an error class carries exactly what the contract promises for its code. */
export interface Problems {
  malformed_json: Schemas['MalformedJsonProblem'];
  invalid_request: Schemas['InvalidRequestProblem'];
  unauthenticated: Schemas['UnauthenticatedProblem'];
  insufficient_scope: Schemas['InsufficientScopeProblem'];
  not_submitter: Schemas['NotSubmitterProblem'];
  origin_not_allowed: Unlisted<'origin_not_allowed'>;
  not_found: Schemas['NotFoundProblem'];
  method_not_allowed: Unlisted<'method_not_allowed'>;
  not_acceptable: Unlisted<'not_acceptable'>;
  request_timeout: Unlisted<'request_timeout'>;
  nonce_too_low: Schemas['NonceTooLowProblem'];
  nonce_conflict: Schemas['NonceConflictProblem'];
  nonce_cancelled: Schemas['NonceCancelledProblem'];
  receipt_not_ready: Schemas['ReceiptNotReadyProblem'];
  height_not_reached: Unlisted<'height_not_reached'>;
  place_ahead: Schemas['PlaceAheadProblem'];
  already_settled: Schemas['AlreadySettledProblem'];
  webhook_exists: Schemas['WebhookExistsProblem'];
  too_many_webhooks: Schemas['TooManyWebhooksProblem'];
  webhook_disabled: Schemas['WebhookDisabledProblem'];
  webhook_busy: Schemas['WebhookBusyProblem'];
  webhook_url_refused: Schemas['WebhookUrlRefusedProblem'];
  body_too_large: Schemas['BodyTooLargeProblem'];
  unsupported_media_type: Unlisted<'unsupported_media_type'>;
  host_not_allowed: Unlisted<'host_not_allowed'>;
  invalid_address: Schemas['InvalidAddressProblem'];
  invalid_signature: Schemas['InvalidSignatureProblem'];
  tx_hash_mismatch: Schemas['TxHashMismatchProblem'];
  insufficient_funds: Schemas['InsufficientFundsProblem'];
  nonce_too_high: Schemas['NonceTooHighProblem'];
  idempotency_key_reused: Schemas['IdempotencyKeyReusedProblem'];
  validity_passed: Schemas['ValidityPassedProblem'];
  below_opening_minimum: Schemas['BelowOpeningMinimumProblem'];
  rate_limited: Schemas['RateLimitedProblem'];
  too_many_pending: Schemas['TooManyPendingProblem'];
  headers_too_large: Unlisted<'headers_too_large'>;
  internal: Unlisted<'internal'>;
  pool_full: Schemas['PoolFullProblem'];
  engine_unavailable: Schemas['EngineUnavailableProblem'];
  store_unavailable: Schemas['StoreUnavailableProblem'];
  shutting_down: Schemas['ShuttingDownProblem'];
  server_busy: Schemas['ServerBusyProblem'];
}
