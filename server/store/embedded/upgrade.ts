/**
 * Fills a new chain.db from the databases of an earlier version: the chain block by block, as its blocks are executed again, and everything
 * that no block knows from gateway.db, in SQL from file to file.
 *
 * Written without waiting for the disk: the file gets its name only when it is whole and on disk, and before that it is made again.
 */
import Database from 'better-sqlite3';
import type { ChainConnection } from './connection.ts';
import { MIGRATIONS, SEGMENT_BITS } from './migrations.ts';
import { HASH_PREFIX_BYTES } from './segments.ts';

/** A block as it was executed again. */
export interface UpgradedBlock {
  height: number;
  hash: Uint8Array;
  parts: { total: number; hash: Uint8Array };
  timeNs: bigint;
  transactionCount: number;
  appHash: Uint8Array;
  resultsHash: Uint8Array;
  failures: readonly (readonly [index: number, code: number, log: string])[];
  commit: Uint8Array;
  bytes: Uint8Array;
  /** What was executed of it. */
  executed: readonly { hash: Uint8Array; position: number; isTransfer: boolean }[];
}

/** The chain after its last block. */
export interface UpgradedChain {
  chainId: string;
  genesisHash: string;
  genesisTimeMs: number;
  accounts: Iterable<{ address: string; leaf: number; balance: string; nonce: number; voids: string }>;
  /** The governance record as JSON. */
  governance: string;
  signed: { height: number; round: number; step: number; signature: Uint8Array; signBytes: Uint8Array } | undefined;
}

/** Rows of one step: short enough to tell how far it is. */
const ROWS_PER_STEP = 50_000;
const BLOCKS_PER_TRANSACTION = 1000;
const CACHE_KIB = 64 * 1024;

export class ChainUpgrade {
  readonly #sql: ChainConnection;
  readonly #insertBlock: Database.Statement;
  readonly #insertOther: Database.Statement;
  readonly #insertPlace: Database.Statement;
  #blocksInTransaction = 0;

  /** `path` is a file that is empty or does not exist. */
  constructor(path: string) {
    this.#sql = new Database(path);
    // Nothing is rolled back: what is not whole is made again. (OFF is not to be had: the library opens files in SQLite's defensive mode.)
    this.#sql.pragma('journal_mode = MEMORY');
    this.#sql.pragma('synchronous = OFF');
    this.#sql.pragma(`cache_size = -${CACHE_KIB}`);
    for (const step of MIGRATIONS) this.#sql.exec(step);
    this.#sql.pragma(`user_version = ${MIGRATIONS.length}`);
    this.#sql.exec('CREATE TEMP TABLE places (hash BLOB PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID');
    this.#sql.function('hash_prefix', { deterministic: true }, (hash) => (hash as Buffer).readUIntBE(0, HASH_PREFIX_BYTES));
    this.#insertBlock = this.#sql.prepare(
      `INSERT INTO blocks (height, hash, parts_total, parts_hash, time_ns, transaction_count, app_hash, results_hash, failures, commit_bytes, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertOther = this.#sql.prepare('INSERT INTO other_transactions (hash, height, position) VALUES (?, ?, ?)');
    this.#insertPlace = this.#sql.prepare('INSERT INTO places (hash, position) VALUES (?, ?)');
  }

  /** In the order of heights. */
  addBlock(block: UpgradedBlock): void {
    if (this.#blocksInTransaction === 0) this.#sql.exec('BEGIN');
    const { height, hash, parts, timeNs, transactionCount, appHash, resultsHash, failures, commit, bytes, executed } = block;
    this.#insertBlock.run(height, hash, parts.total, parts.hash, timeNs, transactionCount, appHash, resultsHash, JSON.stringify(failures), commit, bytes);
    for (const { hash: id, position, isTransfer } of executed) {
      if (isTransfer) this.#insertPlace.run(id, position);
      else this.#insertOther.run(id, height, position);
    }
    this.#blocksInTransaction += 1;
    if (this.#blocksInTransaction >= BLOCKS_PER_TRANSACTION) this.#commit();
  }

  #commit(): void {
    if (this.#sql.inTransaction) this.#sql.exec('COMMIT');
    this.#blocksInTransaction = 0;
  }

  /** After the last block. `gateway` is the path of a gateway.db with the newest schema that stands at the same height. */
  takeOver(gateway: string, chain: UpgradedChain, onProgress: (rows: number, ofRows: number) => void): void {
    this.#commit();
    const sql = this.#sql;
    sql.prepare('ATTACH ? AS old').run(gateway);
    sql.transaction(() => {
      this.#writeChain(chain);
      // Ids of accounts stay what they were: every row of transfers names them.
      sql.exec(COPY_NAMES);
    })();
    this.#addAccounts(chain);
    this.#copyTransfers(onProgress);
    sql.exec('DETACH old');
  }

  #writeChain({ chainId, genesisHash, genesisTimeMs, governance, signed }: UpgradedChain): void {
    const uptime = this.#sql.prepare('SELECT coalesce(max(uptime_ms), 0) FROM old.follower').pluck().get();
    this.#sql
      .prepare('INSERT INTO chain (id, chain_id, genesis_hash, genesis_time_ms, uptime_ms, next_journal_id) VALUES (1, ?, ?, ?, ?, 1)')
      .run(chainId, genesisHash, genesisTimeMs, uptime);
    this.#sql.prepare('INSERT INTO governance (id, record) VALUES (1, ?)').run(governance);
    if (signed === undefined) return;
    const { height, round, step, signature, signBytes } = signed;
    this.#sql.prepare('INSERT INTO sign_state (id, height, round, step, signature, sign_bytes) VALUES (1, ?, ?, ?, ?, ?)').run(height, round, step, signature, signBytes);
  }

  #addAccounts({ accounts }: UpgradedChain): void {
    const upsert = this.#sql.prepare(
      `INSERT INTO accounts (address, leaf, balance, nonce, voids) VALUES (?, ?, ?, ?, ?) ON CONFLICT (address) DO UPDATE
       SET leaf = excluded.leaf, balance = excluded.balance, nonce = excluded.nonce, voids = excluded.voids`,
    );
    this.#sql.transaction(() => {
      for (const { address, leaf, balance, nonce, voids } of accounts) upsert.run(address, leaf, balance, nonce, voids);
    })();
  }

  #copyTransfers(onProgress: (rows: number, ofRows: number) => void): void {
    const last = this.#sql.prepare('SELECT coalesce(max(seq), 0) FROM old.transfers').pluck().get() as number;
    const steps = COPY_TRANSFERS.map((text) => this.#sql.prepare(text));
    const copy = this.#sql.transaction((from: number) => {
      for (const step of steps) step.run({ from, to: from + ROWS_PER_STEP });
    });
    for (let from = 1; from <= last; from += ROWS_PER_STEP) {
      copy(from);
      onProgress(Math.min(from + ROWS_PER_STEP - 1, last), last);
    }
  }

  close(): void {
    this.#sql.close();
  }
}

/** A token's owner stands for who asked for a cancel with it; where no token was written down, it is not known who asked. */
const COPY_NAMES = `
  INSERT INTO accounts (id, address, leaf, balance, nonce, voids) SELECT id, address, NULL, '0', 0, '' FROM old.accounts ORDER BY id;
  INSERT INTO tokens SELECT id, secret_sha256, owner, scopes, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms FROM old.tokens;
  INSERT INTO address_bindings SELECT address, owner, bound_at_ms FROM old.address_bindings;
  INSERT INTO audit SELECT id, at_ms, actor, action, subject, details FROM old.audit ORDER BY id;
  INSERT INTO idempotency_keys SELECT o.name, k.idempotency_key, k.seq FROM old.idempotency_keys k JOIN old.owners o ON o.id = k.owner_id;
  INSERT INTO submitters (owner, token_id)
    SELECT o.name, coalesce(t.token_id, '') FROM old.transfers t JOIN old.owners o ON o.id = t.owner_id
    UNION SELECT o.owner, o.id FROM old.transfers t JOIN old.tokens o ON o.id = t.cancel_token_id;
`;

const SEGMENT = `seq >> ${SEGMENT_BITS}`;
const RANGE = 'seq >= :from AND seq < :to';
/** Columns of bytes were declared with a name that SQLite gives no meaning, and hold blobs. */
const COPY_TRANSFERS: readonly string[] = [
  `INSERT INTO transfers (seq, hash, from_id, to_id, amount, nonce, submitter_id, status, reason, reason_hash, executed_as, first_seen_at_ms, broadcast_at_ms,
     cancel_requested_at_ms, cancel_submitter_id, expiry_requested_at_ms, height, position, block_time_ms)
   SELECT t.seq, t.hash, t.from_id, t.to_id, t.amount, t.nonce, s.id, t.status, t.reason, t.reason_hash, t.executed_as, t.first_seen_at_ms, t.broadcast_at_ms,
     t.cancel_requested_at_ms, c.id, t.expiry_requested_at_ms, t.height, p.position, t.block_time_ms
   FROM old.transfers t
     LEFT JOIN old.owners o ON o.id = t.owner_id LEFT JOIN submitters s ON s.owner = o.name AND s.token_id = coalesce(t.token_id, '')
     LEFT JOIN old.tokens k ON k.id = t.cancel_token_id LEFT JOIN submitters c ON c.owner = k.owner AND c.token_id = k.id
     LEFT JOIN places p ON p.hash = coalesce(t.executed_as, t.hash) AND (t.status = 1 OR t.reason = 1)
   WHERE t.seq >= :from AND t.seq < :to ORDER BY t.seq`,
  `INSERT INTO pending SELECT seq, from_id, nonce, signature, seen_block_ms, seen_uptime_ms FROM old.transfers WHERE ${RANGE} AND status = 0 ORDER BY seq`,
  `INSERT INTO by_hash SELECT ${SEGMENT}, prefix, seq FROM (
     SELECT hash_prefix(hash) AS prefix, seq FROM transfers WHERE ${RANGE}
     UNION SELECT hash_prefix(executed_as), seq FROM transfers WHERE ${RANGE} AND executed_as IS NOT NULL) ORDER BY 1, 2, 3`,
  `INSERT INTO by_slot SELECT ${SEGMENT}, from_id, nonce, seq FROM transfers WHERE ${RANGE} ORDER BY 1, 2, 3, 4`,
  `INSERT INTO by_sender SELECT ${SEGMENT}, from_id, seq FROM transfers WHERE ${RANGE} ORDER BY 1, 2, 3`,
  `INSERT INTO by_receiver SELECT ${SEGMENT}, to_id, seq FROM transfers WHERE ${RANGE} ORDER BY 1, 2, 3`,
];
