/**
 * The tables of a gateway's database, with the order of their rows in a backup: that of their keys, so that two backups of the same rows
 * are the same bytes. Leases are left out: their holders are sessions, which no copy can have.
 */
import { BY_SHARDS } from '../migrations/index.ts';
import type { Tables } from '../schema.ts';

export type BackupTable = Exclude<keyof Tables, 'leases'>;

export const ORDER_OF: Readonly<Record<BackupTable, string>> = {
  accounts: 'id',
  address_bindings: 'address',
  audit: 'id',
  counters: 'id',
  events: 'height, idx',
  follower: 'id',
  governance: 'id',
  idempotency_keys: 'owner_id, idempotency_key',
  owner_pending: 'owner_id, shard',
  owners: 'id',
  pending: 'seq',
  shards: 'id',
  tokens: 'id',
  transfers: 'seq',
  unknown_voids: 'height, idx',
  validator_sets: 'height',
  webhook_audit: 'id',
  webhook_deliveries: 'webhook_id, seq',
  webhook_work: 'id',
  webhooks: 'id',
};

export const BACKUP_TABLES = Object.keys(ORDER_OF) as BackupTable[];

const SINCE_SHARDS: readonly BackupTable[] = ['owner_pending', 'pending', 'shards'];

/** Tables of a backup whose tables were made by these migrations. */
export const tablesMadeBy = (made: readonly string[]): BackupTable[] =>
  made.includes(BY_SHARDS) ? BACKUP_TABLES : BACKUP_TABLES.filter((table) => !SINCE_SHARDS.includes(table));

/** The file of a table's rows: one JSON object on each line, as PostgreSQL writes it. */
export const rowsFile = (table: BackupTable): string => `gateway-${table}.jsonl`;

export interface GatewayFacts {
  chainId: string;
  genesisHash: string;
  height: number;
  /** '' before the first block. */
  blockHash: string;
  blockTimeMs: number;
  supply: bigint;
  counts: Record<
    'transfers' | 'pending' | 'accounts' | 'tokens' | 'addressBindings' | 'webhooks' | 'events' | 'auditEntries',
    number
  >;
}

/** The same SQL on SQLite and PostgreSQL. */
export const FOLLOWER_SQL = 'select chain_id, genesis_hash, height, hash, block_time_ms from follower';
/** A database that an earlier version made, and this one has not opened yet, has no table of webhooks and none of pending transfers. */
export const countsSql = (has: {
  webhooks: boolean;
  pending: boolean;
}): string => `select (select count(*) from transfers) + ${has.pending ? '(select count(*) from pending)' : '0'} as transfers,
  (select count(*) from ${has.pending ? 'pending' : 'transfers where status = 0'}) as pending,
  (select count(*) from accounts where on_chain = 1) as accounts, (select count(*) from tokens) as tokens, (select count(*) from address_bindings) as bindings,
  ${has.webhooks ? '(select count(*) from webhooks)' : '0'} as webhooks, (select count(*) from events) as events, (select count(*) from audit) as audit`;

export interface FollowerRow {
  chain_id: string;
  genesis_hash: string;
  height: number;
  hash: string;
  block_time_ms: number;
}

export type CountsRow = Record<
  'transfers' | 'pending' | 'accounts' | 'tokens' | 'bindings' | 'webhooks' | 'events' | 'audit',
  number
>;

export function gatewayFacts(
  follower: FollowerRow,
  { bindings, audit, ...counts }: CountsRow,
  supply: bigint,
): GatewayFacts {
  return {
    chainId: follower.chain_id,
    genesisHash: follower.genesis_hash,
    height: follower.height,
    blockHash: follower.hash,
    blockTimeMs: follower.block_time_ms,
    supply,
    counts: { ...counts, addressBindings: bindings, auditEntries: audit },
  };
}
