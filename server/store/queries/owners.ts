/** Counters and owners: the numbers that acceptance hands out and the pending counts it is bounded by. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { CountersTable, OwnersTable } from '../schema.ts';
import type { Counters, StoredOwner } from '../types.ts';
import type { QueryContext } from './context.ts';

export const lockCounters = (context: QueryContext): Promise<Counters> => readCounters(context, context.fragments.lockRows);

export const counters = (context: QueryContext): Promise<Counters> => readCounters(context, sql``);

async function readCounters({ db }: QueryContext, lock: RawBuilder<unknown>): Promise<Counters> {
  const { rows } = await sql<CountersTable>`select * from counters where id = 1 ${lock}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the store has lost its row of counters');
  return { nextSeq: row.next_seq, nextAccountId: row.next_account_id, nextOwnerId: row.next_owner_id, pending: row.pending };
}

export async function saveCounters({ db }: QueryContext, counters: Counters): Promise<void> {
  await db
    .updateTable('counters')
    .set({ next_seq: counters.nextSeq, next_account_id: counters.nextAccountId, next_owner_id: counters.nextOwnerId, pending: counters.pending })
    .where('id', '=', 1)
    .execute();
}

export async function ownersByName({ db, fragments }: QueryContext, names: readonly string[]): Promise<StoredOwner[]> {
  const wanted = fragments.rowset({ name: 'text' }, names.map((name) => [name]));
  const { rows } = await sql<OwnersTable>`select o.* from ${wanted} w join owners o on o.name = w.name`.execute(db);
  return rows;
}

export async function saveOwners({ db, fragments }: QueryContext, owners: readonly StoredOwner[]): Promise<void> {
  if (owners.length === 0) return;
  const rows = fragments.rowset({ id: 'integer', name: 'text', pending: 'integer' }, owners.map(({ id, name, pending }) => [id, name, pending]));
  await sql`insert into owners (id, name, pending) select * from ${rows} r where true
    on conflict (id) do update set pending = excluded.pending`.execute(db);
}

export async function takeFromOwners({ db, fragments }: QueryContext, settled: readonly { owner: string; count: number }[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = fragments.rowset({ name: 'text', count: 'integer' }, settled.map(({ owner, count }) => [owner, count]));
  await sql`update owners set pending = owners.pending - r.count from ${rows} r where owners.name = r.name`.execute(db);
}
