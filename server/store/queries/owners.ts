/** Shards and owners: the numbers that acceptance assigns and the pending counts it is bounded by. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { OwnersTable, ShardsTable } from '../schema.ts';
import type { AcceptedRows, IdCounts, OwnerSettled, StoredOwner, StoredShard } from '../types.ts';
import type { QueryContext } from './context.ts';

export const SELECT_SHARDS: RawBuilder<ShardsTable> = sql`select id, last_seq, pending from shards order by id`;

export const shardOfRow = ({ id, last_seq: lastSeq, pending }: ShardsTable): StoredShard => ({ id, lastSeq, pending });

export async function shards({ db }: QueryContext): Promise<StoredShard[]> {
  return (await SELECT_SHARDS.execute(db)).rows.map(shardOfRow);
}

export async function saveShards(context: QueryContext, changed: readonly StoredShard[]): Promise<void> {
  if (changed.length > 0) await putShards(context, changed).execute(context.db);
}

export function putShards({ fragments }: QueryContext, changed: readonly StoredShard[]): RawBuilder<unknown> {
  const rows = fragments.rowset(
    { id: 'integer', last_seq: 'integer', pending: 'integer' },
    changed.map(({ id, lastSeq, pending }) => [id, lastSeq, pending]),
  );
  return sql`update shards set last_seq = r.last_seq, pending = r.pending from ${rows} r where shards.id = r.id`;
}

export async function takeIds({ db }: QueryContext, { accounts, owners }: IdCounts): Promise<IdCounts> {
  const { rows } = await sql<{ next_account_id: number; next_owner_id: number }>`update counters
    set next_account_id = next_account_id + ${accounts}, next_owner_id = next_owner_id + ${owners} where id = 2 returning next_account_id, next_owner_id`.execute(
    db,
  );
  const [next] = rows;
  if (next === undefined) throw new Error('the store has lost its row of counters');
  return { accounts: next.next_account_id - accounts, owners: next.next_owner_id - owners };
}

export function selectOwners({ fragments }: QueryContext, names: readonly string[]): RawBuilder<StoredOwner> {
  const wanted = fragments.rowset(
    { name: 'text' },
    names.map((name) => [name]),
  );
  return sql`select o.id, o.name, cast(coalesce((select sum(p.pending) from owner_pending p where p.owner_id = o.id), 0) as bigint) as pending
    from ${wanted} w join owners o on o.name = w.name`;
}

/** In the order of the names, for the same reason as accounts. */
export function putNewOwners({ fragments }: QueryContext, owners: readonly OwnersTable[]): RawBuilder<unknown> {
  const ordered = owners.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sql`insert into owners (id, name) select * from ${fragments.rowset(
    { id: 'integer', name: 'text' },
    ordered.map(({ id, name }) => [id, name]),
  )} r`;
}

const ADD = sql.raw('on conflict (owner_id, shard) do update set pending = owner_pending.pending + excluded.pending');

export function putOwnerChanges(
  { fragments }: QueryContext,
  changes: AcceptedRows['ownerChanges'],
): RawBuilder<unknown> {
  const rows = fragments.rowset(
    { owner_id: 'integer', shard: 'integer', pending: 'integer' },
    changes.map(({ ownerId, shard, count }) => [ownerId, shard, count]),
  );
  return sql`insert into owner_pending (owner_id, shard, pending) select * from ${rows} r where true ${ADD}`;
}

export async function takeFromOwners({ db, fragments }: QueryContext, settled: readonly OwnerSettled[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = fragments.rowset(
    { name: 'text', shard: 'integer', count: 'integer' },
    settled.map(({ owner, shard, count }) => [owner, shard, count]),
  );
  await sql`insert into owner_pending (owner_id, shard, pending) select o.id, r.shard, -r.count from ${rows} r join owners o on o.name = r.name where true ${ADD}`.execute(
    db,
  );
}
