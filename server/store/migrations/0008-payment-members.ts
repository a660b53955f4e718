/**
 * What a transfer may carry, `reference` and `valid_until`, and what a payment is with them.
 *
 * The columns are nullable and have no default, so that adding them touches no row. The index of payments is made again, because absent members
 * count as values in it (protocol.md, rule 23): as one empty text, so that a payment without them costs it one byte. The tab between them is in
 * no reference. The index of slots is made again for the second reason with which a transfer is executed and fails.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('transfers').addColumn('reference', 'text').execute();
  await db.schema.alterTable('transfers').addColumn('valid_until', 'bigint').execute();
  await sql`drop index transfers_payment`.execute(db);
  await sql`create unique index transfers_payment on transfers
    (from_id, nonce, to_id, amount, (coalesce(reference, '') || coalesce('\t' || cast(valid_until as text), '')))`.execute(db);
  await sql`drop index transfers_slot`.execute(db);
  await sql`create unique index transfers_slot on transfers (from_id, nonce) where status in (0, 1) or reason in (1, 5)`.execute(db);
  await sql`create index transfers_by_reference on transfers (reference, seq) where reference is not null`.execute(db);
  // What may have to expire by its validity, the earliest first; only rows that say one are in it.
  await sql`create index transfers_validity on transfers (status, valid_until)
    where status = 0 and valid_until is not null and cancel_requested_at_ms is null and expiry_requested_at_ms is null`.execute(db);
}
