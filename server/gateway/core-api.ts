/**
 * Interface between the HTTP threads and the ledger service (core.ts). The two run on different threads, so every argument and answer is
 * structured-cloneable and every call asynchronous.
 */
import type { RpcArguments, RpcEventsAnswer, RpcEventsRequest, RpcMethod, RpcOutcome } from '../engine/port.ts';
import type { AuditEntry, StoredToken, TokenUse } from '../store/index.ts';
import type { AdmittedTransfer } from './admission.ts';
import type {
  AccountsView,
  AccountView,
  CancelAnswer,
  ChainView,
  CheckJudgement,
  EventPage,
  EventQuery,
  GatewayMetrics,
  ListPage,
  ListQuery,
  ReceiptAnswer,
  Principal,
  Readiness,
  Refusal,
  Submitted,
  TransactionDetail,
  TransactionRecord,
} from './types.ts';

/** The owner on whose behalf an operation runs, and the token. */
export type Caller = Pick<Principal, 'owner' | 'tokenId' | 'limits'>;

/** A transfer that passed the stateless checks, and the owner for whom it comes; undefined when it was broadcast without a token. */
export interface Submission extends AdmittedTransfer {
  owner: string | undefined;
  /** The token that submits it, of that owner. */
  tokenId?: string | undefined;
  /** The token's own limit, which replaces the general limit of pending transfers of an owner. */
  pendingMax?: number | undefined;
  /** The owner's own name for the request; absent without one, so that most submissions cross threads without it. */
  idempotencyKey?: string;
  /** The traceparent of the request that brings it, where one is recorded. */
  trace?: string;
}

/** Result of a check with no effect. All of it is of one moment. */
export interface CheckedSubmission {
  ok: true;
  judgement: CheckJudgement;
  /** True when the sender is bound to no owner or to this one. */
  mayAct: boolean;
  /** The sender. */
  account: AccountView;
}

/** A wait that the caller may end early, by its number: an AbortSignal does not cross threads. */
export interface Wait {
  id: number;
  /** Milliseconds, cut to WAIT_MS_MAX. */
  ms: number;
  /** The traceparent of the request, where one is recorded. */
  trace?: string;
}

/** Numbers that the ledger service counts; the HTTP threads count the others. */
export type CoreMetrics = Omit<GatewayMetrics, `token_lookups_${string}`>;

/** Reads that need rows only, where the ledger service is or on the caller's thread. Arguments were checked before. */
export interface GatewayReads {
  list(query: ListQuery): Answer<ListPage | Refusal>;
  /** The hash in upper case. */
  get(txHash: string): Answer<TransactionDetail | Refusal | undefined>;
  account(address: string): Answer<AccountView | Refusal>;
  accounts(addresses: readonly string[]): Answer<AccountsView | Refusal>;
  events(query: EventQuery): Answer<EventPage | Refusal>;
  /** The last block that reads include from now on, once it is at least `height` or at the timeout. */
  waitForHeight(height: number, timeoutMs: number): Answer<number>;
}

type Answer<T> = T | Promise<T>;

export interface GatewayCoreApi {
  /**
   * One answer for each submission, in order; each resolves only when durable.
   * @param isBatch all of one request, which payments that were sent one by one do not wait for.
   */
  submitGroup(submissions: readonly Submission[], isBatch?: boolean): Promise<(Submitted | Refusal)[]>;
  /** True when the address is bound to no owner or to this one. */
  mayActFor(address: string, owner: string | undefined): Promise<boolean | Refusal>;
  /** The result that `submitGroup` would give now. Nothing is changed. */
  check(submission: Submission): Promise<CheckedSubmission | Refusal>;
  waitUntilSettled(txHash: string, wait: Wait): Promise<TransactionRecord | undefined>;
  /** `signed`: the sender's own cancel, whose signature was verified. It needs no owner. */
  cancel(txHash: string, principal: Principal, wait: Wait, signed?: Uint8Array): Promise<CancelAnswer | Refusal>;
  endWait(id: number): Promise<void>;
  list(query: ListQuery): Promise<ListPage | Refusal>;
  get(txHash: string): Promise<TransactionDetail | Refusal | undefined>;
  account(address: string): Promise<AccountView | Refusal>;
  accounts(addresses: readonly string[]): Promise<AccountsView | Refusal>;
  events(query: EventQuery): Promise<EventPage | Refusal>;
  /** Proves a transaction by which a block settled something; waits up to `waitMs` for the next block. `owner` is the caller's. */
  receipt(height: number, txHash: string, waitMs: number, owner: string): Promise<ReceiptAnswer | Refusal>;
  chain(): Promise<ChainView>;
  /**
   * One method of the chain's RPC; broadcast_tx_* submit a transfer on behalf of the caller, or refuse it when the sender is bound to
   * another owner.
   */
  rpc(method: RpcMethod, args: RpcArguments, caller: Caller | undefined): Promise<RpcOutcome | Refusal>;
  rpcEvents(request: RpcEventsRequest): Promise<RpcEventsAnswer>;
  waitForHeight(height: number, timeoutMs: number): Promise<number>;
  waitForBlock(height: number, timeoutMs: number): Promise<number>;
  /** The stored token with this id, secret hash included. */
  token(id: string): Promise<StoredToken | Refusal | undefined>;
  /** Writes the last uses of these tokens. */
  tokensUsed(uses: readonly TokenUse[]): Promise<void>;
  /** Resolves when the entries are durable in the audit trail. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
  readiness(): Promise<Readiness>;
  metrics(): Promise<CoreMetrics>;
  /** Ends every wait with the record as it is, and begins no new one. */
  endWaits(): Promise<void>;
  /** Refuses what is submitted from now on; resolves when what was taken before has been answered. */
  drain(): Promise<void>;
  /** Stops dispatching and following. The owner of the store closes it. */
  close(): Promise<void>;
}
