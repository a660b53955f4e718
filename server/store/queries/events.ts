/**
 * The event log: appended with each block, read by place.
 *
 * No filter has an index, because it would cost every transfer an entry at a random place. A list with filters reads a bounded stretch of
 * the log instead, and returns the place up to which it read. As with lists, the places of a page are found first, then their rows.
 */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { EventPlace } from '../../gateway/types.ts';
import { statusCode } from '../codes.ts';
import { StoreDamagedError } from '../errors.ts';
import type {
  BlockEvents,
  EventList,
  EventListQuery,
  StoredEvent,
  UnknownVoidAt,
  VoidedNonce,
} from '../event-types.ts';
import { hasFilters } from '../event-types.ts';
import { bytesOfHash, hexOfHash } from '../hash-bytes.ts';
import type { QueryContext } from './context.ts';
import { transfersBySeq } from './transfers.ts';

interface LogRow {
  height: number;
  idx: number;
  seq: number | null;
}

interface VoidRow {
  height: number;
  idx: number;
  hash: Uint8Array;
  from_address: string;
  nonce: number;
  block_time_ms: number;
}

/** `idOf`: the number of an account that a voided nonce is of. */
export async function appendEvents(
  { db, fragments }: QueryContext,
  { height, blockTimeMs, rows }: BlockEvents,
  idOf: (address: string) => number,
): Promise<void> {
  if (rows.length === 0) return;
  const events = fragments.rowset(
    { idx: 'integer', seq: 'integer' },
    rows.toSorted((a, b) => a.index - b.index).map(({ index, seq }) => [index, seq ?? null]),
  );
  await sql`insert into events (height, idx, seq) select ${height}, r.idx, r.seq from ${events} r`.execute(db);
  const voids = rows.flatMap(({ index, voided }): { index: number; voided: VoidedNonce }[] =>
    voided === undefined ? [] : [{ index, voided }],
  );
  if (voids.length === 0) return;
  const columns = { idx: 'integer', hash: 'bytes', from_id: 'integer', nonce: 'integer' } as const;
  const added = fragments.rowset(
    columns,
    voids.map(({ index, voided: { hash, from, nonce } }) => [index, hash, idOf(from), nonce]),
  );
  await sql`insert into unknown_voids (height, idx, hash, from_id, nonce, block_time_ms)
    select ${height}, r.idx, r.hash, r.from_id, r.nonce, ${blockTimeMs} from ${added} r`.execute(db);
}

export async function listEvents(context: QueryContext, query: EventListQuery): Promise<EventList> {
  const filter = await filterOf(context, query);
  if (filter === undefined) return { events: [], scanned: 0 };
  const scans = hasFilters(query);
  const { rows: found } = await sql<LogRow>`select height, idx, seq from (
      select height, idx, seq from events where ${rangeOf(query)} order by ${orderOf(query)} limit ${scans ? query.scanMax : query.limit + 1}
    ) e where ${filter} order by ${orderOf(query)} limit ${query.limit + 1}`.execute(context.db);
  const shown = found.slice(0, query.limit);
  const events = await eventsAt(context, shown);
  const last = shown.at(-1);
  if (found.length > query.limit && last !== undefined)
    return { events, reached: placeOf(last), scanned: scans ? await rowsUpTo(context, query, last) : events.length };
  const bound = scans ? await boundOf(context, query) : undefined;
  return {
    events,
    ...(bound?.more === true && { reached: bound.place }),
    scanned: bound === undefined ? events.length : query.scanMax,
  };
}

/**
 * A condition on a row `e` of the log; undefined where nothing can match. Transfers are looked up one by one: in a join a planner that has
 * no statistics of the tables yet may begin with all transfers of a status.
 */
async function filterOf(
  { db }: QueryContext,
  { account, owner, status, reference }: EventListQuery,
): Promise<RawBuilder<unknown> | undefined> {
  const accountId =
    account === undefined ? undefined : await idOf(db, sql`select id from accounts where address = ${account}`);
  const ownerId = owner === undefined ? undefined : await idOf(db, sql`select id from owners where name = ${owner}`);
  if ((account !== undefined && accountId === undefined) || (owner !== undefined && ownerId === undefined))
    return undefined;
  const ofTransfer = [
    ...(accountId === undefined ? [] : [sql`(t.from_id = ${accountId} or t.to_id = ${accountId})`]),
    ...(ownerId === undefined ? [] : [sql`t.owner_id = ${ownerId}`]),
    ...(status === undefined ? [] : [sql`t.status = ${statusCode(status)}`]),
    ...(reference === undefined ? [] : [sql`t.reference = ${reference}`]),
  ];
  if (ofTransfer.length === 0) return sql`true`;
  const transfer = sql`(select count(*) from transfers t where t.seq = e.seq and ${sql.join(ofTransfer, sql` and `)}) = 1`;
  // For a void the store has only the account of its nonce and the status cancelled.
  if (ownerId !== undefined || reference !== undefined || (status !== undefined && status !== 'cancelled'))
    return transfer;
  const ofVoid =
    accountId === undefined
      ? sql``
      : sql` and (select v.from_id from unknown_voids v where v.height = e.height and v.idx = e.idx) = ${accountId}`;
  return sql`(${transfer} or e.seq is null${ofVoid})`;
}

async function idOf(db: QueryContext['db'], select: RawBuilder<unknown>): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`${select}`.execute(db);
  return rows[0]?.id;
}

export async function voidByHash({ db }: QueryContext, hash: string): Promise<UnknownVoidAt | undefined> {
  // The first: a second cancel at one nonce is not executed, and one that names this hash at another nonce is of another transfer.
  const { rows } = await sql<
    Pick<VoidRow, 'height' | 'from_address' | 'nonce'>
  >`select v.height, a.address as from_address, v.nonce
    from unknown_voids v join accounts a on a.id = v.from_id where v.hash = ${bytesOfHash(hash)} order by v.height, v.idx limit 1`.execute(
    db,
  );
  const [row] = rows;
  return row && { height: row.height, from: row.from_address, nonce: row.nonce };
}

/** In the order of the rows. */
async function eventsAt(context: QueryContext, rows: readonly LogRow[]): Promise<StoredEvent[]> {
  const transfers = new Map(
    (
      await transfersBySeq(
        context,
        rows.flatMap(({ seq }) => seq ?? []),
      )
    ).map((transfer) => [transfer.seq, transfer]),
  );
  const voids = new Map(
    (
      await voidsAt(
        context,
        rows.filter(({ seq }) => seq === null),
      )
    ).map((row) => [keyOf(row), row]),
  );
  return rows.map((row) => {
    const place = placeOf(row);
    const transfer = row.seq === null ? undefined : transfers.get(row.seq);
    if (transfer !== undefined) return { ...place, blockTimeMs: transfer.blockTimeMs ?? 0, transfer };
    const voided = voids.get(keyOf(row));
    if (voided === undefined)
      throw new StoreDamagedError(
        `the event ${row.height}-${row.idx} names neither a transfer nor a voided nonce; restore the database from a backup`,
      );
    return {
      ...place,
      blockTimeMs: voided.block_time_ms,
      voided: { hash: hexOfHash(voided.hash), from: voided.from_address, nonce: voided.nonce },
    };
  });
}

async function voidsAt({ db, fragments }: QueryContext, places: readonly LogRow[]): Promise<VoidRow[]> {
  if (places.length === 0) return [];
  const wanted = fragments.rowset(
    { height: 'integer', idx: 'integer' },
    places.map(({ height, idx }) => [height, idx]),
  );
  const { rows } =
    await sql<VoidRow>`select v.height, v.idx, v.hash, a.address as from_address, v.nonce, v.block_time_ms from ${wanted} w
    join unknown_voids v on v.height = w.height and v.idx = w.idx join accounts a on a.id = v.from_id`.execute(db);
  return rows;
}

/** The last row of the stretch that is read. `more`: any row follows it. */
async function boundOf(
  { db }: QueryContext,
  query: EventListQuery,
): Promise<{ place: EventPlace; more: boolean } | undefined> {
  const { rows } = await sql<LogRow>`select height, idx from events where ${rangeOf(query)}
    order by ${orderOf(query)} limit 2 offset ${query.scanMax - 1}`.execute(db);
  const [last] = rows;
  return last && { place: placeOf(last), more: rows.length === 2 };
}

async function rowsUpTo(
  { db }: QueryContext,
  { order, after, before }: EventListQuery,
  { height, idx }: LogRow,
): Promise<number> {
  const range =
    order === 'asc' ? { after, before: { height, index: idx + 1 } } : { after: { height, index: idx - 1 }, before };
  const { rows } = await sql<{ count: number }>`select count(*) as count from events where ${rangeOf(range)}`.execute(
    db,
  );
  return Number(rows[0]?.count ?? 0);
}

function rangeOf({ after, before }: Pick<EventListQuery, 'after' | 'before'>): RawBuilder<unknown> {
  // A beginning in each, so that the table is read by its key and never gone through.
  const { height, index } = after ?? { height: 0, index: 0 };
  const begins = sql`(height, idx) > (${height}, ${index})`;
  return before === undefined ? begins : sql`${begins} and (height, idx) < (${before.height}, ${before.index})`;
}

const orderOf = ({ order }: EventListQuery): RawBuilder<unknown> => sql.raw(`height ${order}, idx ${order}`);

const placeOf = ({ height, idx }: Pick<LogRow, 'height' | 'idx'>): EventPlace => ({ height, index: idx });

const keyOf = ({ height, idx }: Pick<LogRow, 'height' | 'idx'>): string => `${height}-${idx}`;
