/** Reads a transfer's row, with the names behind its numbers, as the gateway sees it. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { StoreDamagedError } from '../errors.ts';
import { bufferOf, hexOfHash } from '../hash-bytes.ts';
import { reasonOfCode, statusCode, statusOfCode } from '../codes.ts';
import type { TransfersTable } from '../schema.ts';
import type { StoredTransfer } from '../types.ts';

/** The tokens that submitted and cancelled are not part of it: only the operator reads those. */
export interface TransferRow extends Omit<TransfersTable, 'token_id' | 'cancel_token_id'> {
  from_address: string;
  to_address: string;
  owner_name: string | null;
}

/** Named one by one, so that a column which only the operator reads costs a page nothing. */
const SHARED_COLUMNS = `t.seq, t.hash, t.from_id, t.to_id, t.amount, t.nonce, t.signature, t.owner_id, t.reason,
  t.first_seen_at_ms, t.seen_block_ms, t.seen_uptime_ms, t.broadcast_at_ms, t.cancel_requested_at_ms, t.expiry_requested_at_ms, t.reference, t.valid_until`;
const OF_SETTLED = sql.raw(`${SHARED_COLUMNS}, t.status, t.reason_hash, t.executed_as, t.height, t.block_time_ms`);
const OF_PENDING = sql.raw(
  `${SHARED_COLUMNS}, ${statusCode('pending')} as status, null as reason_hash, null as executed_as, null as height, null as block_time_ms`,
);
const ALONE_PENDING = sql.raw(
  `${SHARED_COLUMNS}, ${statusCode('pending')} as status, cast(null as bytea) as reason_hash, cast(null as bytea) as executed_as, cast(null as bigint) as height, cast(null as bigint) as block_time_ms`,
);
const NAMES = sql.raw('t.*, f.address as from_address, g.address as to_address, o.name as owner_name');
const JOINS = sql.raw(
  'join accounts f on f.id = t.from_id join accounts g on g.id = t.to_id left join owners o on o.id = t.owner_id',
);

/** The text after `select`: a table `t` that each half names for itself, with its condition. */
export interface Sources {
  /** `from pending t ...` */
  pending: RawBuilder<unknown>;
  /** `from transfers t ...` */
  settled: RawBuilder<unknown>;
  /** More columns of both halves. */
  and?: RawBuilder<unknown>;
}

/** The rows of both tables with the names behind their numbers. `order` may name columns of `t`. */
export function selectTransfers<Row extends TransferRow>(
  { pending, settled, and }: Sources,
  order: RawBuilder<unknown> = sql``,
): RawBuilder<Row> {
  const more = and === undefined ? sql`` : sql`, ${and}`;
  return sql<Row>`select ${NAMES} from (select ${OF_SETTLED}${more} ${settled} union all select ${OF_PENDING}${more} ${pending}) t ${JOINS} ${order}`;
}

/** The same of the settled alone. */
export function selectSettled(settled: RawBuilder<unknown>): RawBuilder<TransferRow> {
  return sql<TransferRow>`select ${NAMES} from (select ${OF_SETTLED} ${settled}) t ${JOINS}`;
}

/** The same of the pending alone. */
export function selectPending(
  pending: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql``,
): RawBuilder<TransferRow> {
  return sql<TransferRow>`select ${NAMES} from (select ${ALONE_PENDING} ${pending}) t ${JOINS} ${order}`;
}

export function transferOfRow(row: TransferRow): StoredTransfer {
  return {
    seq: row.seq,
    hash: hexOfHash(row.hash),
    fromId: row.from_id,
    toId: row.to_id,
    from: row.from_address,
    to: row.to_address,
    amount: amountOf(row),
    nonce: row.nonce,
    reference: row.reference ?? undefined,
    validUntil: row.valid_until ?? undefined,
    signature: bufferOf(row.signature).toString('hex'),
    owner: row.owner_name ?? undefined,
    status: statusOfCode(row.status),
    reason: reasonOfCode(row.reason),
    reasonHash: row.reason_hash === null ? undefined : hexOfHash(row.reason_hash),
    executedAs: row.executed_as === null ? undefined : hexOfHash(row.executed_as),
    firstSeenAtMs: row.first_seen_at_ms,
    seenBlockMs: row.seen_block_ms,
    seenUptimeMs: row.seen_uptime_ms,
    broadcastAtMs: row.broadcast_at_ms ?? undefined,
    cancelRequestedAtMs: row.cancel_requested_at_ms ?? undefined,
    expiryRequestedAtMs: row.expiry_requested_at_ms ?? undefined,
    height: row.height ?? undefined,
    blockTimeMs: row.block_time_ms ?? undefined,
  };
}

const AMOUNT_PATTERN = /^[1-9][0-9]{0,38}$/;

function amountOf({ seq, amount }: TransferRow): bigint {
  if (AMOUNT_PATTERN.test(amount)) return BigInt(amount);
  throw new StoreDamagedError(
    `the transfer with seq ${seq} has the amount ${JSON.stringify(amount)}, which this program never wrote; restore the database from a backup`,
  );
}
