/**
 * Changing transfers. A pending row is inserted when its transfer is accepted, changed only when its cancel is requested, and moved to the
 * settled rows by the block that decides. A settled row is inserted once and never changed: a terminal status never changes.
 */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { reasonCode, statusCode } from '../codes.ts';
import type { CancelMark, NewTransfer, Settlement } from '../types.ts';
import type { QueryContext } from './context.ts';

const NEW_COLUMNS = {
  seq: 'integer',
  hash: 'bytes',
  from_id: 'integer',
  to_id: 'integer',
  amount: 'text',
  nonce: 'integer',
  signature: 'bytes',
  owner_id: 'integer',
  reason: 'integer',
  first_seen_at_ms: 'integer',
  seen_block_ms: 'integer',
  seen_uptime_ms: 'integer',
  token_id: 'text',
  reference: 'text',
  valid_until: 'integer',
} as const;
const NEW_SETTLED_COLUMNS = { ...NEW_COLUMNS, status: 'integer', height: 'integer', block_time_ms: 'integer' } as const;
const NEW_NAMES = sql.raw(Object.keys(NEW_COLUMNS).join(', '));
const NEW_SETTLED_NAMES = sql.raw(Object.keys(NEW_SETTLED_COLUMNS).join(', '));

const newValues = (t: NewTransfer): (string | number | null)[] => [
  t.seq,
  t.hash,
  t.fromId,
  t.toId,
  t.amount.toString(),
  t.nonce,
  t.signature,
  t.ownerId ?? null,
  reasonCode(t.reason),
  t.firstSeenAtMs,
  t.seenBlockMs,
  t.seenUptimeMs,
  t.tokenId ?? null,
  t.reference ?? null,
  t.validUntil ?? null,
];

/** Each into the table of its status. */
export async function insertTransfers(context: QueryContext, transfers: readonly NewTransfer[]): Promise<void> {
  const pending = transfers.filter(({ status }) => status === 'pending');
  const settled = transfers.filter(({ status }) => status !== 'pending');
  if (pending.length > 0) await putPending(context, pending).execute(context.db);
  if (settled.length === 0) return;
  const rows = context.fragments.rowset(
    NEW_SETTLED_COLUMNS,
    settled.map((t) => [...newValues(t), statusCode(t.status), t.height ?? null, t.blockTimeMs ?? null]),
  );
  await sql`insert into transfers (${NEW_SETTLED_NAMES}) select * from ${rows} r`.execute(context.db);
}

export function putPending({ fragments }: QueryContext, transfers: readonly NewTransfer[]): RawBuilder<unknown> {
  return sql`insert into pending (${NEW_NAMES}) select * from ${fragments.rowset(NEW_COLUMNS, transfers.map(newValues))} r`;
}

const SETTLE_COLUMNS = {
  seq: 'integer',
  status: 'integer',
  reason: 'integer',
  reason_hash: 'bytes',
  executed_as: 'bytes',
  height: 'integer',
  block_time_ms: 'integer',
  broadcast_at_ms: 'integer',
} as const;

/** Columns that a settled row takes from the pending one, unchanged. */
const KEPT = `seq, hash, from_id, to_id, amount, nonce, signature, owner_id, first_seen_at_ms, seen_block_ms, seen_uptime_ms,
  cancel_requested_at_ms, expiry_requested_at_ms, token_id, cancel_token_id, reference, valid_until`;
const KEPT_NAMES = sql.raw(KEPT);
const KEPT_OF_PENDING = sql.raw(KEPT.replaceAll(/\b[a-z_]+\b/g, 'p.$&'));

export async function settleTransfers(
  { db, fragments }: QueryContext,
  settlements: readonly Settlement[],
): Promise<number> {
  if (settlements.length === 0) return 0;
  const rows = fragments.rowset(
    SETTLE_COLUMNS,
    settlements.map((s) => [
      s.seq,
      statusCode(s.status),
      reasonCode(s.reason),
      s.reasonHash ?? null,
      s.executedAs ?? null,
      s.height,
      s.blockTimeMs,
      s.broadcastAtMs ?? null,
    ]),
  );
  // In the order of the key: the newest pages of the table and of the indexes that end with it are filled one after the other.
  const inserted = sql`insert into transfers (${KEPT_NAMES}, status, reason, reason_hash, executed_as, height, block_time_ms, broadcast_at_ms)
    select ${KEPT_OF_PENDING}, r.status, r.reason, r.reason_hash, r.executed_as, r.height, r.block_time_ms, coalesce(p.broadcast_at_ms, r.broadcast_at_ms)
    from ${rows} r join pending p on p.seq = r.seq order by p.seq`;
  const seqs = fragments.rowset(
    { seq: 'integer' },
    settlements.map(({ seq }) => [seq]),
  );
  const removed = sql`delete from pending where seq in (select r.seq from ${seqs} r)`;
  const [{ numAffectedRows: count = 0n }] = await Promise.all([inserted.execute(db), removed.execute(db)]);
  return Number(count);
}

export async function requestCancels(
  { db, fragments }: QueryContext,
  cancels: readonly CancelMark[],
  atMs: number,
): Promise<number[]> {
  if (cancels.length === 0) return [];
  const wanted = fragments.rowset(
    { seq: 'integer', token_id: 'text' },
    cancels.map(({ seq, tokenId }) => [seq, tokenId ?? null]),
  );
  const { rows } = await sql<{
    seq: number;
  }>`update pending set cancel_requested_at_ms = ${atMs}, cancel_token_id = r.token_id from ${wanted} r
    where pending.seq = r.seq and pending.cancel_requested_at_ms is null returning pending.seq`.execute(db);
  return rows.map((row) => row.seq);
}

export async function requestExpiry(
  { db }: QueryContext,
  seen: { uptimeMsMax: number; blockMsMax: number },
  limit: number,
  atMs: number,
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`update pending set expiry_requested_at_ms = ${atMs} where seq in (
      select seq from pending where cancel_requested_at_ms is null and expiry_requested_at_ms is null
        and seen_uptime_ms <= ${seen.uptimeMsMax} and seen_block_ms <= ${seen.blockMsMax} order by seen_uptime_ms limit ${limit}
    ) returning seq`.execute(db);
  return rows.map((row) => row.seq);
}

export async function requestValidityExpiry(
  { db }: QueryContext,
  validUntilMax: number,
  limit: number,
  atMs: number,
): Promise<number[]> {
  const { rows } = await sql<{
    seq: number;
  }>`update pending set expiry_requested_at_ms = ${atMs}, reason = ${reasonCode('validity_passed')} where seq in (
      select seq from pending where valid_until is not null and cancel_requested_at_ms is null and expiry_requested_at_ms is null
        and valid_until <= ${validUntilMax} order by valid_until limit ${limit}
    ) returning seq`.execute(db);
  return rows.map((row) => row.seq);
}
