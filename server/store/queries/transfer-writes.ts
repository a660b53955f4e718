/**
 * Changing transfers. Every update is conditional on the row being pending still: a terminal status is never left.
 *
 * The condition is written `+status`, which keeps the index by status out of the plan: the rows are found by their
 * seq, not by going through everything that is pending for each of them.
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
  status: 'integer',
  reason: 'integer',
  first_seen_at_ms: 'integer',
  seen_block_ms: 'integer',
  seen_uptime_ms: 'integer',
  height: 'integer',
  block_time_ms: 'integer',
  token_id: 'text',
  reference: 'text',
  valid_until: 'integer',
} as const;
const NEW_NAMES = sql.raw(Object.keys(NEW_COLUMNS).join(', '));

export async function insertTransfers(context: QueryContext, transfers: readonly NewTransfer[]): Promise<void> {
  if (transfers.length > 0) await putTransfers(context, transfers).execute(context.db);
}

export function putTransfers({ fragments }: QueryContext, transfers: readonly NewTransfer[]): RawBuilder<unknown> {
  const rows = fragments.rowset(
    NEW_COLUMNS,
    transfers.map((t) => [
      t.seq,
      t.hash,
      t.fromId,
      t.toId,
      t.amount.toString(),
      t.nonce,
      t.signature,
      t.ownerId ?? null,
      statusCode(t.status),
      reasonCode(t.reason),
      t.firstSeenAtMs,
      t.seenBlockMs,
      t.seenUptimeMs,
      t.height ?? null,
      t.blockTimeMs ?? null,
      t.tokenId ?? null,
      t.reference ?? null,
      t.validUntil ?? null,
    ]),
  );
  return sql`insert into transfers (${NEW_NAMES}) select * from ${rows} r`;
}

const SETTLE_COLUMNS = {
  seq: 'integer',
  status: 'integer',
  reason: 'integer',
  reason_hash: 'bytes',
  executed_as: 'bytes',
  height: 'integer',
  block_time_ms: 'integer',
} as const;

export async function settleTransfers({ db, fragments }: QueryContext, settlements: readonly Settlement[]): Promise<number> {
  if (settlements.length === 0) return 0;
  const rows = fragments.rowset(
    SETTLE_COLUMNS,
    settlements.map((s) => [s.seq, statusCode(s.status), reasonCode(s.reason), s.reasonHash ?? null, s.executedAs ?? null, s.height, s.blockTimeMs]),
  );
  const result = await sql`update transfers set status = r.status, reason = r.reason, reason_hash = r.reason_hash,
      executed_as = r.executed_as, height = r.height, block_time_ms = r.block_time_ms
    from ${rows} r where transfers.seq = r.seq and +transfers.status = 0`.execute(db);
  return Number(result.numAffectedRows ?? 0n);
}

export async function markBroadcast({ db, fragments }: QueryContext, seqs: readonly number[], atMs: number): Promise<void> {
  if (seqs.length === 0) return;
  const rows = fragments.rowset({ seq: 'integer' }, seqs.map((seq) => [seq]));
  await sql`update transfers set broadcast_at_ms = ${atMs} from ${rows} r
    where transfers.seq = r.seq and +transfers.status = 0 and transfers.broadcast_at_ms is null`.execute(db);
}

export async function requestCancels({ db, fragments }: QueryContext, cancels: readonly CancelMark[], atMs: number): Promise<number[]> {
  if (cancels.length === 0) return [];
  const wanted = fragments.rowset({ seq: 'integer', token_id: 'text' }, cancels.map(({ seq, tokenId }) => [seq, tokenId ?? null]));
  const { rows } = await sql<{ seq: number }>`update transfers set cancel_requested_at_ms = ${atMs}, cancel_token_id = r.token_id from ${wanted} r
    where transfers.seq = r.seq and +transfers.status = 0 and transfers.cancel_requested_at_ms is null returning transfers.seq`.execute(db);
  return rows.map((row) => row.seq);
}

export async function requestExpiry(
  { db }: QueryContext,
  seen: { uptimeMsMax: number; blockMsMax: number },
  limit: number,
  atMs: number,
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`update transfers set expiry_requested_at_ms = ${atMs} where seq in (
      select seq from transfers where status = 0 and cancel_requested_at_ms is null and expiry_requested_at_ms is null
        and seen_uptime_ms <= ${seen.uptimeMsMax} and seen_block_ms <= ${seen.blockMsMax} order by seen_uptime_ms limit ${limit}
    ) returning seq`.execute(db);
  return rows.map((row) => row.seq);
}

export async function requestValidityExpiry({ db }: QueryContext, validUntilMax: number, limit: number, atMs: number): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`update transfers set expiry_requested_at_ms = ${atMs}, reason = ${reasonCode('validity_passed')} where seq in (
      select seq from transfers where status = 0 and valid_until is not null and cancel_requested_at_ms is null and expiry_requested_at_ms is null
        and valid_until <= ${validUntilMax} order by valid_until limit ${limit}
    ) returning seq`.execute(db);
  return rows.map((row) => row.seq);
}
