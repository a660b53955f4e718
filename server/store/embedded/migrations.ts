/**
 * The schema of chain.db, the one database of the embedded engine, as the list of steps that made it.
 *
 * A file holds in `user_version` the number of steps that it has had; a start runs the rest in one transaction. A step that was released is
 * never changed: the next one is added after it, and test/upgrade opens a folder of each released version.
 *
 * Reasons for the tables:
 * - A transfer is written once, with the block that settles it or leaves it pending; until then it is in `journal`, whose commit is its
 * acknowledgement. So nothing that costs an index is written while a client waits.
 * - An index over random keys (hashes, accounts) touches another page for each row, of all that there ever were. So these indexes are cut
 * into segments of rows that came one after the other: only the pages of the newest segment are written, however long the history is.
 * - The event log is in the order of the chain, so its rows are appended and it needs no index.
 * - The effects of a block's transactions follow from their bytes and their code, so only the codes that are not 0 are kept.
 */

import type { SqliteConnection } from '../sqlite/library.ts';
import { chainOldLines } from './audit-chain.ts';
import { takeOldWebhooks } from './old-webhooks.ts';
import { addReferences, completeEventLog } from './past-blocks.ts';

/** SQL, or a function where SQL alone is not enough. */
export type MigrationStep = string | ((sql: SqliteConnection) => void);

/** The tail of an earlier version, until it is in the log. */
export const OLD_JOURNAL = 'old_journal';

export const MIGRATIONS: readonly MigrationStep[] = [
  `
  CREATE TABLE chain (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    chain_id TEXT NOT NULL,
    genesis_hash TEXT NOT NULL,
    genesis_time_ms INTEGER NOT NULL,
    uptime_ms INTEGER NOT NULL,
    next_journal_id INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE blocks (
    height INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    parts_total INTEGER NOT NULL,
    parts_hash BLOB NOT NULL,
    time_ns INTEGER NOT NULL,
    transaction_count INTEGER NOT NULL,
    app_hash BLOB NOT NULL,
    results_hash BLOB NOT NULL,
    -- JSON array of [index, code, log] for each transaction whose code is not 0.
    failures TEXT NOT NULL,
    commit_bytes BLOB NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX blocks_by_hash ON blocks (hash);

  CREATE TABLE sign_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    height INTEGER NOT NULL,
    round INTEGER NOT NULL,
    step INTEGER NOT NULL,
    signature BLOB,
    sign_bytes BLOB
  ) STRICT;

  CREATE TABLE governance (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL) STRICT;

  -- leaf is the place in the state tree; null for an address that is only named as a receiver.
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    leaf INTEGER UNIQUE,
    balance TEXT NOT NULL,
    nonce INTEGER NOT NULL,
    voids TEXT NOT NULL
  ) STRICT;

  -- An owner and the token that was used; the empty token where it was not written down.
  CREATE TABLE submitters (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    token_id TEXT NOT NULL,
    UNIQUE (owner, token_id)
  ) STRICT;

  CREATE TABLE transfers (
    seq INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    from_id INTEGER NOT NULL,
    to_id INTEGER NOT NULL,
    amount TEXT NOT NULL,
    nonce INTEGER NOT NULL,
    submitter_id INTEGER,
    status INTEGER NOT NULL,
    reason INTEGER,
    reason_hash BLOB,
    executed_as BLOB,
    first_seen_at_ms INTEGER NOT NULL,
    broadcast_at_ms INTEGER,
    cancel_requested_at_ms INTEGER,
    cancel_submitter_id INTEGER,
    expiry_requested_at_ms INTEGER,
    height INTEGER,
    position INTEGER,
    block_time_ms INTEGER
  ) STRICT;
  -- Rows of one status come one after the other, so this one needs no segments.
  CREATE INDEX transfers_by_status ON transfers (status, seq);

  -- What only a pending transfer needs. A row of transfers with status 0 has one here, and no other has.
  CREATE TABLE pending (
    seq INTEGER PRIMARY KEY,
    from_id INTEGER NOT NULL,
    nonce INTEGER NOT NULL,
    signature BLOB NOT NULL,
    seen_block_ms INTEGER NOT NULL,
    seen_uptime_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX pending_by_sender ON pending (from_id, nonce);

  -- prefix: the first 6 bytes of the hash, or of the hash that it was executed as; the row says whether it is the one.
  CREATE TABLE by_hash (segment INTEGER NOT NULL, prefix INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (segment, prefix, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE by_slot (segment INTEGER NOT NULL, from_id INTEGER NOT NULL, nonce INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (segment, from_id, nonce, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE by_sender (segment INTEGER NOT NULL, account_id INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (segment, account_id, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE by_receiver (segment INTEGER NOT NULL, account_id INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (segment, account_id, seq)) STRICT, WITHOUT ROWID;

  -- What a transfer may carry. One that carries nothing has no row here.
  CREATE TABLE payment_members (seq INTEGER PRIMARY KEY, reference TEXT, valid_until INTEGER) STRICT;
  -- prefix: the first 6 bytes of the SHA-256 of the reference; the row says whether it is the one.
  CREATE TABLE by_reference (segment INTEGER NOT NULL, prefix INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (segment, prefix, seq)) STRICT, WITHOUT ROWID;

  -- The event log: what each block settled, in order. The transfer says what became of it; without one the row is in unknown_voids.
  CREATE TABLE events (height INTEGER NOT NULL, idx INTEGER NOT NULL, seq INTEGER, PRIMARY KEY (height, idx)) STRICT, WITHOUT ROWID;
  -- Nonces that were voided when no transfer known here was pending at them. hash: the transfer that the cancel names.
  CREATE TABLE unknown_voids (
    height INTEGER NOT NULL, idx INTEGER NOT NULL, hash BLOB NOT NULL, from_id INTEGER NOT NULL, nonce INTEGER NOT NULL, block_time_ms INTEGER NOT NULL,
    PRIMARY KEY (height, idx)
  ) STRICT, WITHOUT ROWID;

  -- Cancels and governance, which are no transfers.
  CREATE TABLE other_transactions (hash BLOB PRIMARY KEY, height INTEGER NOT NULL, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  -- What was accepted and asked for since the last block; a row is a group with one commit. journal.ts says what an entry is.
  CREATE TABLE journal (id INTEGER PRIMARY KEY, entries TEXT NOT NULL) STRICT;

  CREATE TABLE idempotency_keys (
    owner TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (owner, idempotency_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    secret_sha256 BLOB NOT NULL,
    owner TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    revoked_at_ms INTEGER,
    last_used_at_ms INTEGER
  ) STRICT;
  CREATE TABLE address_bindings (address TEXT PRIMARY KEY, owner TEXT NOT NULL, bound_at_ms INTEGER NOT NULL) STRICT;

  -- An insertion is refused too unless its id is the next one: "insert or replace" deletes without asking a trigger.
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER audit_refuses_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
  CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
  CREATE TRIGGER audit_refuses_insert BEFORE INSERT ON audit WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM audit)
    BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
  `,
  // Limits of one token; null where those of the service apply.
  `
  ALTER TABLE tokens ADD COLUMN rate_per_s INTEGER;
  ALTER TABLE tokens ADD COLUMN pending_max INTEGER;
  `,
  // The event log, which the first step of contract 1.5.0 did not make and that of 1.6.0 does. The last step fills it.
  `
  CREATE TABLE IF NOT EXISTS events (height INTEGER NOT NULL, idx INTEGER NOT NULL, seq INTEGER, PRIMARY KEY (height, idx)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS unknown_voids (
    height INTEGER NOT NULL, idx INTEGER NOT NULL, hash BLOB NOT NULL, from_id INTEGER NOT NULL, nonce INTEGER NOT NULL, block_time_ms INTEGER NOT NULL,
    PRIMARY KEY (height, idx)
  ) STRICT, WITHOUT ROWID;
  `,
  // Nothing but the number: from here on the bytes of large blocks are packed (server/engine/embedded/packed-block.ts), which earlier
  // versions cannot read.
  `
  SELECT 1;
  `,
  // Contract 1.5.0 kept no event log, and builds on the way to it no references either: this makes both, the log from the transfers that
  // the blocks settled.
  (sql) => {
    addReferences(sql);
    completeEventLog(sql);
  },
  // The tail is in log.db (chain-log.ts), and chain.db names the last entry that its rows hold. The rows of the table are moved when the
  // log is opened.
  (sql) => {
    sql.exec(`
      ALTER TABLE chain ADD COLUMN entry_seq INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE chain ADD COLUMN entry_hash BLOB;
      ALTER TABLE chain DROP COLUMN next_journal_id;
    `);
    const isEmpty = sql.prepare('SELECT 1 FROM journal').get() === undefined;
    sql.exec(isEmpty ? 'DROP TABLE journal' : `ALTER TABLE journal RENAME TO ${OLD_JOURNAL}`);
  },
  // Access is in log.db too, and its rows are written as soon as its entries come: up to this one chain.db has them.
  `
  ALTER TABLE chain ADD COLUMN access_seq INTEGER NOT NULL DEFAULT 0;
  `,
  // Webhooks, whose changes are in log.db as those of access are; webhooks.ts names the rows that are not. Versions before had them in
  // webhooks.db.
  (sql) => {
    sql.exec(`
      CREATE TABLE webhooks (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        url TEXT NOT NULL,
        description TEXT,
        filters TEXT NOT NULL,
        status TEXT NOT NULL,
        disabled_reason TEXT,
        secret TEXT NOT NULL,
        previous_secrets TEXT NOT NULL,
        place_height INTEGER NOT NULL,
        place_idx INTEGER NOT NULL,
        first_failed_at_ms INTEGER,
        attempts INTEGER NOT NULL,
        next_attempt_at_ms INTEGER,
        last_success_at_ms INTEGER,
        last_failure_at_ms INTEGER,
        last_failure_code TEXT,
        last_failure_detail TEXT,
        created_at_ms INTEGER NOT NULL,
        updated_at_ms INTEGER NOT NULL,
        version INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX webhooks_by_owner ON webhooks (owner, created_at_ms, id);
      -- They are counted once a second on the ledger thread, which reads no row for it.
      CREATE INDEX webhooks_by_status ON webhooks (status);
      CREATE TABLE webhook_deliveries (
        webhook_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        event_id TEXT NOT NULL,
        type TEXT NOT NULL,
        kind TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        status_code INTEGER,
        duration_ms INTEGER NOT NULL,
        error_code TEXT,
        error_detail TEXT,
        answer TEXT,
        PRIMARY KEY (webhook_id, seq)
      ) STRICT;
      CREATE TABLE webhook_work (
        id TEXT PRIMARY KEY,
        webhook_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        created_at_ms INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        next_attempt_at_ms INTEGER NOT NULL,
        about TEXT,
        reason TEXT,
        after_height INTEGER,
        after_idx INTEGER,
        until_height INTEGER,
        until_idx INTEGER,
        place_height INTEGER,
        place_idx INTEGER
      ) STRICT;
    `);
    takeOldWebhooks(sql);
  },
  // Each line of the audit trail has a hash over the line before (audit-chain.ts).
  chainOldLines,
];
