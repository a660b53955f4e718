/** Reads blocks.db, in which earlier versions of the embedded engine kept their blocks and commits. */
import { StoreDamagedError } from '../errors.ts';
import { openConnection, type SqliteConnection } from '../sqlite/library.ts';

/** The one form that a released version wrote. */
const SCHEMA_VERSION = 1;

export interface OldBlock {
  height: number;
  hash: Uint8Array;
  parts: { total: number; hash: Uint8Array };
  timeNs: bigint;
  transactionCount: number;
  bytes: Uint8Array;
  /** Absent of the last block where the process died before it was there. */
  commit: Uint8Array | undefined;
}

interface Row {
  height: bigint;
  hash: Buffer;
  partsTotal: bigint;
  partsHash: Buffer;
  timeNs: bigint;
  transactionCount: bigint;
  bytes: Buffer;
  commitBytes: Buffer | null;
}

export class OldBlocks {
  readonly #sql: SqliteConnection;
  readonly chainId: string;
  readonly genesisHash: string;
  /** Heights of the last block and of the last commit; 0 without one. */
  readonly stored: number;
  readonly committed: number;

  constructor(path: string) {
    this.#sql = openConnection(path);
    const one = (query: string): unknown => this.#sql.prepare(query).pluck().get();
    try {
      const version = this.#sql.pragma('user_version', { simple: true });
      if (version !== SCHEMA_VERSION) throw new StoreDamagedError(`${path} has schema version ${String(version)}, where an earlier version wrote ${SCHEMA_VERSION}`);
      this.chainId = String(one('SELECT chain_id FROM chain'));
      this.genesisHash = String(one('SELECT genesis_hash FROM chain'));
      this.stored = one('SELECT coalesce(max(height), 0) FROM blocks') as number;
      this.committed = one('SELECT coalesce(max(height), 0) FROM commits') as number;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  hashOf(height: number): Uint8Array | undefined {
    return this.#sql.prepare('SELECT hash FROM blocks WHERE height = ?').pluck().get(height) as Buffer | undefined;
  }

  /** All of them, from the first on; no other statement runs on the connection meanwhile. */
  *all(): Generator<OldBlock> {
    const rows = this.#sql
      .prepare(
        `SELECT b.height, b.hash, b.parts_total AS partsTotal, b.parts_hash AS partsHash, b.time_ns AS timeNs, b.transaction_count AS transactionCount, b.bytes,
           c.bytes AS commitBytes
         FROM blocks b LEFT JOIN commits c ON c.height = b.height ORDER BY b.height`,
      )
      // Header times in nanoseconds are past 2^53.
      .safeIntegers(true)
      .iterate() as IterableIterator<Row>;
    for (const { height, hash, partsTotal, partsHash, timeNs, transactionCount, bytes, commitBytes } of rows) {
      const parts = { total: Number(partsTotal), hash: partsHash };
      yield { height: Number(height), hash, parts, timeNs, transactionCount: Number(transactionCount), bytes, commit: commitBytes ?? undefined };
    }
  }

  close(): void {
    this.#sql.close();
  }
}
