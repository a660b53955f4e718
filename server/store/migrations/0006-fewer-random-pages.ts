/**
 * Fewer pages that a block changes at random places of the history (decision 0106).
 *
 * One index holds the slot and finds all payments for it, where there were two. On PostgreSQL the index by hash begins with the segment of the
 * seq. Both indexes are made again over the whole history: some seconds for a million rows, during which no gateway writes.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { segmentOf } from '../queries/settled-by-hash.ts';
import type { SqlFragments } from '../sql-fragments.ts';

export async function up(db: Kysely<unknown>, { segmentSeqs }: Pick<SqlFragments, 'segmentSeqs'>): Promise<void> {
  await sql`drop index transfers_payment`.execute(db);
  await sql`drop index transfers_slot`.execute(db);
  // A nonce is held by what is committed or failed by execution (reasons 1 and 5), never by two of them. Transfers that lost it are beside
  // that row, once for each payment: absent members count as values in it (protocol.md, rule 23). No reference contains the tab between
  // them.
  await sql`create unique index transfers_slot on transfers (from_id, nonce, (case when status = 1 or reason in (1, 5) then ''
    else cast(to_id as text) || '/' || amount || '/' || coalesce(reference, '') || coalesce('	' || cast(valid_until as text), '') end))`.execute(
    db,
  );
  if (segmentSeqs === undefined) return;
  await sql`drop index transfers_hash`.execute(db);
  await sql`create unique index transfers_hash on transfers (${segmentOf(segmentSeqs, 'seq')}, hash)`.execute(db);
}
