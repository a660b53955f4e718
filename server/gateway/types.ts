/**
 * The gateway's port for the HTTP layer, and the shapes that pass between them.
 *
 * Everything here is plain, structured-cloneable data, because the ledger service runs on a thread of its own. Outcomes that a caller must
 * handle are values (`{ ok: false, code, ... }`), never exceptions: an exception from the gateway is a defect of the gateway.
 */

import type { AccessApi } from './access/api.ts';
import type { TokenLimits } from './access/token-types.ts';
import type { StoreFigures } from '../engine/ports.ts';
import type { WebhookApi } from './webhooks/api.ts';
import type {
  Receipt,
  RpcArguments,
  RpcEventsAnswer,
  RpcEventsRequest,
  RpcMethod,
  RpcOutcome,
} from '../engine/port.ts';
import type { EventPage, EventQuery } from './event-types.ts';
import type { Refusal } from './refusal-types.ts';
import type { Scope } from './scopes.ts';
import type { ExpiryReasonCode, Sentence, StatusReason, TransactionStatus } from './status-types.ts';

export { type Scope, SCOPES } from './scopes.ts';
export type { AddressBinding, TokenLimits, TokenView } from './access/token-types.ts';
export type * from './event-types.ts';
export type * from './refusal-types.ts';
export type * from './status-types.ts';

/** Actions that the audit trail records. */
export const AUDIT_ACTIONS = [
  'token.create',
  'token.rotate',
  'token.update',
  'token.extend',
  'token.revoke',
  'address.bind',
  'address.unbind',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.rotate',
  'webhook.disable',
  'governance.submit',
  'governance.commit',
  'server.start',
  'server.refuse',
  'server.stop',
  'server.restore',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The caller. Tokens belong to an owner (a partner), so rotating a token keeps the owner's rights. */
export interface Principal {
  tokenId: string;
  owner: string;
  scopes: readonly Scope[];
  /** Absent where those of the service apply. */
  limits?: TokenLimits | undefined;
  /** Key of the quota that it uses up, where that is not the token's alone: JWTs are many, so those of an owner share one. */
  quotaKey?: string;
}

/** A signed transfer as a client sends it. The chain id is not part of it: the server adds its own. */
export interface TransferInput {
  from: string;
  to: string;
  /** Decimal digits, integer minor units, 1 to 2^128 - 1. */
  amount: string;
  /** 0 to 2^53 - 1. */
  nonce: number;
  /** The payer's own name for the payment, REFERENCE_PATTERN. */
  reference?: string;
  /** The last second, in Unix time, in which a block may hold it. */
  validUntil?: number;
  /** Ed25519 over the sign bytes, 128 lower-case hex digits. */
  signature: string;
  /** 64 hex digits in either case; checked when present. */
  txHash?: string;
}

export interface TransactionRecord {
  /** 64 upper-case hex digits. */
  txHash: string;
  from: string;
  to: string;
  amount: string;
  reference?: string;
  validUntil?: number;
  status: TransactionStatus;
  /** Wall clock of this service, milliseconds since 1970. */
  firstSeenAtMs: number;
  reason?: StatusReason;
  /** Height of the block that settled it. */
  height?: number;
  /** Header time of that block, milliseconds since 1970. */
  blockTimeMs?: number;
  /** The hash under which a block executed the same payment with another valid signature. */
  executedAs?: string;
  /** The transfer as a list shows it, as JSON, once it was written; nothing of a settled one changes. */
  json?: string;
}

export type HistoryEvent =
  | 'accepted'
  | 'seen_on_chain'
  | 'broadcast'
  | 'cancel_requested'
  | 'expiry_requested'
  | 'committed'
  | 'failed'
  | 'cancelled'
  | 'expired';

export interface HistoryEntry {
  /**
   * Milliseconds since 1970, never less than of the entry before: wall clock for what this service did, header time for what a block
   * decided, or that of the entry before where it is later.
   */
  atMs: number;
  /** Header time of the block that decided. */
  blockTimeMs?: number;
  event: HistoryEvent;
  /** Only of `expiry_requested`. */
  reason?: ExpiryReasonCode;
  detail?: Sentence;
  height?: number;
  txHash?: string;
}

export type TransactionDetail = TransactionRecord & {
  nonce: number;
  history: HistoryEntry[];
  /** The last block that the answer includes; `height` is of the block that settled the transfer. */
  ledgerHeight: number;
  /** As `json`, for its own page. */
  pageJson?: string;
};

export interface Submitted {
  ok: true;
  /** True when the payment was submitted before; nothing was written then. */
  replayed: boolean;
  transaction: TransactionRecord;
}

export interface CancelAnswer {
  ok: true;
  /** True when a block has cancelled it; false when no block decided within the wait. */
  decided: boolean;
  transaction: TransactionRecord;
}

export interface ReceiptAnswer {
  ok: true;
  receipt: Receipt;
  /** The last block that the answer includes, which is the receipt's second one or a later one. */
  ledgerHeight: number;
}

export interface ListQuery {
  /** 1 to LIST_LIMIT_MAX. */
  limit: number;
  cursor?: string;
  status?: TransactionStatus;
  from?: string;
  /** Only with `from`. */
  nonce?: number;
  to?: string;
  /** Either side. */
  account?: string;
  /** Exactly this one. */
  reference?: string;
}

export interface ListPage {
  ok: true;
  /** Newest first, by when this service first saw them. */
  transactions: TransactionRecord[];
  /** The last block that the page takes into account. */
  height: number;
  /** Absent on the last page. */
  nextCursor?: string;
}

/** A signed transfer, or one that is not signed yet. */
export type TransferToCheck = Omit<TransferInput, 'signature'> & Partial<Pick<TransferInput, 'signature'>>;

/** The answer that submitting a transfer would have had. */
export interface Checked {
  ok: true;
  judgement: CheckJudgement;
  /** `not_judged` without a signature, and where the checks ended before it. */
  signatureStatus: 'valid' | 'invalid' | 'not_judged';
  /** The exact bytes to sign, as text. */
  signBytes: string;
  /** Absent without a signature. */
  txHash?: string;
  /** The sender as the checks saw it; absent where they ended before it. */
  account?: AccountView;
}

/** A replay, with the transfer as it is recorded. */
export type CheckJudgement =
  | { kind: 'accepted' }
  | { kind: 'replayed'; transaction: TransactionRecord }
  | { kind: 'refused'; refusal: Refusal };

/** Nonces of one account that follow each other, both ends included. */
export interface NonceRange {
  first: number;
  last: number;
}

/** An account as of one moment. */
export interface AccountView {
  ok: true;
  address: string;
  /** Decimal digits, minor units, as of the last block applied. */
  balance: string;
  /** The balance less `pendingOut`, at least 0. */
  available: string;
  /** The sum of its pending transfers, those with a cancel requested included. */
  pendingOut: string;
  /** The nonce the chain expects next. */
  nonce: number;
  /** The lowest nonce that is neither void nor held by a live transfer. */
  nextNonce: number;
  /** Below the highest live nonce, those that are neither void nor live; ascending, at most GAPS_MAX. */
  gaps: NonceRange[];
  /** The last block applied. */
  height: number;
  blockTimeMs: number;
}

export interface AccountsView {
  ok: true;
  /** In the order of the request. */
  accounts: AccountView[];
  height: number;
  blockTimeMs: number;
}

/** State of an account after a block of the past. */
export interface AccountAtView {
  ok: true;
  address: string;
  /** Decimal digits, minor units. */
  balance: string;
  /** The nonce that the chain expected next. */
  nonce: number;
  height: number;
  blockTimeMs: number;
  /** The last block at the time of the request: no later one changes the answer. */
  ledgerHeight: number;
}

export interface EntryQuery {
  address: string;
  /** 1 to LIST_LIMIT_MAX. */
  limit: number;
  cursor?: string | undefined;
  /** Entries of blocks at or after this time, milliseconds since 1970. */
  fromMs?: number | undefined;
  /** Entries of blocks before this time. */
  toMs?: number | undefined;
  order: 'asc' | 'desc';
  /** Entries of blocks up to this height; absent for all. */
  heightMax?: number | undefined;
}

/** One movement of an account's money. */
export interface AccountEntry {
  height: number;
  /** Position of the transaction in its block, from 0. */
  index: number;
  blockTimeMs: number;
  txHash: string;
  direction: 'in' | 'out';
  counterparty: string;
  /** Decimal digits, minor units. */
  amount: string;
  /** Balance of the account after this entry and before the next one. */
  balanceAfter: string;
  reference?: string;
}

export interface EntryPage {
  ok: true;
  entries: AccountEntry[];
  /** The last block that the page takes into account. */
  height: number;
  /** Absent on the last page. */
  nextCursor?: string;
}

export interface ChainView {
  chainId: string;
  addressPrefix: 'txl' | 'txlt';
  /** Height of the last block that the gateway applied. */
  height: number;
  lastBlockTimeMs: number;
  blockIntervalMs: number;
  /** An idle chain makes an empty block this often. */
  idleBlockIntervalMs: number;
  /** SHA-256 of the genesis file, upper-case hex. */
  genesisHash: string;
  /** Unit of the amounts; `scale` is the number of digits after the point when one is shown. */
  currency: { code: string; scale: number };
  /** Decimal digits, minor units: the minimum that opens an account. */
  openingMinimum: string;
  /** CHAIN_FORMAT of the ledger. */
  format: number;
}

export interface ReadinessCheck {
  name: 'engine' | 'block_age' | 'store' | 'accepting';
  ok: boolean;
  detail: string;
}

export interface Readiness {
  ready: boolean;
  checks: ReadinessCheck[];
  /** The reason why it is not ready; absent when it is. */
  code?: 'engine_unavailable' | 'store_unavailable' | 'shutting_down';
}

/** Plain numbers, but for `store`; names carry their unit where they have one. Counters end in `_total` and start at 0 with the process. */
export interface GatewayMetrics {
  pending: number;
  /** 1 at the one gateway that follows the chain and dispatches. */
  active: number;
  accepted_total: number;
  replayed_total: number;
  refused_total: number;
  committed_total: number;
  failed_total: number;
  cancelled_total: number;
  expired_total: number;
  broadcast_total: number;
  group_commits_total: number;
  group_commit_items_total: number;
  group_commit_size_max: number;
  /** Lookups of tokens in the store: of ids that were found a moment before, and of others. */
  token_lookups_known_total: number;
  token_lookups_unknown_total: number;
  cancel_outbox: number;
  /** At the active gateway: senders with transfers behind a nonce that no pending transfer has; 0 otherwise. */
  senders_held_up: number;
  /** At the active gateway: time for which it has settled nothing although the chain went on, or has not seen the chain; 0 otherwise. */
  settlement_stalled_seconds: number;
  follower_height: number;
  follower_block_time_ms: number;
  /** Settled transfers that chain.db does not have yet. Absent over a network. */
  index_behind_transfers?: number;
  /** Durations of the database's calls. Absent where they are not measured. */
  store?: StoreFigures;
}

export interface Gateway {
  /**
   * Resolves once the transfer is durable (fsynced) or refused; never before. The idempotency key is the owner's name for
   * this request: once a transfer was accepted with it, it belongs to that transfer and is refused with any other.
   */
  submit(input: TransferInput, principal: Principal, idempotencyKey?: string): Promise<Submitted | Refusal>;
  /**
   * Each transfer as `submit` checks it, after those before it, and stored with one fsync: one answer for each, in order. Resolves once all
   * that was accepted is durable. One refusal when none of them was checked.
   */
  submitBatch(inputs: readonly TransferInput[], principal: Principal): Promise<(Submitted | Refusal)[] | Refusal>;
  /** The answer that `submit` would give, by the same rules and with no effect. */
  check(input: TransferToCheck, principal: Principal): Promise<Checked | Refusal>;
  /** The record when it is settled, or as it is after `waitMs` or when `signal` aborts; undefined when unknown. */
  waitUntilSettled(txHash: string, waitMs: number, signal?: AbortSignal): Promise<TransactionRecord | undefined>;
  cancel(txHash: string, principal: Principal, waitMs: number, signal?: AbortSignal): Promise<CancelAnswer | Refusal>;
  /** The same by the signature of the transfer's sender, which is the only right that it needs. */
  submitCancel(
    txHash: string,
    signature: string,
    principal: Principal,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<CancelAnswer | Refusal>;
  list(query: ListQuery): Promise<ListPage | Refusal>;
  /** Undefined when this service has never seen the transfer. */
  get(txHash: string): Promise<TransactionDetail | Refusal | undefined>;
  account(address: string): Promise<AccountView | Refusal>;
  /** After the block at a height, 0 for the genesis file; `not_found` for one that is not there yet. */
  accountAt(address: string, height: number): Promise<AccountAtView | Refusal>;
  /** One page of the movements of an account's money. It includes every transfer that was shown as committed before the call. */
  entries(query: EntryQuery): Promise<EntryPage | Refusal>;
  /** One page of the event log. It takes only whole, settled blocks into account. */
  events(query: EventQuery): Promise<EventPage | Refusal>;
  /** Several, all as of one moment: 1 to ACCOUNTS_MAX addresses, each once. */
  accounts(addresses: readonly string[]): Promise<AccountsView | Refusal>;
  /**
   * Proof of the transaction that decided the transfer, once the block after it exists. `receipt_not_ready` when that does not happen
   * within `waitMs` or until `signal` aborts.
   */
  receipt(txHash: string, principal: Principal, waitMs: number, signal?: AbortSignal): Promise<ReceiptAnswer | Refusal>;
  chain(): Promise<ChainView>;
  /**
   * Answers one method of the chain's RPC. A transfer that broadcast_tx_* submit is recorded, followed and settled like any submitted one,
   * for the principal's owner where there is one; `not_submitter` when the sender is bound to another.
   */
  rpc(method: RpcMethod, args: RpcArguments, principal: Principal | undefined): Promise<RpcOutcome | Refusal>;
  /** Events of the blocks from a height on, for the queries of all subscriptions; there is one set of them. */
  rpcEvents(request: RpcEventsRequest): Promise<RpcEventsAnswer>;
  /** The height up to which `events` has everything, once it is at least `height` or at the timeout. */
  waitForHeight(height: number, timeoutMs: number): Promise<number>;
  /** Undefined as soon as every later read includes this block; a refusal where that takes too long. */
  reach(height: number): Promise<Refusal | undefined>;
  /**
   * The chain's latest height as the engine has it, once it is at least `height` or at the timeout. Over a network the rows may be behind
   * it.
   */
  waitForBlock(height: number, timeoutMs: number): Promise<number>;
  /**
   * The token's principal; undefined when it is unknown, wrong, expired or revoked (a revocation holds within 5 s); a refusal when that
   * cannot be determined.
   */
  authenticate(token: string): Principal | Refusal | undefined | Promise<Principal | Refusal | undefined>;
  /** Tokens and bound addresses. */
  access: AccessApi;
  /** Endpoints that events are sent to. */
  webhooks: WebhookApi;
  readiness(): Promise<Readiness>;
  metrics(): Promise<GatewayMetrics>;
  /** Refuses new work with `shutting_down` and resolves when what is in flight has been answered. */
  drain(): Promise<void>;
  close(): Promise<void>;
}
