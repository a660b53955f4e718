/** Finding transfers: by hash, by slot, and the pending ones. Lists have a file of their own. */
import { sql } from 'kysely';
import type { NonceRun, Slot, StoredTransfer } from '../types.ts';
import type { QueryContext } from './context.ts';
import type { TransferRow } from './transfer-row.ts';
import { bytesOfHash, hexOfHash, TRANSFER_COLUMNS, TRANSFER_JOINS, transferOfRow } from './transfer-row.ts';

export async function transferByHash({ db }: QueryContext, hash: string): Promise<StoredTransfer | undefined> {
  const bytes = bytesOfHash(hash);
  const { rows } = await sql<TransferRow>`select ${TRANSFER_COLUMNS} from transfers t ${TRANSFER_JOINS}
    where t.hash = ${bytes} or t.executed_as = ${bytes}`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : transferOfRow(row);
}

export async function transfersByHash({ db, fragments }: QueryContext, hashes: readonly string[]): Promise<StoredTransfer[]> {
  if (hashes.length === 0) return [];
  const wanted = fragments.rowset({ hash: 'bytes' }, hashes.map((hash) => [hash]));
  // A join for each index: one join by either of them would read the table.
  const { rows } = await sql<TransferRow>`select ${TRANSFER_COLUMNS} from (
      select t.seq from ${wanted} w join transfers t on t.hash = w.hash
      union select t.seq from ${wanted} w join transfers t on t.executed_as = w.hash
    ) x join transfers t on t.seq = x.seq ${TRANSFER_JOINS}`.execute(db);
  return rows.map(transferOfRow);
}

export async function transfersAt({ db, fragments }: QueryContext, slots: readonly Slot[]): Promise<StoredTransfer[]> {
  if (slots.length === 0) return [];
  const wanted = fragments.rowset({ from_id: 'integer', nonce: 'integer' }, slots.map((slot) => [slot.fromId, slot.nonce]));
  const { rows } = await sql<TransferRow>`select ${TRANSFER_COLUMNS} from ${wanted} w
    join transfers t on t.from_id = w.from_id and t.nonce = w.nonce ${TRANSFER_JOINS}`.execute(db);
  return rows.map(transferOfRow);
}

export async function transfersBySeq({ db, fragments }: QueryContext, seqs: readonly number[]): Promise<StoredTransfer[]> {
  if (seqs.length === 0) return [];
  const wanted = fragments.rowset({ seq: 'integer' }, seqs.map((seq) => [seq]));
  const { rows } = await sql<TransferRow>`select ${TRANSFER_COLUMNS} from ${wanted} w
    join transfers t on t.seq = w.seq ${TRANSFER_JOINS} order by t.seq desc`.execute(db);
  return rows.map(transferOfRow);
}

export async function pendingTransfers({ db }: QueryContext): Promise<StoredTransfer[]> {
  const { rows } = await sql<TransferRow>`select ${TRANSFER_COLUMNS} from transfers t ${TRANSFER_JOINS}
    where t.status = 0 order by t.from_id, t.nonce`.execute(db);
  return rows.map(transferOfRow);
}

export async function pendingAfter({ db }: QueryContext, seq: number, limit: number): Promise<StoredTransfer[]> {
  // The limit is inside: pending rows are the newest ones, of which a planner expects few, and would join them all first.
  const { rows } = await sql<TransferRow>`select ${TRANSFER_COLUMNS} from (
      select * from transfers where status = 0 and seq > ${seq} order by seq limit ${limit}
    ) t ${TRANSFER_JOINS} order by t.seq`.execute(db);
  return rows.map(transferOfRow);
}

export async function pendingNonces({ db, fragments }: QueryContext, accountIds: readonly number[]): Promise<NonceRun[]> {
  if (accountIds.length === 0) return [];
  const wanted = fragments.rowset({ from_id: 'integer' }, accountIds.map((id) => [id]));
  // Along a run the nonce and the row number rise together, so their difference names the run.
  const { rows } = await sql<{ from_id: number; first: number; count: number; cancelled: number | null }>`
    select from_id, min(nonce) as first, count(*) as count, min(cancelled) as cancelled from (
      select t.from_id, t.nonce, t.nonce - row_number() over (partition by t.from_id order by t.nonce) as run,
        case when t.cancel_requested_at_ms is not null or t.expiry_requested_at_ms is not null then t.nonce end as cancelled
      from ${wanted} w join transfers t on t.from_id = w.from_id and t.status = 0
    ) pending group by from_id, run order by from_id, first`.execute(db);
  return rows.map((row) => ({ fromId: row.from_id, first: row.first, count: row.count, ...(row.cancelled === null ? {} : { cancelled: row.cancelled }) }));
}

export async function cancelsRequested({ db }: QueryContext): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`select seq from transfers
    where status = 0 and (cancel_requested_at_ms is not null or expiry_requested_at_ms is not null) order by seq`.execute(db);
  return rows.map((row) => row.seq);
}

export async function settledAmong({ db, fragments }: QueryContext, hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const wanted = fragments.rowset({ hash: 'bytes' }, hashes.map((hash) => [hash]));
  const { rows } = await sql<{ hash: Uint8Array }>`select t.hash from ${wanted} w join transfers t on t.hash = w.hash
    where t.status <> 0`.execute(db);
  return rows.map((row) => hexOfHash(row.hash));
}
