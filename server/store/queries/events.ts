/**
 * The event log: appended with each block, read by place.
 *
 * No filter has an index, because it would cost every transfer an entry at a random place. A list with filters reads a bounded stretch of
 * the log instead, and says how far it came.
 */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { EventPlace } from '../../gateway/types.ts';
import { statusCode } from '../codes.ts';
import type { BlockEvents, EventList, EventListQuery, StoredEvent, VoidedNonce } from '../event-types.ts';
import { StoreDamagedError } from '../errors.ts';
import { hasFilters } from '../event-types.ts';
import type { QueryContext } from './context.ts';
import type { TransferRow } from './transfer-row.ts';
import { hexOfHash, TRANSFER_COLUMNS, transferOfRow } from './transfer-row.ts';

type StoredVoid = { index: number; voided: VoidedNonce; fromId: number };

/** `idOf`: the number of an account that a voided nonce is of. */
export async function appendEvents({ db, fragments }: QueryContext, { height, blockTimeMs, rows }: BlockEvents, idOf: (address: string) => number): Promise<void> {
  if (rows.length === 0) return;
  const events = fragments.rowset({ idx: 'integer', seq: 'integer' }, rows.toSorted((a, b) => a.index - b.index).map(({ index, seq }) => [index, seq ?? null]));
  await sql`insert into events (height, idx, seq) select ${height}, r.idx, r.seq from ${events} r`.execute(db);
  const voids = rows.flatMap(({ index, voided }): StoredVoid[] => (voided === undefined ? [] : [{ index, voided, fromId: idOf(voided.from) }]));
  if (voids.length === 0) return;
  const columns = { idx: 'integer', hash: 'bytes', from_id: 'integer', nonce: 'integer' } as const;
  const added = fragments.rowset(columns, voids.map(({ index, voided, fromId }) => [index, voided.hash, fromId, voided.nonce]));
  await sql`insert into unknown_voids (height, idx, hash, from_id, nonce, block_time_ms)
    select ${height}, r.idx, r.hash, r.from_id, r.nonce, ${blockTimeMs} from ${added} r`.execute(db);
}

export async function listEvents(context: QueryContext, query: EventListQuery): Promise<EventList> {
  const filters = await filtersOf(context, query);
  if (filters === undefined) return { events: [], scanned: 0 };
  const scanMax = hasFilters(query) ? query.scanMax : query.limit + 1;
  const [rows, bound] = [await rowsOf(context, query, filters, scanMax), hasFilters(query) ? await boundOf(context, query, scanMax) : undefined];
  const events = rows.slice(0, query.limit).map(eventOfRow);
  const last = events.at(-1);
  if (rows.length > query.limit && last !== undefined) {
    const { height, index } = last;
    return { events, reached: { height, index }, scanned: hasFilters(query) ? await rowsUpTo(context, query, last) : events.length };
  }
  return { events, ...(bound?.more === true && { reached: bound.place }), scanned: bound?.scanned ?? events.length };
}

interface Row extends Omit<TransferRow, 'seq'> {
  event_height: number;
  idx: number;
  seq: number | null;
  void_hash: Uint8Array | null;
  void_nonce: number | null;
  void_from: string | null;
  void_time_ms: number | null;
}

const VOID_COLUMNS = sql.raw('v.hash as void_hash, v.nonce as void_nonce, h.address as void_from, v.block_time_ms as void_time_ms');

async function rowsOf({ db }: QueryContext, query: EventListQuery, filters: RawBuilder<unknown>, scanMax: number): Promise<Row[]> {
  // The limit is inside: without it a planner may begin with the rows of the filter, of which there can be any number.
  const { rows } = await sql<Row>`select e.height as event_height, e.idx, ${TRANSFER_COLUMNS}, ${VOID_COLUMNS}
    from (select height, idx, seq from events where ${rangeOf(query)} order by ${orderOf(query)} limit ${scanMax}) e
    left join transfers t on t.seq = e.seq
    left join accounts f on f.id = t.from_id left join accounts g on g.id = t.to_id left join owners o on o.id = t.owner_id
    left join unknown_voids v on e.seq is null and v.height = e.height and v.idx = e.idx left join accounts h on h.id = v.from_id
    where ${filters} order by ${orderOf(query, 'e.')} limit ${query.limit + 1}`.execute(db);
  return rows;
}

/** Undefined where nothing can match. */
async function filtersOf({ db }: QueryContext, { account, owner, status, reference }: EventListQuery): Promise<RawBuilder<unknown> | undefined> {
  const filters = [sql`true`];
  if (account !== undefined) {
    const { rows } = await sql<{ id: number }>`select id from accounts where address = ${account}`.execute(db);
    const [found] = rows;
    if (found === undefined) return undefined;
    filters.push(sql`(t.from_id = ${found.id} or t.to_id = ${found.id} or v.from_id = ${found.id})`);
  }
  if (owner !== undefined) filters.push(sql`o.name = ${owner}`);
  if (status === 'cancelled') filters.push(sql`(t.status = ${statusCode(status)} or e.seq is null)`);
  else if (status !== undefined) filters.push(sql`t.status = ${statusCode(status)}`);
  if (reference !== undefined) filters.push(sql`t.reference = ${reference}`);
  return sql.join(filters, sql` and `);
}

/** The last row of the stretch that is looked at, and whether any row is behind it. */
async function boundOf({ db }: QueryContext, query: EventListQuery, scanMax: number): Promise<{ place: EventPlace; more: boolean; scanned: number } | undefined> {
  const { rows } = await sql<{ height: number; idx: number }>`select height, idx from events where ${rangeOf(query)}
    order by ${orderOf(query)} limit 2 offset ${scanMax - 1}`.execute(db);
  const [last] = rows;
  return last && { place: { height: last.height, index: last.idx }, more: rows.length === 2, scanned: scanMax };
}

async function rowsUpTo({ db }: QueryContext, { order, after, before }: EventListQuery, { height, index }: EventPlace): Promise<number> {
  const beyond = order === 'asc' ? { after, before: { height, index: index + 1 } } : { after: { height, index: index - 1 }, before };
  const { rows } = await sql<{ count: number }>`select count(*) as count from events where ${rangeOf(beyond)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

function rangeOf({ after, before }: Pick<EventListQuery, 'after' | 'before'>): RawBuilder<unknown> {
  // A beginning in each, so that the table is read by its key and never gone through.
  const { height, index } = after ?? { height: 0, index: 0 };
  const begins = sql`(height, idx) > (${height}, ${index})`;
  return before === undefined ? begins : sql`${begins} and (height, idx) < (${before.height}, ${before.index})`;
}

const orderOf = ({ order }: EventListQuery, of: 'e.' | '' = ''): RawBuilder<unknown> => sql.raw(`${of}height ${order}, ${of}idx ${order}`);

function eventOfRow(row: Row): StoredEvent {
  const { event_height: height, idx: index, seq, void_hash: hash, void_nonce: nonce, void_from: from, void_time_ms: voidTimeMs } = row;
  if (seq !== null) return { height, index, blockTimeMs: row.block_time_ms ?? 0, transfer: transferOfRow({ ...row, seq }) };
  if (hash === null || nonce === null || from === null || voidTimeMs === null) throw damaged(height, index);
  return { height, index, blockTimeMs: voidTimeMs, voided: { hash: hexOfHash(hash), nonce, from } };
}

const damaged = (height: number, index: number): StoreDamagedError =>
  new StoreDamagedError(`the event ${height}-${index} names neither a transfer nor a voided nonce; restore the database from a backup`);
