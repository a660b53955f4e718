/**
 * Pending transfers that were broadcast without a token count as those of one owner, whose name is empty.
 *
 * The row is made by the first of them; here it is made for those that an earlier version took.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into owners (id, name, pending) select c.next_owner_id, '', t.pending
    from counters c, (select count(*) as pending from transfers where status = 0 and owner_id is null) t where t.pending > 0`.execute(db);
  await sql`update counters set next_owner_id = next_owner_id + (select count(*) from owners where name = '')`.execute(db);
}
