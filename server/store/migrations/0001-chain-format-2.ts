/**
 * The first schema of databases whose chain is of format 2. A migration that has been released is never edited: a change is a new file with the
 * next number.
 *
 * Only types and statements that SQLite and PostgreSQL share are used. `bytea` is PostgreSQL's name for bytes; SQLite
 * takes any name and stores a blob as a blob.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { SqlFragments } from '../sql-fragments.ts';
import { createWebhookTables } from '../webhooks/create-tables.ts';

export async function up(
  db: Kysely<unknown>,
  { keyType, appendOnly }: Pick<SqlFragments, 'keyType' | 'appendOnly'>,
): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('counters')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('next_seq', 'bigint', (c) => c.notNull())
    .addColumn('next_account_id', 'bigint', (c) => c.notNull())
    .addColumn('next_owner_id', 'bigint', (c) => c.notNull())
    .addColumn('pending', 'bigint', (c) => c.notNull())
    .execute();
  await sql`insert into counters (id, next_seq, next_account_id, next_owner_id, pending) values (1, 1, 1, 1, 0)`.execute(
    db,
  );

  await schema
    .createTable('follower')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('chain_id', 'text', (c) => c.notNull())
    .addColumn('genesis_hash', 'text', (c) => c.notNull())
    .addColumn('height', 'bigint', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('block_time_ms', 'bigint', (c) => c.notNull())
    .addColumn('uptime_ms', 'bigint', (c) => c.notNull())
    .addColumn('verified_height', 'bigint', (c) => c.notNull())
    .execute();

  // Validator sets with the heights from which they sign, as the followed blocks decided them.
  await schema
    .createTable('validator_sets')
    .addColumn('height', keyType, (c) => c.primaryKey())
    .addColumn('validators', 'text', (c) => c.notNull())
    .execute();

  await schema
    .createTable('governance')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('record', 'text', (c) => c.notNull())
    .execute();

  await schema
    .createTable('accounts')
    .addColumn('id', keyType, (c) => c.primaryKey())
    .addColumn('address', 'text', (c) => c.notNull().unique())
    .addColumn('on_chain', 'integer', (c) => c.notNull())
    .addColumn('balance', 'text', (c) => c.notNull())
    .addColumn('nonce', 'bigint', (c) => c.notNull())
    .addColumn('voids', 'text', (c) => c.notNull())
    .addColumn('reserved', 'text', (c) => c.notNull())
    .execute();

  await schema
    .createTable('owners')
    .addColumn('id', keyType, (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .addColumn('pending', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('tokens')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('secret_sha256', sql`bytea`, (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint')
    .addColumn('revoked_at_ms', 'bigint')
    .addColumn('last_used_at_ms', 'bigint')
    .execute();

  await schema
    .createTable('address_bindings')
    .addColumn('address', 'text', (c) => c.primaryKey())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('bound_at_ms', 'bigint', (c) => c.notNull())
    .execute();

  await schema
    .createTable('transfers')
    .addColumn('seq', keyType, (c) => c.primaryKey())
    .addColumn('hash', sql`bytea`, (c) => c.notNull())
    .addColumn('from_id', 'bigint', (c) => c.notNull())
    .addColumn('to_id', 'bigint', (c) => c.notNull())
    .addColumn('amount', 'text', (c) => c.notNull())
    .addColumn('nonce', 'bigint', (c) => c.notNull())
    .addColumn('signature', sql`bytea`, (c) => c.notNull())
    .addColumn('owner_id', 'bigint')
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('reason', 'integer')
    .addColumn('reason_hash', sql`bytea`)
    .addColumn('executed_as', sql`bytea`)
    .addColumn('first_seen_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('seen_block_ms', 'bigint', (c) => c.notNull())
    .addColumn('seen_uptime_ms', 'bigint', (c) => c.notNull())
    .addColumn('broadcast_at_ms', 'bigint')
    .addColumn('cancel_requested_at_ms', 'bigint')
    .addColumn('expiry_requested_at_ms', 'bigint')
    .addColumn('height', 'bigint')
    .addColumn('block_time_ms', 'bigint')
    .addColumn('token_id', 'text')
    .addColumn('cancel_token_id', 'text')
    .addColumn('reference', 'text')
    .addColumn('valid_until', 'bigint')
    .execute();
  await indexTransfers(db);

  // A table of its own: a transfer that comes without a key then costs no byte and no index.
  await schema
    .createTable('idempotency_keys')
    .addColumn('owner_id', 'bigint', (c) => c.notNull())
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pkey', ['owner_id', 'idempotency_key'])
    .execute();

  // The event log: the transfers that each block settled, in order. Without a transfer the row is in unknown_voids: a nonce that was voided
  // when no transfer of this store was pending at it; its hash is that of the transfer that the cancel names.
  await schema
    .createTable('events')
    .addColumn('height', 'bigint', (c) => c.notNull())
    .addColumn('idx', 'bigint', (c) => c.notNull())
    .addColumn('seq', 'bigint')
    .addPrimaryKeyConstraint('events_pkey', ['height', 'idx'])
    .execute();
  await schema
    .createTable('unknown_voids')
    .addColumn('height', 'bigint', (c) => c.notNull())
    .addColumn('idx', 'bigint', (c) => c.notNull())
    .addColumn('hash', sql`bytea`, (c) => c.notNull())
    .addColumn('from_id', 'bigint', (c) => c.notNull())
    .addColumn('nonce', 'bigint', (c) => c.notNull())
    .addColumn('block_time_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('unknown_voids_pkey', ['height', 'idx'])
    .execute();

  // The gateway on this database that does the work of which one is enough, and until when. session_key is the key of an advisory lock of
  // its session, by which the database sees that it is still connected.
  await schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('until_ms', 'bigint', (c) => c.notNull())
    .addColumn('session_key', 'bigint')
    .execute();

  await schema
    .createTable('audit')
    .addColumn('id', keyType, (c) => c.primaryKey())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .execute();
  for (const statement of appendOnly('audit')) await statement.execute(db);

  await createWebhookTables(db);
}

async function indexTransfers(db: Kysely<unknown>): Promise<void> {
  // A nonce is held by what is pending, committed, or failed by execution (reasons 1 and 5); never by two of them.
  await sql`create unique index transfers_slot on transfers (from_id, nonce) where status in (0, 1) or reason in (1, 5)`.execute(
    db,
  );
  // A transfer is its payment: the same one under a second signature is the same resource. Absent members count as values in it (protocol.md,
  // rule 23): as one empty text, so that a payment without them costs it one byte. The tab between them is in no reference.
  await sql`create unique index transfers_payment on transfers
    (from_id, nonce, to_id, amount, (coalesce(reference, '') || coalesce('\t' || cast(valid_until as text), '')))`.execute(
    db,
  );
  await sql`create unique index transfers_hash on transfers (hash)`.execute(db);
  await sql`create unique index transfers_executed_as on transfers (executed_as) where executed_as is not null`.execute(
    db,
  );
  // The lists: each filter is a range of one index in the order of seq, so that a page costs the same at any depth.
  await sql`create index transfers_by_status on transfers (status, seq)`.execute(db);
  await sql`create index transfers_by_sender on transfers (from_id, status, seq)`.execute(db);
  await sql`create index transfers_by_receiver on transfers (to_id, status, seq)`.execute(db);
  // Transfers that may have to expire, oldest first. The status comes first although it is always 0: a planner without statistics of the
  // rows then prefers this index to the one by status.
  await sql`create index transfers_ageing on transfers (status, seen_uptime_ms)
    where status = 0 and cancel_requested_at_ms is null and expiry_requested_at_ms is null`.execute(db);
  // Transfers that may have to expire by their validity, the earliest first; only rows that have one are in it.
  await sql`create index transfers_validity on transfers (status, valid_until)
    where status = 0 and valid_until is not null and cancel_requested_at_ms is null and expiry_requested_at_ms is null`.execute(
    db,
  );
  await sql`create index transfers_by_reference on transfers (reference, seq) where reference is not null`.execute(db);
}
