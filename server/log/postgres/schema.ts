/**
 * The tables of a log in PostgreSQL: `log`, an entry a row, in partitions of its numbers so that old entries go without a row being deleted; and
 * `log_state`, one row, which names the chain and the place before the first entry that is left.
 */
import { Buffer } from 'node:buffer';
import type { PostgresClient } from '../../store/postgres/library.ts';
import { firstEntry, type LogChain, LogDamagedError, type LogPlace, LogVersionError } from '../log.ts';

/** Version of the tables; an entry has a format of its own. */
const TABLES_VERSION = 1;
/** Entries of one partition: a busy log fills it in minutes, and a year of such a log has some thousands at most. */
export const PARTITION_ENTRIES = 2 ** 18;
/** Two gateways that start at once make the tables one after the other; the number is any that nothing else takes. */
const CREATION_LOCK = 0x7478_6c6f;

/** `external`: entries are hashes and signatures, so to compress one costs time and saves nothing. */
const TABLES = `
  create table log (seq bigint primary key, hash bytea not null, bytes bytea not null) partition by range (seq);
  alter table log alter column bytes set storage external;
  create table log_state (id int primary key check (id = 1), version int not null, chain_id text not null, genesis_hash text not null,
    base_seq bigint not null, base_hash bytea not null, confirmed bigint not null);
`;

interface StateRow {
  version: number;
  chain_id: string;
  genesis_hash: string;
  base_seq: number;
  base_hash: string;
}

const STATE = `select version, chain_id, genesis_hash, base_seq, encode(base_hash, 'hex') as base_hash from log_state`;

export interface CreateOptions {
  chain: LogChain;
  /** Place before the first entry of an empty log; entry 0 of its chain when absent. */
  base?: LogPlace | undefined;
  /** The database, as the operator's configuration names it. */
  where: string;
}

/** Makes the tables where there are none. Throws LogDamagedError for the log of another chain, and LogVersionError for one of a later version. */
export async function ensureTables(
  client: PostgresClient,
  { chain, base = firstEntry(chain), where }: CreateOptions,
): Promise<void> {
  if (!(await isTable(client, 'log_state'))) await createTables(client, chain, base);
  const { rows } = await client.query<StateRow>(STATE);
  const [state] = rows;
  if (state === undefined) throw new LogDamagedError(`${where} has a table log_state without a row: it is no log`);
  if (state.version > TABLES_VERSION)
    throw new LogVersionError(
      `${where} has a log of version ${state.version}, and this program knows ${TABLES_VERSION}: a later version wrote it; run that one`,
    );
  if (state.chain_id !== chain.chainId || state.genesis_hash !== chain.genesisHash)
    throw new LogDamagedError(
      `${where} has the log of chain ${state.chain_id} with genesis ${state.genesis_hash}, and this gateway is of ${chain.chainId} with ${chain.genesisHash}`,
    );
}

/** By a query of the catalog: `to_regclass` may answer from before the wait for a lock. */
async function isTable(client: PostgresClient, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and c.relname = $1',
    [name],
  );
  return rowCount === 1;
}

async function createTables(client: PostgresClient, chain: LogChain, base: LogPlace): Promise<void> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [CREATION_LOCK]);
    if (!(await isTable(client, 'log_state'))) {
      await client.query(TABLES);
      await client.query('insert into log_state values (1, $1, $2, $3, $4, $5, 0)', [
        TABLES_VERSION,
        chain.chainId,
        chain.genesisHash,
        base.seq,
        Buffer.from(base.hash),
      ]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Makes the partition of an entry. Attached, not created in its place, because that would wait for all readers of the log. */
export async function addPartition(client: PostgresClient, seq: number): Promise<void> {
  const at = Math.floor(seq / PARTITION_ENTRIES);
  const [from, to] = [at * PARTITION_ENTRIES, (at + 1) * PARTITION_ENTRIES];
  const name = `log_${at}`;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [CREATION_LOCK]);
    if (!(await isTable(client, name))) {
      await client.query(
        `create table ${name} (like log including defaults including constraints including storage, check (seq >= ${from} and seq < ${to}))`,
      );
      await client.query(`alter table log attach partition ${name} for values from (${from}) to (${to})`);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Drops the partitions whose entries all come before `seq`, and records the place before those that are left. @returns the number of
 * dropped partitions.
 */
export async function dropPartitions(client: PostgresClient, seq: number): Promise<number> {
  const end = Math.floor(seq / PARTITION_ENTRIES) * PARTITION_ENTRIES;
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [CREATION_LOCK]);
    const { rows: last } = await client.query<{ hash: string }>(
      `select encode(hash, 'hex') as hash from log where seq = $1`,
      [end - 1],
    );
    const { rows: parts } = await client.query<{ name: string; at: number }>(
      `select c.relname as name, substr(c.relname, 5)::int as at from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'log'::regclass`,
    );
    const old = parts.filter(({ at }) => (at + 1) * PARTITION_ENTRIES <= end);
    const hash = last[0]?.hash;
    if (old.length === 0 || hash === undefined) {
      await client.query('rollback');
      return 0;
    }
    await client.query('update log_state set base_seq = $1, base_hash = $2', [end - 1, Buffer.from(hash, 'hex')]);
    for (const { name } of old) await client.query(`drop table ${name}`);
    await client.query('commit');
    return old.length;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
