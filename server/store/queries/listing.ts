/**
 * Lists: the transfers of a page.
 *
 * A page is read in two steps: first the seqs, then their rows. Settled transfers come from indexes alone: every filter is a range of one
 * index that is ordered by seq, so a page costs the same at any depth, and a filter by sender without a status reads the sender's status
 * ranges side by side. Pending transfers are a range of their table beside them; those of one sender are no more than the window of nonces.
 * Only a filter by both sides has no index of its own (it would cost every accepted transfer another one): it reads a bounded stretch of
 * the sender's transfers and may answer a short page. A filter by reference with another one reads a bounded stretch of the transfers with
 * that reference, of which there are few.
 */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { TransactionStatus } from '../../gateway/types.ts';
import { SETTLED_CODES, statusCode } from '../codes.ts';
import type { ListSide, RowsOf, TransferList, TransferListQuery } from '../types.ts';
import type { QueryContext } from './context.ts';
import { transfersAtSlot, transfersBySeq } from './transfers.ts';

/** Number of transfers that one page of a list by two filters without an index of their own reads. */
const SCAN_ROWS_MAX = 4096;

interface Candidate {
  seq: number;
  to_id: number;
}

export async function listTransfers(context: QueryContext, query: TransferListQuery): Promise<TransferList> {
  // Nothing of the one table has a status of the other.
  if (query.status !== undefined && query.of !== undefined && query.of !== tableOf(query.status))
    return { transfers: [] };
  if (query.nonce !== undefined) return await listSlot(context, query, query.nonce);
  if (query.reference !== undefined) return await listReference(context, query, query.reference);
  const pair = pairOf(query);
  const scanMax = pair === undefined ? query.limit + 1 : SCAN_ROWS_MAX;
  const { rows: candidates } = await candidatesOf(query, scanMax).execute(context.db);
  const matches = pair === undefined ? candidates : candidates.filter((candidate) => candidate.to_id === pair.toId);
  const page = matches.slice(0, query.limit).map((match) => match.seq);
  const transfers = await transfersBySeq(context, page);
  const more =
    matches.length > query.limit ? page.at(-1) : candidates.length === scanMax ? candidates.at(-1)?.seq : undefined;
  return more === undefined ? { transfers } : { transfers, nextBefore: more };
}

/**
 * A sender's transfers with one nonce. The index of slots has them all: one at most was not superseded, so there are as many as there
 * were payments for one place, and a page is cut from them here. (With an order by seq in the query, a planner reads all of the sender's.)
 */
async function listSlot(
  context: QueryContext,
  { sides = [], status, before, limit, reference, of }: TransferListQuery,
  nonce: number,
): Promise<TransferList> {
  const [side] = sides;
  if (sides.length !== 1 || side?.fromId === undefined) throw new RangeError('a list by nonce names one sender');
  const { fromId, toId } = side;
  const found = await transfersAtSlot(context, fromId, nonce);
  const matches = found
    .filter(
      (transfer) =>
        (toId === undefined || transfer.toId === toId) &&
        (status === undefined || transfer.status === status) &&
        (of === undefined || of === tableOf(transfer.status)) &&
        (reference === undefined || transfer.reference === reference) &&
        (before === undefined || transfer.seq < before),
    )
    .sort((a, b) => b.seq - a.seq);
  const transfers = matches.slice(0, limit);
  const last = transfers.at(-1);
  return matches.length > limit && last !== undefined ? { transfers, nextBefore: last.seq } : { transfers };
}

/** The transfers with one reference, and of them those that the other filters let through. */
async function listReference(
  context: QueryContext,
  { sides, status, before = Number.MAX_SAFE_INTEGER, limit, of }: TransferListQuery,
  reference: string,
): Promise<TransferList> {
  const scanMax = sides === undefined && status === undefined ? limit + 1 : SCAN_ROWS_MAX;
  const ofTable = (table: RawBuilder<unknown>): RawBuilder<unknown> => sql`select * from (
      select seq, from_id, to_id, ${table} where reference = ${reference} and seq < ${before} order by seq desc limit ${scanMax}) x`;
  const tables = [
    ...(of === 'pending' ? [] : [ofTable(sql`status from transfers`)]),
    ...(of === 'settled' ? [] : [ofTable(sql`${sql.lit(statusCode('pending'))} as status from pending`)]),
  ];
  const { rows } = await sql<
    Candidate & { from_id: number; status: number }
  >`${sql.join(tables, sql` union all `)} order by seq desc limit ${scanMax}`.execute(context.db);
  const wanted = status === undefined ? undefined : statusCode(status);
  const matches = rows.filter(
    (row) =>
      (wanted === undefined || row.status === wanted) &&
      (sides === undefined ||
        sides.some(
          ({ fromId, toId }) =>
            (fromId === undefined || fromId === row.from_id) && (toId === undefined || toId === row.to_id),
        )),
  );
  const page = matches.slice(0, limit).map(({ seq }) => seq);
  const transfers = await transfersBySeq(context, page);
  const more = matches.length > limit ? page.at(-1) : rows.length === scanMax ? rows.at(-1)?.seq : undefined;
  return more === undefined ? { transfers } : { transfers, nextBefore: more };
}

/** The newest `max` seqs below the query's bound, from the union of the index ranges that the query names. */
function candidatesOf(query: TransferListQuery, max: number): RawBuilder<Candidate> {
  const before = query.before ?? Number.MAX_SAFE_INTEGER;
  const sides = query.sides ?? [{}];
  // The receiver is needed for a pair only, and is in none of the indexes.
  const receiver = pairOf(query) === undefined ? sql`0` : sql`to_id`;
  const part = (
    table: 'pending' | 'transfers',
    range: RawBuilder<unknown>,
    order: RawBuilder<unknown>,
  ): RawBuilder<unknown> =>
    sql`select * from (select seq, ${receiver} as to_id from ${sql.raw(table)} where ${range} and seq < ${before} order by ${order} desc limit ${max}) x`;
  const settled =
    query.status === 'pending' || query.of === 'pending'
      ? []
      : sides.flatMap((side) => rangesOf(side, query.status)).map((range) => part('transfers', range, sql`seq`));
  const pending =
    query.of !== 'settled' && (query.status === undefined || query.status === 'pending')
      ? // A sender's are few, in the order of their nonces: sorted by an expression, so that no planner goes through all that is pending instead.
        sides.map((side) =>
          part('pending', columnOf(side) ?? sql`true`, side.fromId === undefined ? sql`seq` : sql`+seq`),
        )
      : [];
  const parts = [...settled, ...pending];
  return sql<Candidate>`${sql.join(parts, sql` union `)} order by seq desc limit ${max}`;
}

const tableOf = (status: TransactionStatus): RowsOf => (status === 'pending' ? 'pending' : 'settled');

const pairOf = (query: TransferListQuery): ListSide | undefined =>
  query.sides?.find((side) => side.fromId !== undefined && side.toId !== undefined);

function rangesOf(side: ListSide, status: TransferListQuery['status']): RawBuilder<unknown>[] {
  const column = columnOf(side);
  if (column === undefined) return [status === undefined ? sql`true` : sql`status = ${statusCode(status)}`];
  const codes = status === undefined ? SETTLED_CODES : [statusCode(status)];
  return codes.map((code) => sql`${column} and status = ${code}`);
}

const columnOf = ({ fromId, toId }: ListSide): RawBuilder<unknown> | undefined =>
  fromId !== undefined ? sql`from_id = ${fromId}` : toId !== undefined ? sql`to_id = ${toId}` : undefined;
