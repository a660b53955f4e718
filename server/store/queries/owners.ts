/** Counters and owners: the numbers that acceptance hands out and the pending counts it is bounded by. */
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { CountersTable, OwnersTable } from '../schema.ts';
import type { Counters, StoredOwner } from '../types.ts';
import type { QueryContext } from './context.ts';

export async function counters({ db }: QueryContext): Promise<Counters> {
  return countersOfRow((await SELECT_COUNTERS.execute(db)).rows[0]);
}

export const SELECT_COUNTERS: RawBuilder<CountersTable> = sql`select * from counters where id = 1`;

export function countersOfRow(row: CountersTable | undefined): Counters {
  if (row === undefined) throw new Error('the store has lost its row of counters');
  return { nextSeq: row.next_seq, nextAccountId: row.next_account_id, nextOwnerId: row.next_owner_id, pending: row.pending };
}

export async function saveCounters(context: QueryContext, counters: Counters): Promise<void> {
  await putCounters(counters).execute(context.db);
}

export const putCounters = ({ nextSeq, nextAccountId, nextOwnerId, pending }: Counters): RawBuilder<unknown> =>
  sql`update counters set next_seq = ${nextSeq}, next_account_id = ${nextAccountId}, next_owner_id = ${nextOwnerId}, pending = ${pending} where id = 1`;

export function selectOwners({ fragments }: QueryContext, names: readonly string[]): RawBuilder<OwnersTable> {
  const wanted = fragments.rowset({ name: 'text' }, names.map((name) => [name]));
  return sql`select o.* from ${wanted} w join owners o on o.name = w.name`;
}

export function putOwners({ fragments }: QueryContext, owners: readonly StoredOwner[]): RawBuilder<unknown> {
  const rows = fragments.rowset({ id: 'integer', name: 'text', pending: 'integer' }, owners.map(({ id, name, pending }) => [id, name, pending]));
  return sql`insert into owners (id, name, pending) select * from ${rows} r where true
    on conflict (id) do update set pending = excluded.pending`;
}

export async function takeFromOwners({ db, fragments }: QueryContext, settled: readonly { owner: string; count: number }[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = fragments.rowset({ name: 'text', count: 'integer' }, settled.map(({ owner, count }) => [owner, count]));
  await sql`update owners set pending = owners.pending - r.count from ${rows} r where owners.name = r.name`.execute(db);
}
