/**
 * Finding transfers: by hash, by slot, and the pending ones. Lists have a file of their own.
 *
 * A query of both tables is one statement, so that no transfer is missed that a block moves from one to the other meanwhile.
 */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { bytesOfHash, hexOfHash } from '../hash-bytes.ts';
import type { NonceRun, RowsOf, ShardPosition, Slot, StoredTransfer } from '../types.ts';
import type { QueryContext } from './context.ts';
import { settledSeqOf } from './settled-by-hash.ts';
import { selectPending, selectSettled, selectTransfers, transferOfRow } from './transfer-row.ts';

/** True for a row `w` whose hash no pending transfer has. */
const isNotPending = sql`not exists (select 1 from pending p where p.hash = w.hash)`;

export async function transferByHash(
  { db, fragments }: QueryContext,
  hash: string,
  of?: RowsOf,
): Promise<StoredTransfer | undefined> {
  const bytes = bytesOfHash(hash);
  const [pending, settled] = [
    sql`from pending t where t.hash = ${bytes}`,
    sql`from transfers t where t.seq = ${settledSeqOf(fragments, sql`${bytes}`)} or t.executed_as = ${bytes}`,
  ];
  const select =
    of === 'pending'
      ? selectPending(pending)
      : of === 'settled'
        ? selectSettled(settled)
        : selectTransfers({ pending, settled });
  const { rows } = await select.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : transferOfRow(row);
}

export async function transfersByHash(
  { db, fragments }: QueryContext,
  hashes: readonly string[],
): Promise<StoredTransfer[]> {
  if (hashes.length === 0) return [];
  const wanted = fragments.rowset(
    { hash: 'bytes' },
    hashes.map((hash) => [hash]),
  );
  // Pending transfers need no search in the history. For each index a part of its own: one join by either of them would read the table.
  const { rows } = await selectTransfers({
    pending: sql`from ${wanted} w join pending t on t.hash = w.hash`,
    settled: sql`from (
      select ${settledSeqOf(fragments, sql`w.hash`)} as seq from ${wanted} w where ${isNotPending}
      union select t.seq from ${wanted} w join transfers t on t.executed_as = w.hash
    ) x join transfers t on t.seq = x.seq`,
  }).execute(db);
  return rows.map(transferOfRow);
}

export async function transfersAt({ db, fragments }: QueryContext, slots: readonly Slot[]): Promise<StoredTransfer[]> {
  if (slots.length === 0) return [];
  const wanted = fragments.rowset(
    { address: 'text', nonce: 'integer' },
    slots.map(({ from, nonce }) => [from, nonce]),
  );
  const senders = sql`from ${wanted} w join accounts a on a.address = w.address`;
  const { rows } = await selectTransfers({
    pending: sql`${senders} join pending t on t.from_id = a.id and t.nonce = w.nonce`,
    settled: sql`${senders} join transfers t on t.from_id = a.id and t.nonce = w.nonce`,
  }).execute(db);
  return rows.map(transferOfRow);
}

/** The same of one sender, by its id. */
export async function transfersAtSlot({ db }: QueryContext, fromId: number, nonce: number): Promise<StoredTransfer[]> {
  const atSlot = sql`where t.from_id = ${fromId} and t.nonce = ${nonce}`;
  const { rows } = await selectTransfers({
    pending: sql`from pending t ${atSlot}`,
    settled: sql`from transfers t ${atSlot}`,
  }).execute(db);
  return rows.map(transferOfRow);
}

export async function transfersBySeq(
  { db, fragments }: QueryContext,
  seqs: readonly number[],
): Promise<StoredTransfer[]> {
  if (seqs.length === 0) return [];
  const wanted = fragments.rowset(
    { seq: 'integer' },
    seqs.map((seq) => [seq]),
  );
  const { rows } = await selectTransfers(
    {
      pending: sql`from ${wanted} w join pending t on t.seq = w.seq`,
      settled: sql`from ${wanted} w join transfers t on t.seq = w.seq`,
    },
    sql`order by t.seq desc`,
  ).execute(db);
  return rows.map(transferOfRow);
}

export async function pendingTransfers({ db }: QueryContext): Promise<StoredTransfer[]> {
  const { rows } = await selectPending(sql`from pending t`, sql`order by t.from_id, t.nonce`).execute(db);
  return rows.map(transferOfRow);
}

/** A range of the primary key from the furthest position back, of which the rows behind their own shard's position are left. */
export async function pendingAfter(
  { db, fragments }: QueryContext,
  shards: number,
  positions: readonly ShardPosition[],
  limit: number,
): Promise<StoredTransfer[]> {
  if (positions.length === 0) return [];
  const after = fragments.rowset(
    { shard: 'integer', seq: 'integer' },
    positions.map(({ id, seq }) => [id, seq]),
  );
  const from = Math.min(...positions.map(({ seq }) => seq));
  // The limit is inside: a planner would join the names to all pending rows first.
  const { rows } = await selectPending(
    sql`from (
      select p.* from pending p where p.seq > ${from} and p.seq > (select w.seq from ${after} w where w.shard = p.seq % ${sql.lit(shards)}) order by p.seq limit ${limit}
    ) t`,
    sql`order by t.seq`,
  ).execute(db);
  return rows.map(transferOfRow);
}

export async function pendingNonces(
  { db, fragments }: QueryContext,
  accountIds: readonly number[],
): Promise<NonceRun[]> {
  if (accountIds.length === 0) return [];
  const wanted = fragments.rowset(
    { from_id: 'integer' },
    accountIds.map((id) => [id]),
  );
  return await runsOf(db, sql`${wanted} w join pending t on t.from_id = w.from_id`);
}

export async function pendingNoncesOf(
  { db, fragments }: QueryContext,
  addresses: readonly string[],
): Promise<NonceRun[]> {
  if (addresses.length === 0) return [];
  const wanted = fragments.rowset(
    { address: 'text' },
    addresses.map((address) => [address]),
  );
  return await runsOf(db, sql`${wanted} w join accounts a on a.address = w.address join pending t on t.from_id = a.id`);
}

/** `pending`: what follows `from`, with the pending transfers as `t`. */
async function runsOf(db: QueryContext['db'], pending: RawBuilder<unknown>): Promise<NonceRun[]> {
  // Nearly every sender has one run, for which counting is enough. Along a run the nonce and the row number rise together, so their
  // difference names the run.
  const { rows } = await sql<{ from_id: number; first: number; count: number; cancelled: number | null }>`
    with held as (
      select t.from_id, t.nonce, case when t.cancel_requested_at_ms is not null or t.expiry_requested_at_ms is not null then t.nonce end as cancelled from ${pending}
    ), counted as (
      select from_id, min(nonce) as first, max(nonce) as last, count(*) as count, min(cancelled) as cancelled from held group by from_id
    )
    select from_id, first, count, cancelled from counted where last - first + 1 = count
    union all
    select from_id, min(nonce) as first, count(*) as count, min(cancelled) as cancelled from (
      select from_id, nonce, cancelled, nonce - row_number() over (partition by from_id order by nonce) as run
      from held where from_id in (select from_id from counted where last - first + 1 <> count)
    ) apart group by from_id, run
    order by from_id, first`.execute(db);
  return rows.map((row) => ({
    fromId: row.from_id,
    first: row.first,
    count: row.count,
    ...(row.cancelled === null ? {} : { cancelled: row.cancelled }),
  }));
}

export async function cancelsRequested({ db }: QueryContext): Promise<number[]> {
  const { rows } = await sql<{
    seq: number;
  }>`select seq from pending where cancel_requested_at_ms is not null or expiry_requested_at_ms is not null order by seq`.execute(
    db,
  );
  return rows.map((row) => row.seq);
}

const PAYMENT_COLUMNS = {
  seq: 'integer',
  hash: 'bytes',
  from_id: 'integer',
  to_id: 'integer',
  nonce: 'integer',
  amount: 'text',
  reference: 'text',
  valid_until: 'integer',
} as const;

export async function pendingChanged(
  { db, fragments }: QueryContext,
  known: readonly StoredTransfer[],
): Promise<StoredTransfer[]> {
  if (known.length === 0) return [];
  const wanted = fragments.rowset(
    PAYMENT_COLUMNS,
    known.map((t) => [
      t.seq,
      t.hash,
      t.fromId,
      t.toId,
      t.nonce,
      t.amount.toString(),
      t.reference ?? null,
      t.validUntil ?? null,
    ]),
  );
  const { rows } = await selectPending(
    sql`from ${wanted} w join pending t on t.seq = w.seq where t.cancel_requested_at_ms is not null or t.expiry_requested_at_ms is not null
      or t.hash <> w.hash or t.from_id <> w.from_id or t.to_id <> w.to_id or t.nonce <> w.nonce or t.amount <> w.amount
      or t.reference is distinct from w.reference or t.valid_until is distinct from w.valid_until`,
  ).execute(db);
  return rows.map(transferOfRow);
}

export async function settledAmong({ db, fragments }: QueryContext, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const wanted = fragments.rowset(
    { hash: 'bytes' },
    hashes.map((hash) => [hash]),
  );
  const { rows } = await sql<{
    hash: Uint8Array;
  }>`select w.hash from ${wanted} w where ${isNotPending} and ${settledSeqOf(fragments, sql`w.hash`)} is not null`.execute(
    db,
  );
  return rows.map((row) => hexOfHash(row.hash));
}
