/**
 * Pending transfers in a table of their own, and shards of senders.
 *
 * `transfers` keeps the settled rows where they are: only what is pending moves, so a long history costs the upgrade nothing. All of it is
 * one transaction: an upgrade that dies leaves the tables as they were.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { SqlFragments } from '../sql-fragments.ts';

/** Columns of a pending row; the first broadcast only where an earlier version recorded it. */
const PENDING_NAMES = sql.raw(
  `seq, hash, from_id, to_id, amount, nonce, signature, owner_id, reason, first_seen_at_ms, seen_block_ms, seen_uptime_ms,
   broadcast_at_ms, cancel_requested_at_ms, expiry_requested_at_ms, token_id, cancel_token_id, reference, valid_until`,
);

export async function up(
  db: Kysely<unknown>,
  { keyType, shards, leaveRoom }: Pick<SqlFragments, 'keyType' | 'shards' | 'leaveRoom'>,
): Promise<void> {
  await createPending(db, keyType);
  await sql`insert into pending (${PENDING_NAMES}) select ${PENDING_NAMES} from transfers where status = 0`.execute(db);
  await sql`delete from transfers where status = 0`.execute(db);
  await sql`drop index transfers_ageing`.execute(db);
  await sql`drop index transfers_validity`.execute(db);

  await createShards(db, shards);
  // So that a new version of a row fits into the page of the old one, and no index is updated.
  for (const [table, percent] of [
    ['pending', 90],
    ['shards', 10],
    ['owner_pending', 50],
    ['accounts', 80],
  ] as const)
    await leaveRoom?.(table, percent).execute(db);
  await sql`alter table owners drop column pending`.execute(db);
  await sql`alter table counters drop column next_seq`.execute(db);
  await sql`alter table counters drop column pending`.execute(db);
  // A gateway of an earlier version that still runs reads row 1 in every group and every block: without it, it stops instead of using
  // half of the rows.
  await sql`update counters set id = 2 where id = 1`.execute(db);
}

async function createPending(db: Kysely<unknown>, keyType: SqlFragments['keyType']): Promise<void> {
  await db.schema
    .createTable('pending')
    .addColumn('seq', keyType, (c) => c.primaryKey())
    .addColumn('hash', sql`bytea`, (c) => c.notNull())
    .addColumn('from_id', 'bigint', (c) => c.notNull())
    .addColumn('to_id', 'bigint', (c) => c.notNull())
    .addColumn('amount', 'text', (c) => c.notNull())
    .addColumn('nonce', 'bigint', (c) => c.notNull())
    .addColumn('signature', sql`bytea`, (c) => c.notNull())
    .addColumn('owner_id', 'bigint')
    .addColumn('reason', 'integer')
    .addColumn('first_seen_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('seen_block_ms', 'bigint', (c) => c.notNull())
    .addColumn('seen_uptime_ms', 'bigint', (c) => c.notNull())
    .addColumn('broadcast_at_ms', 'bigint')
    .addColumn('cancel_requested_at_ms', 'bigint')
    .addColumn('expiry_requested_at_ms', 'bigint')
    .addColumn('token_id', 'text')
    .addColumn('cancel_token_id', 'text')
    .addColumn('reference', 'text')
    .addColumn('valid_until', 'bigint')
    .execute();
  // No index holds what a cancel or an expiry changes, so these changes move no entry of any.
  await sql`create unique index pending_slot on pending (from_id, nonce)`.execute(db);
  await sql`create unique index pending_hash on pending (hash)`.execute(db);
  await sql`create index pending_by_receiver on pending (to_id, seq)`.execute(db);
  // Transfers that may have to expire, oldest first: each new row is the last of it.
  await sql`create index pending_ageing on pending (seen_uptime_ms)`.execute(db);
  // Only rows with a validity or a reference are in these.
  await sql`create index pending_validity on pending (valid_until) where valid_until is not null`.execute(db);
  await sql`create index pending_by_reference on pending (reference, seq) where reference is not null`.execute(db);
}

/** The counts of pending transfers go to the first shard: only their sum over all shards has a meaning. */
async function createShards(db: Kysely<unknown>, shards: number): Promise<void> {
  await db.schema
    .createTable('shards')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('last_seq', 'bigint', (c) => c.notNull())
    .addColumn('pending', 'bigint', (c) => c.notNull())
    .execute();
  const { rows } = await sql<{
    next_seq: number;
    pending: number;
  }>`select next_seq, pending from counters where id = 1`.execute(db);
  // A backup is restored into these tables before it brings its counters.
  const { next_seq: nextSeq, pending } = rows[0] ?? { next_seq: 1, pending: 0 };
  for (let back = 0; back < shards; back++) {
    const lastSeq = nextSeq - 1 - back;
    const id = ((lastSeq % shards) + shards) % shards;
    await sql`insert into shards (id, last_seq, pending) values (${id}, ${lastSeq}, ${id === 0 ? pending : 0})`.execute(
      db,
    );
  }
  await db.schema
    .createTable('owner_pending')
    .addColumn('owner_id', 'bigint', (c) => c.notNull())
    .addColumn('shard', 'integer', (c) => c.notNull())
    .addColumn('pending', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('owner_pending_pkey', ['owner_id', 'shard'])
    .execute();
  await sql`insert into owner_pending (owner_id, shard, pending) select id, 0, pending from owners where pending <> 0`.execute(
    db,
  );
}
