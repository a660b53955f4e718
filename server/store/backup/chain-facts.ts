/** Counts of a chain.db: for the manifest of a backup, and compared again when it is verified. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type AuditHead, auditHead, hasAuditChain } from '../embedded/audit-chain.ts';
import { accessBehind, attachLog } from '../embedded/chain-log.ts';
import { decodeEntries } from '../embedded/journal.ts';
import { openReadOnly, type SqliteConnection } from '../sqlite/library.ts';

export interface ChainFileFacts {
  chainId: string;
  genesisHash: string;
  height: number;
  /** Absent before the first block. */
  tip: { blockHash: Buffer; appHash: Buffer; timeNs: bigint } | undefined;
  lastSigned: { height: number; round: number; step: number } | undefined;
  supply: bigint;
  /** The last line of the audit trail; undefined where an earlier version wrote the file. */
  audit: AuditHead | undefined;
  counts: Record<
    'transfers' | 'pending' | 'accounts' | 'tokens' | 'addressBindings' | 'webhooks' | 'events' | 'auditEntries',
    number
  >;
}

const COUNTS = {
  accounts: 'SELECT count(*) FROM accounts WHERE leaf IS NOT NULL',
  tokens: 'SELECT count(*) FROM tokens',
  addressBindings: 'SELECT count(*) FROM address_bindings',
  webhooks: 'SELECT count(*) FROM webhooks',
  events: 'SELECT count(*) FROM events',
  auditEntries: 'SELECT count(*) FROM audit',
} as const;

const ADDED_TABLES: readonly string[] = ['events', 'webhooks'];

export const countOf = (sql: SqliteConnection, query: string): number => Number(sql.prepare(query).pluck().get());

/** Undefined for a database without a chain: a command line may have made it for a token. */
export function factsOfChain(sql: SqliteConnection): ChainFileFacts | undefined {
  if (countOf(sql, "SELECT count(*) FROM sqlite_schema WHERE name = 'chain'") === 0) return undefined;
  const chain = sql.prepare('SELECT chain_id AS chainId, genesis_hash AS genesisHash FROM chain').get() as
    | { chainId: string; genesisHash: string }
    | undefined;
  if (chain === undefined) return undefined;
  const tip = sql
    .prepare(
      'SELECT height, hash AS blockHash, app_hash AS appHash, time_ns AS timeNs FROM blocks ORDER BY height DESC LIMIT 1',
    )
    .safeIntegers(true)
    .get() as { height: bigint; blockHash: Buffer; appHash: Buffer; timeNs: bigint } | undefined;
  const lastSigned = sql.prepare('SELECT height, round, step FROM sign_state').get() as ChainFileFacts['lastSigned'];
  let supply = 0n;
  for (const balance of sql
    .prepare('SELECT balance FROM accounts WHERE leaf IS NOT NULL')
    .pluck()
    .iterate() as Iterable<string>)
    supply += BigInt(balance);
  let waiting = 0;
  for (const entries of sql.prepare('SELECT entries FROM journal').pluck().iterate() as Iterable<string>) {
    waiting += decodeEntries(entries).filter(({ kind }) => kind === 'accepted').length;
  }
  // Contract 1.5.0 kept no event log, and earlier versions kept webhooks in a file of their own.
  const isThere = (name: string): boolean =>
    !ADDED_TABLES.includes(name) ||
    countOf(sql, `SELECT count(*) FROM sqlite_schema WHERE name = '${name}' AND type = 'table'`) > 0;
  const counts = Object.fromEntries(
    Object.entries(COUNTS).map(([name, query]) => [name, isThere(name) ? countOf(sql, query) : 0]),
  ) as Record<keyof typeof COUNTS, number>;
  if (!isThere('webhooks')) counts.webhooks = oldWebhooksBeside(sql.name);
  countAccess(sql, counts);
  return {
    ...chain,
    height: Number(tip?.height ?? 0n),
    tip,
    lastSigned,
    supply,
    audit: hasAuditChain(sql) ? auditHead(sql) : undefined,
    counts: {
      transfers: countOf(sql, 'SELECT count(*) FROM transfers') + waiting,
      pending: countOf(sql, 'SELECT count(*) FROM pending') + waiting,
      ...counts,
    },
  };
}

/** Changes of access and webhooks that the log has and the rows do not have. */
function countAccess(sql: SqliteConnection, counts: Record<keyof typeof COUNTS, number>): void {
  const writes = accessBehind(sql);
  if (writes.length === 0) return;
  const bound = new Set(sql.prepare('SELECT address FROM address_bindings').pluck().all() as string[]);
  for (const write of writes) {
    if (write[0] === 'insertToken') counts.tokens += 1;
    if (write[0] === 'insertWebhook') counts.webhooks += 1;
    if (write[0] === 'deleteWebhook') counts.webhooks -= 1;
    if (write[0] === 'appendAudit') counts.auditEntries += write[1].length;
    if (write[0] === 'saveBinding') bound.add(write[1].address);
    if (write[0] === 'removeBinding') bound.delete(write[1]);
  }
  counts.addressBindings = bound.size;
}

/** In the file of an earlier version. */
function oldWebhooksBeside(chainFile: string): number {
  const file = path.join(path.dirname(chainFile), 'webhooks.db');
  if (!existsSync(file)) return 0;
  return onFile(file, (sql) => countOf(sql, 'SELECT count(*) FROM webhooks'));
}

/** The same of chain.db, with the table `journal` that the log beside it gives. */
export const onChain = <T>(file: string, ask: (sql: SqliteConnection) => T): T =>
  onFile(file, (sql) => {
    attachLog(sql, file);
    return ask(sql);
  });

/** Opens a file for one query. */
export function onFile<T>(file: string, ask: (sql: SqliteConnection) => T): T {
  const sql = openReadOnly(file);
  try {
    return ask(sql);
  } finally {
    sql.close();
  }
}
