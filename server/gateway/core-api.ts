/**
 * What the front asks of the core. The two run on different threads, so every argument and answer is structured-cloneable and every call asynchronous.
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

/** On whose behalf something is done, and with which token. */
export type Caller = Pick<Principal, 'owner' | 'tokenId' | 'limits'>;

/** An admitted transfer and the owner on whose behalf it comes; undefined when it was broadcast without a token. */
export interface Submission extends AdmittedTransfer {
  owner: string | undefined;
  /** The token that submits it, of that owner. */
  tokenId?: string | undefined;
  /** Of the token, in place of what one owner may have pending. */
  pendingMax?: number | undefined;
  /** The owner's own name for the request; absent without one, so that most submissions cross threads without it. */
  idempotencyKey?: string;
  /** The traceparent of the request that brings it, where one is recorded. */
  trace?: string;
}

/** Judged with no effect. All of it is of one moment. */
export interface CheckedSubmission {
  ok: true;
  judgement: CheckJudgement;
  /** Whether the sender is bound to nobody or to this owner. */
  mayAct: boolean;
  /** The sender. */
  account: AccountView;
}

/** A wait that the caller may end early: an AbortSignal does not cross threads, a name does. */
export interface Wait {
  id: number;
  /** Milliseconds, cut to WAIT_MS_MAX. */
  ms: number;
  /** The traceparent of the request, where one is recorded. */
  trace?: string;
}

/** The numbers that the core counts; the others are counted in front of it. */
export type CoreMetrics = Omit<GatewayMetrics, `token_lookups_${string}`>;

/** What rows alone answer, where the core is or on the thread that asks. Arguments were checked before. */
export interface GatewayReads {
  list(query: ListQuery): Answer<ListPage | Refusal>;
  /** The hash in upper case. */
  get(txHash: string): Answer<TransactionDetail | Refusal | undefined>;
  account(address: string): Answer<AccountView | Refusal>;
  accounts(addresses: readonly string[]): Answer<AccountsView | Refusal>;
  events(query: EventQuery): Answer<EventPage | Refusal>;
  /** The last block that reads reflect from now on, once it is at least `height` or at the timeout. */
  waitForHeight(height: number, timeoutMs: number): Answer<number>;
}

type Answer<T> = T | Promise<T>;

export interface GatewayCoreApi {
  /**
   * One answer for each submission, in order; each resolves only when durable.
   * @param isBatch all of one request, which payments that were sent one by one do not wait for.
   */
  submitGroup(submissions: readonly Submission[], isBatch?: boolean): Promise<(Submitted | Refusal)[]>;
  /** Whether the address is bound to nobody or to this owner. */
  mayActFor(address: string, owner: string | undefined): Promise<boolean | Refusal>;
  /** How `submitGroup` would judge it now. Nothing is changed. */
  check(submission: Submission): Promise<CheckedSubmission | Refusal>;
  waitUntilSettled(txHash: string, wait: Wait): Promise<TransactionRecord | undefined>;
  /** `signed`: the sender's own cancel, whose signature was verified. It asks for no owner. */
  cancel(txHash: string, principal: Principal, wait: Wait, signed?: Uint8Array): Promise<CancelAnswer | Refusal>;
  endWait(id: number): Promise<void>;
  list(query: ListQuery): Promise<ListPage | Refusal>;
  get(txHash: string): Promise<TransactionDetail | Refusal | undefined>;
  account(address: string): Promise<AccountView | Refusal>;
  accounts(addresses: readonly string[]): Promise<AccountsView | Refusal>;
  events(query: EventQuery): Promise<EventPage | Refusal>;
  /** Proves a transaction that a block settled something by; the next block is awaited so many milliseconds. The owner asks for it. */
  receipt(height: number, txHash: string, waitMs: number, owner: string): Promise<ReceiptAnswer | Refusal>;
  chain(): Promise<ChainView>;
  /** One method of the chain's RPC; broadcast_tx_* take a transfer in on behalf of the caller, or refuse it when the sender is bound to another owner. */
  rpc(method: RpcMethod, args: RpcArguments, caller: Caller | undefined): Promise<RpcOutcome | Refusal>;
  rpcEvents(request: RpcEventsRequest): Promise<RpcEventsAnswer>;
  waitForHeight(height: number, timeoutMs: number): Promise<number>;
  waitForBlock(height: number, timeoutMs: number): Promise<number>;
  /** The stored token with this id, secret hash included. */
  token(id: string): Promise<StoredToken | Refusal | undefined>;
  /** Writes down when these tokens were used. */
  tokensUsed(uses: readonly TokenUse[]): Promise<void>;
  /** Resolves when the entries are durable in the audit trail. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
  readiness(): Promise<Readiness>;
  metrics(): Promise<CoreMetrics>;
  /** Ends every wait with the record as it stands, and begins no new one. */
  endWaits(): Promise<void>;
  /** Refuses what is submitted from now on; resolves when what was taken before has been answered. */
  drain(): Promise<void>;
  /** Stops dispatching and following. The store is closed by whoever opened it. */
  close(): Promise<void>;
}
