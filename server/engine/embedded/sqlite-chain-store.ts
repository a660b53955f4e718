/**
 * The chain in SQLite, over an open connection to chain.db: its schema, and the other tables in it, are server/store/embedded's.
 *
 * Rows of blocks are written once and never changed. The effects of a block's transactions follow from their bytes and their codes, so of
 * the results only the codes that are not 0 are kept.
 */
import type { Database } from 'better-sqlite3';
import { type AccountRow, type GovernanceState, isExecuted, type Transaction } from '../../ledger/index.ts';
import type { Stopwatch } from '../ports.ts';
import { accountRows, accountValues, type AccountSqlRow } from '../sqlite/ledger-tables.ts';
import { EngineStartError } from '../start-error.ts';
import { packBlock, unpackBlock } from './packed-block.ts';
import type { Failure } from '../results.ts';
import type { BlockUpdate, ChainStore, Executed, InitialState, LastSigned } from './stores.ts';

/** The connection that writes chain.db. Its owner closes it. */
export interface ChainDatabase {
  sql: Database;
  /** Runs `work` in one write transaction, durable (fsynced) when this returns. */
  writing<T>(work: () => T): T;
  /**
   * Called before each checkpoint with true when the write-ahead log is as long as it may be. The log restarts with the first commit after
   * a whole checkpoint during which no reader uses it, so as long as it is too long, readers must end their snapshots again and again.
   */
  onLog?: (isLong: boolean) => void;
  /** Measures each checkpoint that a block waits for. */
  checkpoints?: Stopwatch;
}

/** When idle, a checkpoint is worth its fsyncs from this many pages of write-ahead log on. */
const CHECKPOINT_IDLE_PAGES_MIN = 64;
/** Under load the write-ahead log may grow to this many pages (64 MiB) before a block has to wait for a checkpoint. */
const CHECKPOINT_BUSY_PAGES_MAX = 16_384;

/** Bytes of a hash in by_hash: six bytes stay exact in a number, and the row distinguishes hashes that share them. */
const HASH_PREFIX_BYTES = 6;

interface BlockRow {
  height: bigint;
  hash: Buffer;
  partsTotal: bigint;
  partsHash: Buffer;
  timeNs: bigint;
  transactionCount: bigint;
  bytes: Buffer;
}

interface ExecutedRow {
  appHash: Buffer;
  resultsHash: Buffer;
  failures: string;
}

interface Place {
  height: number;
  index: number;
}

/** The part of a block that is written as rows: of its transactions only kind and hash. */
export type BlockToWrite = Omit<BlockUpdate, 'transactions'> & {
  transactions: readonly { tx: Pick<Transaction, 'kind'>; hash: string }[];
};

export type SqliteChainStore = Omit<ChainStore, 'append'> & {
  append(block: BlockToWrite, within: () => void): void;
  /** Makes a checkpoint where one is due, between two blocks; `idle` says that no work waits for it. */
  maintain(idle: boolean): void;
};

export function sqliteChainStore({ sql, writing, onLog, checkpoints }: ChainDatabase): SqliteChainStore {
  const selectChain = sql.prepare('SELECT chain_id AS chainId, genesis_hash AS genesisHash FROM chain');
  const selectTip = sql.prepare('SELECT coalesce(max(height), 0) FROM blocks').pluck();
  const selectBlock = sql
    .prepare(
      `SELECT height, hash, parts_total AS partsTotal, parts_hash AS partsHash, time_ns AS timeNs, transaction_count AS transactionCount, bytes
       FROM blocks WHERE height = ?`,
    )
    // Header times in nanoseconds are past 2^53.
    .safeIntegers(true);
  const selectCommit = sql.prepare('SELECT commit_bytes FROM blocks WHERE height = ?').pluck();
  const selectHeight = sql.prepare('SELECT height FROM blocks WHERE hash = ?').pluck();
  const selectExecuted = sql.prepare(
    'SELECT app_hash AS appHash, results_hash AS resultsHash, failures FROM blocks WHERE height = ?',
  );
  const selectSigned = sql.prepare('SELECT height, round, step, signature, sign_bytes AS signBytes FROM sign_state');
  const selectGovernance = sql.prepare('SELECT record FROM governance').pluck();
  const selectAccounts = sql.prepare(
    'SELECT leaf, address, balance, nonce, voids FROM accounts WHERE leaf IS NOT NULL ORDER BY leaf',
  );
  const selectLastSegment = sql.prepare('SELECT max(segment) FROM by_hash').pluck();
  const selectTransfers = sql.prepare(
    `SELECT t.height, t.position AS "index" FROM by_hash h JOIN transfers t ON t.seq = h.seq
     WHERE h.segment = ? AND h.prefix = ? AND t.height IS NOT NULL AND t.position IS NOT NULL AND (t.hash = ? OR t.executed_as = ?)`,
  );
  const selectOther = sql.prepare('SELECT height, position AS "index" FROM other_transactions WHERE hash = ?');

  // A generator, so that nothing is open before the first row is read.
  function* accounts(): Generator<AccountRow> {
    yield* accountRows(selectAccounts.iterate() as Iterable<AccountSqlRow>);
  }
  const executed = (height: number): Executed | undefined => {
    const row = selectExecuted.get(height) as ExecutedRow | undefined;
    return row && { ...row, failures: JSON.parse(row.failures) as Failure[] };
  };

  return {
    ...writer(sql, writing),
    height: () => Number(selectTip.get()),
    load() {
      const chain = selectChain.get() as { chainId: string; genesisHash: string } | undefined;
      if (chain === undefined) return undefined;
      const height = Number(selectTip.get());
      const governance = governanceOf(selectGovernance.get());
      return { ...chain, height, recorded: executed(height), accounts: accounts(), governance };
    },
    lastSigned() {
      const row = selectSigned.get() as { [Key in keyof LastSigned]: LastSigned[Key] | null } | undefined;
      return (
        row && ({ ...row, signature: row.signature ?? undefined, signBytes: row.signBytes ?? undefined } as LastSigned)
      );
    },
    block(height) {
      const row = selectBlock.get(height) as BlockRow | undefined;
      return (
        row && {
          height: Number(row.height),
          id: { hash: row.hash, parts: { total: Number(row.partsTotal), hash: row.partsHash } },
          timeNs: row.timeNs,
          transactionCount: Number(row.transactionCount),
          bytes: bytesOf(height, row.bytes),
        }
      );
    },
    commit: (height) => selectCommit.get(height) as Buffer | undefined,
    heightOf: (blockHash) => selectHeight.get(blockHash) as number | undefined,
    executed,
    locate(hash) {
      const other = selectOther.all(hash) as Place[];
      if (other.length > 0) return other;
      const prefix = Buffer.from(hash.buffer, hash.byteOffset, hash.length).readUIntBE(0, HASH_PREFIX_BYTES);
      // Newest first: recent transactions are read most.
      for (let segment = Number(selectLastSegment.get() ?? -1); segment >= 0; segment--) {
        const found = selectTransfers.all(segment, prefix, hash, hash) as Place[];
        if (found.length > 0) return found;
      }
      return [];
    },
    maintain(idle) {
      const [pages] = sql.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
      const log = pages?.log ?? 0;
      const isLong = log >= CHECKPOINT_BUSY_PAGES_MAX;
      onLog?.(isLong);
      const waiting = log - (pages?.checkpointed ?? 0);
      // A long log that did not restart, because it was being read at that moment, gets its next chance after the next block.
      if (waiting < (idle || isLong ? CHECKPOINT_IDLE_PAGES_MIN : CHECKPOINT_BUSY_PAGES_MAX)) return;
      const startedMs = checkpoints?.start() ?? 0;
      sql.pragma('wal_checkpoint(PASSIVE)');
      checkpoints?.stop(startedMs);
    },
  };
}

/** A file assembled from two moments may lack the row. */
function governanceOf(text: unknown): GovernanceState {
  try {
    if (typeof text === 'string') return JSON.parse(text) as GovernanceState;
  } catch {
    // Reported below.
  }
  throw new EngineStartError('chain.db is damaged: it has no record of governance. Put a backup of chain.db back');
}

/** Throws an EngineStartError for a block that is damaged. */
function bytesOf(height: number, stored: Uint8Array): Uint8Array {
  try {
    return unpackBlock(stored);
  } catch (error) {
    throw new EngineStartError(
      `chain.db is damaged: block ${height} is unreadable (${(error as Error).message}). Put a backup of chain.db back`,
    );
  }
}

function writer(sql: Database, writing: ChainDatabase['writing']): Pick<SqliteChainStore, 'initialise' | 'append'> {
  const insertChain = sql.prepare(
    'INSERT INTO chain (id, chain_id, genesis_hash, genesis_time_ms, uptime_ms) VALUES (1, ?, ?, ?, 0)',
  );
  const insertBlock = sql.prepare(
    `INSERT INTO blocks (height, hash, parts_total, parts_hash, time_ns, transaction_count, app_hash, results_hash, failures, commit_bytes, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const upsertSigned = sql.prepare(
    `INSERT INTO sign_state (id, height, round, step, signature, sign_bytes) VALUES (1, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
     SET height = excluded.height, round = excluded.round, step = excluded.step, signature = excluded.signature, sign_bytes = excluded.sign_bytes`,
  );
  const upsertGovernance = sql.prepare(
    'INSERT INTO governance (id, record) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record',
  );
  const updateAccount = sql.prepare('UPDATE accounts SET balance = ?, nonce = ?, voids = ? WHERE leaf = ?');
  // An address may be there without a leaf: as the receiver of a transfer that is not executed yet.
  const insertAccount = sql.prepare(
    `INSERT INTO accounts (leaf, address, balance, nonce, voids) VALUES (?, ?, ?, ?, ?) ON CONFLICT (address) DO UPDATE
     SET leaf = excluded.leaf, balance = excluded.balance, nonce = excluded.nonce, voids = excluded.voids`,
  );
  const insertOther = sql.prepare('INSERT INTO other_transactions (hash, height, position) VALUES (?, ?, ?)');

  const writeAccounts = (rows: Iterable<AccountRow>): void => {
    for (const row of rows) {
      const [leaf, address, balance, nonce, voids] = accountValues(row);
      if (updateAccount.run(balance, nonce, voids, leaf).changes === 0)
        insertAccount.run(leaf, address, balance, nonce, voids);
    }
  };
  const writeOthers = (
    height: number,
    transactions: BlockToWrite['transactions'],
    failures: readonly Failure[],
  ): void => {
    const refused = new Set(failures.filter(([, code]) => !isExecuted(code)).map(([index]) => index));
    transactions.forEach(({ tx, hash }, index) => {
      if (tx.kind !== 'transfer' && !refused.has(index)) insertOther.run(Buffer.from(hash, 'hex'), height, index);
    });
  };

  return {
    initialise({ chainId, genesisHash, genesisTimeMs, accounts, governance }: InitialState) {
      writing(() => {
        insertChain.run(chainId, genesisHash, genesisTimeMs);
        writeAccounts(accounts);
        upsertGovernance.run(JSON.stringify(governance));
      });
    },
    append(
      { block, commit, signed, appHash, resultsHash, failures, transactions, accounts, governance }: BlockToWrite,
      within,
    ) {
      const { height, id, timeNs, transactionCount, bytes } = block;
      writing(() => {
        insertBlock.run(
          height,
          id.hash,
          id.parts.total,
          id.parts.hash,
          timeNs,
          transactionCount,
          appHash,
          resultsHash,
          JSON.stringify(failures),
          commit,
          packBlock(bytes),
        );
        upsertSigned.run(signed.height, signed.round, signed.step, signed.signature ?? null, signed.signBytes ?? null);
        writeAccounts(accounts);
        if (governance !== undefined) upsertGovernance.run(JSON.stringify(governance));
        writeOthers(height, transactions, failures);
        within();
      });
    },
  };
}
