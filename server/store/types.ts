/**
 * The store's port for the gateway, set-based, so that a group of any size costs a fixed number of statements and so that PostgreSQL can
 * implement it as well as SQLite.
 *
 * The store decides nothing: it reads rows, writes rows, and keeps the two promises that only a database can keep: one writer at a time,
 * and nothing visible before it is durable.
 */
import type { ConnectionCounts, ReplicaFigures, StandbyCounts, Stopwatch } from '../engine/ports.ts';
import type { Scope, TokenLimits, TransactionStatus } from '../gateway/types.ts';
import type {
  AuditEntry,
  AuditQuery,
  BindingPageQuery,
  StoredAuditEntry,
  StoredBinding,
  StoredSubmission,
  StoredToken,
  TokenPageQuery,
  TokenUse,
} from './access-types.ts';
import type { OwnerSettled, StoredAccount, StoredOwner } from './account-types.ts';
import type { BlockEvents, EventList, EventListQuery, UnknownVoidAt } from './event-types.ts';
import type { FollowerState, FollowerStep, StoredGovernance, StoredValidatorSet, StorePlace } from './follow-types.ts';
import type { IdCounts, IdRanges } from './id-ranges.ts';
import type { ListQueryOf, RowsOf, TransferList, TransferListQuery } from './list-types.ts';
import type { StoredShard } from './shards.ts';
import type { StoredTransfer } from './transfer-types.ts';

export type * from './access-types.ts';
export type * from './account-types.ts';
export type * from './follow-types.ts';
export type { IdCounts, ReservedIds } from './id-ranges.ts';
export type * from './list-types.ts';
export type { StoredShard } from './shards.ts';
export type * from './transfer-types.ts';

/** A row to insert: `ownerId` instead of the owner's name, no addresses. */
export type NewTransfer = Pick<
  StoredTransfer,
  | 'seq'
  | 'hash'
  | 'fromId'
  | 'toId'
  | 'amount'
  | 'nonce'
  | 'reference'
  | 'validUntil'
  | 'signature'
  | 'status'
  | 'reason'
  | 'firstSeenAtMs'
  | 'seenBlockMs'
  | 'seenUptimeMs'
  | 'height'
  | 'blockTimeMs'
> & {
  ownerId: number | undefined;
  /** The token that submitted it. */
  tokenId?: string | undefined;
  /** The owner's name for the request that brought it; only together with an owner. */
  idempotencyKey?: string | undefined;
};

/** Changes of a pending row by its block. */
export type Settlement = Pick<StoredTransfer, 'seq' | 'reason' | 'reasonHash' | 'executedAs'> & {
  /** The first broadcast, where the gateway that settles has it in memory. */
  broadcastAtMs?: number | undefined;
  status: Exclude<TransactionStatus, 'pending'>;
  height: number;
  blockTimeMs: number;
};

export interface Slot {
  from: string;
  nonce: number;
}

/** Memory has every transfer of the shard up to this seq. */
export interface ShardPosition {
  id: number;
  seq: number;
}

/** An Idempotency-Key, which each owner has for itself. */
export interface OwnedKey {
  owner: string;
  key: string;
}

export interface KeyedTransfer extends OwnedKey {
  transfer: StoredTransfer;
}

/** `count` nonces of one sender, from `first` on. */
export interface NonceRun {
  fromId: number;
  first: number;
  count: number;
  /** The first of them with a requested cancel, by the client or by the time to live; absent without one. */
  cancelled?: number;
}

/** Names in a group of submissions: addresses (senders among them) and owners. */
export interface GroupNeeds {
  addresses: readonly string[];
  senders: readonly string[];
  owners: readonly string[];
}

/** Rows of these names; `bindings` of the senders. */
export interface GroupStanding {
  shards: StoredShard[];
  follower: FollowerState | undefined;
  accounts: StoredAccount[];
  bindings: StoredBinding[];
  owners: StoredOwner[];
}

/** Changes of a group: at least one transfer. */
export interface AcceptedRows {
  shards: readonly StoredShard[];
  /** Senders whose reserved money has changed. */
  senders: readonly StoredAccount[];
  newAccounts: readonly StoredAccount[];
  newOwners: readonly Pick<StoredOwner, 'id' | 'name'>[];
  ownerChanges: readonly { ownerId: number; shard: number; count: number }[];
  transfers: readonly NewTransfer[];
}

/** A cancel that a token requests. */
export interface CancelMark {
  seq: number;
  /** The token of the request. */
  tokenId?: string | undefined;
}

/** Queries on one consistent snapshot. */
export interface ReadTransaction {
  follower(): Promise<FollowerState | undefined>;
  governance(): Promise<StoredGovernance | undefined>;
  /** Every set that the followed blocks decided, by height. */
  validatorSets(): Promise<StoredValidatorSet[]>;
  accountsByAddress(addresses: readonly string[]): Promise<StoredAccount[]>;
  accountsById(ids: readonly number[]): Promise<StoredAccount[]>;
  /** By its own hash or by the hash it was executed as; upper-case hex. */
  transferByHash(hash: string, of?: RowsOf): Promise<StoredTransfer | undefined>;
  /** The cancel that names this transfer, of which there was no pending row when its block was applied. */
  voidByHash(hash: string): Promise<UnknownVoidAt | undefined>;
  /** The same for several hashes, in any order; a hash without a transfer has no row in the answer. */
  transfersByHash(hashes: readonly string[]): Promise<StoredTransfer[]>;
  /** Every row at these (sender, nonce), of any status: a few at most for each. */
  transfersAt(slots: readonly Slot[]): Promise<StoredTransfer[]>;
  /** The transfers that these keys belong to; of a new key, nothing. No statement when there are no keys. */
  transfersByKey(keys: readonly OwnedKey[]): Promise<KeyedTransfer[]>;
  listTransfers(query: TransferListQuery): Promise<TransferList>;
  events(query: EventListQuery): Promise<EventList>;
  /** All pending transfers, by sender and nonce. */
  pendingTransfers(): Promise<StoredTransfer[]>;
  /** Pending transfers of these shards after their positions, by seq; at most `limit`. */
  pendingAfter(positions: readonly ShardPosition[], limit: number): Promise<StoredTransfer[]>;
  transfersBySeq(seqs: readonly number[]): Promise<StoredTransfer[]>;
  /** The nonces of these senders' pending transfers, as runs without a gap, by sender and nonce. */
  pendingNonces(accountIds: readonly number[]): Promise<NonceRun[]>;
  pendingNoncesOf(addresses: readonly string[]): Promise<NonceRun[]>;
  /** Pending transfers with a cancel requested, a client's or the time to live's. */
  cancelsRequested(): Promise<number[]>;
  /**
   * The pending transfers among these that have changed: those with a cancel requested now, and the present row of their seq if it is not
   * the very same payment.
   */
  pendingChanged(known: readonly StoredTransfer[]): Promise<StoredTransfer[]>;
  /** Hashes among these whose transfer is settled; upper-case hex, by its own hash. */
  settledAmong(hashes: readonly string[]): Promise<string[]>;
  shards(): Promise<StoredShard[]>;
  /** Everything that a group is checked against, except the transfers at its slots. */
  groupStanding(needs: GroupNeeds): Promise<GroupStanding>;
  bindings(addresses: readonly string[]): Promise<StoredBinding[]>;
  /** All of them, by address. */
  allBindings(): Promise<StoredBinding[]>;
  token(id: string): Promise<StoredToken | undefined>;
  tokens(): Promise<StoredToken[]>;
  /** Newest first. */
  tokenPage(query: TokenPageQuery): Promise<StoredToken[]>;
  /** Ordered by address. */
  bindingPage(query: BindingPageQuery): Promise<StoredBinding[]>;
  auditEntries(query: AuditQuery): Promise<StoredAuditEntry[]>;
  /** The id of the newest entry on a gateway's own start, refusal to start or stop; 0 without one. */
  lastProcessAudit(): Promise<number>;
  /** Webhook endpoints of all owners. */
  webhookCounts(): Promise<{ enabled: number; disabled: number }>;
  /** By the transfer's own hash or the hash it was executed as; upper-case hex. */
  submission(hash: string): Promise<StoredSubmission | undefined>;
}

/** Queries that are one statement each, and so a snapshot without a transaction around them. */
export type Questions = Pick<
  ReadTransaction,
  | 'governance'
  | 'transferByHash'
  | 'voidByHash'
  | 'cancelsRequested'
  | 'bindings'
  | 'allBindings'
  | 'token'
  | 'tokens'
  | 'tokenPage'
  | 'bindingPage'
  | 'auditEntries'
  | 'lastProcessAudit'
  | 'submission'
  | 'webhookCounts'
>;

/** Queries and changes under the write lock, durable together or not at all. */
export interface WriteTransaction extends ReadTransaction {
  /** The shards that this transaction has locked: all, unless it requested fewer. */
  locked(): Promise<readonly number[]>;
  /** Ids of so many new accounts and owners: the first of each. */
  takeIds(counts: IdCounts): Promise<IdCounts>;
  saveShards(shards: readonly StoredShard[]): Promise<void>;
  /**
   * Writes all that a group has changed. It may resolve before the database has answered: then the commit follows at once, and when the
   * database refuses one of them, nothing is committed and the transaction fails with that.
   */
  saveAccepted(rows: AcceptedRows): Promise<void>;
  takeFromOwners(settled: readonly OwnerSettled[]): Promise<void>;
  insertAccounts(accounts: readonly StoredAccount[]): Promise<void>;
  /** Inserts the rows, or replaces those with their ids. */
  saveAccounts(accounts: readonly StoredAccount[]): Promise<void>;
  insertTransfers(transfers: readonly NewTransfer[]): Promise<void>;
  /** Moves rows that are pending to those that are settled. Returns how many. */
  settleTransfers(settlements: readonly Settlement[]): Promise<number>;
  /** Once a block, with what it settled. `idOf`: the number of an account that a voided nonce is of. */
  appendEvents(events: BlockEvents, idOf: (address: string) => number): Promise<void>;
  /** The seqs of those that were written: the others are settled, or a cancel was requested before. */
  requestCancels(cancels: readonly CancelMark[], atMs: number): Promise<number[]>;
  /** Marks the oldest pending rows first seen at or before both moments, at most `limit`, and returns their seqs. */
  requestExpiry(seen: { uptimeMsMax: number; blockMsMax: number }, limit: number, atMs: number): Promise<number[]>;
  /** Marks pending rows whose validUntil is this second or earlier, the earliest first, at most `limit`, and returns their seqs. */
  requestValidityExpiry(validUntilMax: number, limit: number, atMs: number): Promise<number[]>;
  createFollower(state: FollowerState): Promise<void>;
  /**
   * Compare-and-set: false, and nothing written, unless the follower is at `height - 1` on the block `parentHash`. The verified height goes
   * with it when it was there too: blocks that an older version followed in between do not become verified by this.
   */
  advanceFollower(to: FollowerStep, parentHash: string): Promise<boolean>;
  saveUptime(uptimeMs: number): Promise<void>;
  saveGovernance(governance: StoredGovernance): Promise<void>;
  /** Adds the sets, or replaces those at their heights. */
  saveValidatorSets(sets: readonly StoredValidatorSet[]): Promise<void>;
  insertToken(token: StoredToken): Promise<void>;
  /** False when there is no such token or it was revoked before. */
  revokeToken(id: string, atMs: number): Promise<boolean>;
  /** Sets the time from which the token is refused, in place of any time set before. */
  expireToken(id: string, atMs: number): Promise<void>;
  setTokenScopes(id: string, scopes: readonly Scope[]): Promise<void>;
  /** Sets all limits: an absent one is the service's again. */
  setTokenLimits(id: string, limits: TokenLimits): Promise<void>;
  saveBinding(binding: StoredBinding): Promise<void>;
  /** The removed binding; undefined when the address was not bound. */
  removeBinding(address: string): Promise<StoredBinding | undefined>;
  /** Never sets a moment back. */
  markTokensUsed(uses: readonly TokenUse[]): Promise<void>;
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Announces the change to the other gateways on this store once this transaction is committed. Does nothing where there are none. As
   * `saveAccepted`, it may resolve early.
   */
  announce(change: Exclude<StoreChange, { kind: 'missed' }>): Promise<void>;
}

/** A change that one gateway has made durable and that the others on the same store need at once. A hint: the rows are authoritative. */
export type StoreChange =
  /** Transfers were accepted. */
  | { kind: 'accepted' }
  /** Cancels were requested. */
  | { kind: 'cancel_requested'; seqs: readonly number[] }
  /** The follower is at this height. */
  | { kind: 'applied'; height: number }
  /** The connection with the announcements was lost: anything may have happened. */
  | { kind: 'missed' };

/**
 * Operations of a store that several gateways use at once.
 *
 * A lease only saves work: its holder dispatches and follows, so that the others need not. Every promise holds with two holders too,
 * because a holder may be paused past the end of its lease at any step.
 */
export interface StoreSharing {
  /**
   * Takes the lease of this name, or renews it: true when `holder` has it for `ttlMs` from now, by the database's
   * clock; false while another holder's runs, unless `evenIfHeld`. Throws StoreUnavailableError.
   */
  holdLease(name: string, holder: string, ttlMs: number, evenIfHeld?: boolean): Promise<boolean>;
  /** Ends the holder's lease, so that the next one need not wait for its end. */
  dropLease(name: string, holder: string): Promise<void>;
  /** Calls the listener for changes that other gateways announced, in the order of their commits. Returns a function that ends it. */
  watch(listener: (change: StoreChange) => void): () => void;
}

/**
 * Other write transactions with which a transaction is serialised. `all`: every other but those that lock nothing. `none`: only those that
 * write the same row; for one statement. Shards: those that have one of them, and `all`; where it does not wait it has only those that are
 * free, which `WriteTransaction.locked` returns. Where the store has one writer, everything is serialised.
 */
export type Turn = 'all' | 'none' | { shards: readonly number[]; waits: boolean };

/** Stopwatches of a store: transactions from the request for a connection to their end, and the commits of those that write. */
export interface StoreStopwatches {
  read: Stopwatch;
  write: Stopwatch;
  commit: Stopwatch;
}

/** Each answer is of one moment of the primary. */
export interface TransferQuestions {
  /** As `Questions.transferByHash`. */
  transferByHash(hash: string): Promise<StoredTransfer | undefined>;
  /** `addresses`: those that the query names. */
  listTransfers(addresses: readonly string[], queryOf: ListQueryOf): Promise<TransferList>;
  /** With the height up to which there are events. */
  events(query: EventListQuery): Promise<{ found: EventList; height: number }>;
}

export interface Store {
  /** Absent where there is no pool of them. */
  connections?(): ConnectionCounts;
  /**
   * Moves to another address of the same database. Only on PostgreSQL. Rejects with RelocationRefusedError or StoreUnavailableError, and
   * then stays where it is.
   * @param known the last block that this gateway has seen applied.
   */
  relocate?(url: string, known: StorePlace): Promise<void>;
  /** Absent where there are no standbys; undefined before the first check. */
  standbys?(): StandbyCounts | undefined;
  /** Its own implementation of these, where settled rows may be read from other servers too. */
  readonly transfers?: TransferQuestions;
  /** The servers that settled rows are read from; undefined while none is named. */
  replicas?(): ReplicaFigures | undefined;
  /** Other such servers, or none. Only on PostgreSQL. */
  useReplicas?(url: string | undefined): Promise<void>;
  /** Absent where one process has the store for itself. */
  readonly sharing?: StoreSharing;
  /** Ranges of ids for new accounts and owners. */
  readonly ids: IdRanges;
  /** Number of shards of senders in the database. */
  readonly shards: number;
  /**
   * Runs `work` in one write transaction and resolves when it is durable (fsynced). Write transactions are serialised, also between
   * processes that share the store, so that no two of them count on the same funds; `turn` restricts that where not all have to wait for
   * each other. Throws StoreUnavailableError or StoreConflictError when nothing was written, StoreOutcomeUnknownError when that cannot be
   * determined, and whatever `work` throws after rolling back.
   */
  write<T>(work: (tx: WriteTransaction) => Promise<T>, turn?: Turn): Promise<T>;
  /** Runs `work` on one snapshot; it waits for no writer. Throws StoreUnavailableError. */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /** One question at a time, as of now. Each throws StoreUnavailableError. */
  readonly now: Questions;
  close(): Promise<void>;
}

/** Queries for tokens, bindings and the audit trail. */
export type AdminQuestions = Pick<
  ReadTransaction,
  | 'bindings'
  | 'allBindings'
  | 'token'
  | 'tokens'
  | 'tokenPage'
  | 'bindingPage'
  | 'auditEntries'
  | 'lastProcessAudit'
  | 'submission'
>;

/** Their changes in a database. */
export type AdminTransaction = AdminQuestions &
  Pick<
    WriteTransaction,
    | 'insertToken'
    | 'revokeToken'
    | 'expireToken'
    | 'setTokenScopes'
    | 'setTokenLimits'
    | 'saveBinding'
    | 'removeBinding'
    | 'markTokensUsed'
    | 'appendAudit'
  >;

/** The part of a `Store` that administration needs. */
export interface AdminStore {
  /** As `Store.write`. */
  write<T>(work: (tx: AdminTransaction) => Promise<T>): Promise<T>;
  readonly now: AdminQuestions;
  close(): Promise<void>;
}
