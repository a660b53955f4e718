/** Counters and owners: the numbers that acceptance hands out and the pending counts it is bounded by. */
import { sql } from 'kysely';
import type { OwnersTable } from '../schema.ts';
import type { Counters, StoredOwner } from '../types.ts';
import type { QueryContext } from './context.ts';

/** An update that changes nothing locks the row in every database alike, where `for update` is not understood by all. */
export async function lockCounters({ db }: QueryContext): Promise<Counters> {
  const { rows } = await sql<{ next_seq: number; next_account_id: number; next_owner_id: number; pending: number }>`
    update counters set next_seq = next_seq where id = 1 returning next_seq, next_account_id, next_owner_id, pending`.execute(db);
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

export async function ownersByName(context: QueryContext, names: readonly string[], counters: Counters): Promise<StoredOwner[]> {
  const { db, rowsets } = context;
  const wanted = rowsets.rowset({ name: 'text' }, names.map((name) => [name]));
  const { rows } = await sql<OwnersTable>`select o.* from ${wanted} w join owners o on o.name = w.name`.execute(db);
  const known = new Set(rows.map((row) => row.name));
  const made = names.filter((name) => !known.has(name)).map((name) => ({ id: counters.nextOwnerId++, name, pending: 0 }));
  if (made.length > 0) await db.insertInto('owners').values(made).execute();
  return [...rows, ...made];
}

export async function saveOwners({ db, rowsets }: QueryContext, owners: readonly StoredOwner[]): Promise<void> {
  const rows = rowsets.rowset({ id: 'integer', pending: 'integer' }, owners.map((owner) => [owner.id, owner.pending]));
  await sql`update owners set pending = r.pending from ${rows} r where owners.id = r.id`.execute(db);
}

export async function takeFromOwners({ db, rowsets }: QueryContext, settled: readonly { owner: string; count: number }[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = rowsets.rowset({ name: 'text', count: 'integer' }, settled.map(({ owner, count }) => [owner, count]));
  await sql`update owners set pending = owners.pending - r.count from ${rows} r where owners.name = r.name`.execute(db);
}
