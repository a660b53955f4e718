/**
 * The tables as Kysely sees them. The migrations make them; this file only types them.
 *
 * Amounts are decimal text, because 2^128 fits no portable integer column. Hashes and signatures are bytes: a hash is in a row and in an
 * index, and text would double both. Transfers name accounts by a small number instead of a 62-character address, which keeps six indexes a
 * fifth of the size. Times are milliseconds since 1970.
 */
import type { WebhookTables } from './webhooks/tables.ts';

/** One row, id 2: from which the ids of new accounts and owners are taken, many at a time. */
export interface CountersTable {
  id: number;
  next_account_id: number;
  next_owner_id: number;
}

/** Locking their rows is how writers take turns (shards.ts). */
export interface ShardsTable {
  /** 0, 1, 2, ... */
  id: number;
  last_seq: number;
  /** In a database that had no shards once, only the sum over all is right. */
  pending: number;
}

/** One row, id 1: the last block that the projection has. */
export interface FollowerTable {
  id: number;
  chain_id: string;
  genesis_hash: string;
  height: number;
  /** Hash of the block at `height`, 64 upper-case hex digits; '' at height 0. */
  hash: string;
  block_time_ms: number;
  /** Time that gateways have been running on this store, added up over restarts. */
  uptime_ms: number;
  /** Up to here the chain was verified by its validators' signatures; lower than `height` where an older version followed. */
  verified_height: number;
}

/** One row, id 1. */
export interface GovernanceTable {
  id: number;
  /** JSON of a StoredGovernance. */
  record: string;
}

/** The validators that sign from a height on. Rows are added, never changed. */
export interface ValidatorSetsTable {
  height: number;
  /** JSON array of {publicKey, power}, sorted by key. */
  validators: string;
}

export interface AccountsTable {
  id: number;
  address: string;
  /** 1 when the account exists on the chain; 0 when it is only named as a receiver so far. */
  on_chain: number;
  balance: string;
  nonce: number;
  /** Hex of the void map, '' when empty; bit i is for nonce + i. */
  voids: string;
  /** Sum of the amounts of the account's pending transfers. */
  reserved: string;
}

/**
 * Transfers that no block has decided. A row is changed only when its cancel is requested, and goes to `transfers` with the block that
 * decides.
 */
export interface PendingTable {
  /** Order in which this service first saw them. */
  seq: number;
  hash: Uint8Array;
  from_id: number;
  to_id: number;
  amount: string;
  nonce: number;
  signature: Uint8Array;
  owner_id: number | null;
  /** The reason why this service expires it. */
  reason: number | null;
  first_seen_at_ms: number;
  /** Block time and uptime when it was accepted: its time to live is measured in both. */
  seen_block_ms: number;
  seen_uptime_ms: number;
  /** Only where an earlier version recorded it; settlement writes the value from memory. */
  broadcast_at_ms: number | null;
  cancel_requested_at_ms: number | null;
  expiry_requested_at_ms: number | null;
  /** The token that submitted it; null when there was none, or it was accepted before this column existed. */
  token_id: string | null;
  /** The token that requested its cancel first. */
  cancel_token_id: string | null;
  reference: string | null;
  /** Unix seconds. */
  valid_until: number | null;
}

/** Transfers that blocks have decided. Rows are added with the block, and never changed. */
export interface TransfersTable {
  seq: number;
  hash: Uint8Array;
  from_id: number;
  to_id: number;
  amount: string;
  nonce: number;
  signature: Uint8Array;
  /** Owner that submitted it; null when it was first seen in a block. */
  owner_id: number | null;
  status: number;
  reason: number | null;
  /** The payment or cancel that took the nonce. */
  reason_hash: Uint8Array | null;
  executed_as: Uint8Array | null;
  first_seen_at_ms: number;
  seen_block_ms: number;
  seen_uptime_ms: number;
  broadcast_at_ms: number | null;
  cancel_requested_at_ms: number | null;
  expiry_requested_at_ms: number | null;
  height: number | null;
  block_time_ms: number | null;
  token_id: string | null;
  cancel_token_id: string | null;
  reference: string | null;
  valid_until: number | null;
}

export interface OwnersTable {
  id: number;
  name: string;
}

/** Number of an owner's pending transfers, by the shard of their senders. Only the sum has a meaning. */
export interface OwnerPendingTable {
  owner_id: number;
  shard: number;
  pending: number;
}

export interface TokensTable {
  id: string;
  secret_sha256: Uint8Array;
  owner: string;
  /** JSON array of scopes. */
  scopes: string;
  created_at_ms: number;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  /** To the minute. */
  last_used_at_ms: number | null;
  /** Null where the limit of the service applies. */
  rate_per_s: number | null;
  pending_max: number | null;
}

export interface AddressBindingsTable {
  address: string;
  owner: string;
  bound_at_ms: number;
}

/** Idempotency-Keys of owners with their transfers, as long as the transfer is kept. Rows are added, never changed. */
export interface IdempotencyKeysTable {
  owner_id: number;
  /** The text inside the quotes of the header. */
  idempotency_key: string;
  /** Seq of the transfer. */
  seq: number;
}

/** The event log, in the order of the chain. Rows are added, never changed. */
export interface EventsTable {
  height: number;
  idx: number;
  /** Seq of the transfer that was settled; null where the row is in `unknown_voids`. */
  seq: number | null;
}

/** Nonces that were voided when no transfer of this store was pending at them. Rows are added, never changed. */
export interface UnknownVoidsTable {
  height: number;
  idx: number;
  /** The transfer that the cancel names. */
  hash: Uint8Array;
  from_id: number;
  nonce: number;
  block_time_ms: number;
}

/** Used where several gateways share a database. */
export interface LeasesTable {
  name: string;
  holder: string;
  /** By the database's clock. */
  until_ms: number;
  /** Key of the advisory lock that the holder's session has. */
  session_key: number | null;
}

/** The audit trail. The database refuses to change or remove a row. */
export interface AuditTable {
  /** 1, 2, 3, ... in the order of the commits. */
  id: number;
  at_ms: number;
  actor: string;
  action: string;
  subject: string;
  /** JSON object. */
  details: string;
}

export interface Tables extends WebhookTables {
  counters: CountersTable;
  shards: ShardsTable;
  follower: FollowerTable;
  governance: GovernanceTable;
  validator_sets: ValidatorSetsTable;
  accounts: AccountsTable;
  pending: PendingTable;
  transfers: TransfersTable;
  owners: OwnersTable;
  owner_pending: OwnerPendingTable;
  tokens: TokensTable;
  address_bindings: AddressBindingsTable;
  idempotency_keys: IdempotencyKeysTable;
  events: EventsTable;
  unknown_voids: UnknownVoidsTable;
  leases: LeasesTable;
  audit: AuditTable;
}
