/**
 * Opens the SQLite files that can be rebuilt from the blocks: one policy for durability, checkpoints, schema version and the chain that a
 * file belongs to.
 */
import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { CHAIN_FILE_ID } from '../../ledger/index.ts';
import { EngineStartError } from '../start-error.ts';

/** Identity of the chain that a file belongs to, so that no file of another chain is ever mixed in. */
export interface ChainIdentity {
  chainId: string;
  /** SHA-256 of the genesis file, upper-case hex. */
  genesisHash: string;
}

export interface OpenOptions {
  path: string;
  /** Absent where the file itself is the first source of the chain's identity. */
  identity?: ChainIdentity;
  /**
   * The schema as the list of its migrations. A file records in `user_version` how many it has had, and opening it runs the rest. A
   * released migration is never changed: the next one is added after it. One for a file that can be rebuilt from the blocks may drop
   * tables and create them again.
   */
  migrations: readonly string[];
}

/** When idle, a checkpoint is worth its fsyncs from this much write-ahead log on. */
const CHECKPOINT_IDLE_BYTES_MIN = 256 * 1024;
/** Under load the write-ahead log may grow to this before a block has to wait for a checkpoint. */
const CHECKPOINT_BUSY_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Page cache. The SQLite of the driver uses up to 16 MB for each connection, of which an index that is written in order needs
 * little.
 */
const CACHE_KIB = 4 * 1024;

/** SQLite's result codes for a file that cannot be read as what it should be. */
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;

class DamagedDatabaseError extends EngineStartError {}

/**
 * True when a file cannot be read as a database. A file of another chain, or of a later version, is another error: someone put it there.
 */
export function isDamage(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof DamagedDatabaseError || (typeof code === 'string' && DAMAGED.test(code));
}

export class SqliteDatabase {
  readonly sql: Database.Database;
  #uncheckpointedBytes = 0;

  constructor(options: OpenOptions) {
    this.sql = new Database(options.path);
    try {
      this.#prepare(options);
    } catch (error) {
      this.sql.close();
      const { code, message } = error as Error & { code?: unknown };
      if (typeof code !== 'string' || !DAMAGED.test(code)) throw error;
      throw new DamagedDatabaseError(`${options.path} is damaged or no database of this program: ${message}`);
    }
  }

  /** Adds to the number of written bytes, for the checkpoint policy. */
  wrote(bytes: number): void {
    this.#uncheckpointedBytes += bytes;
  }

  /** Makes a checkpoint if it is worth it: early when idle, late under load. */
  maintain(idle: boolean): void {
    if (this.#uncheckpointedBytes < (idle ? CHECKPOINT_IDLE_BYTES_MIN : CHECKPOINT_BUSY_BYTES_MAX)) return;
    this.sql.pragma('wal_checkpoint(PASSIVE)');
    this.#uncheckpointedBytes = 0;
  }

  close(): void {
    this.sql.close();
  }

  #prepare(options: OpenOptions): void {
    // The header of a new file gets its chain format before anything that would write the header to the write-ahead log instead.
    if (this.sql.pragma('page_count', { simple: true }) === 0) this.sql.pragma(`application_id = ${CHAIN_FILE_ID}`);
    this.sql.pragma(`cache_size = -${CACHE_KIB}`);
    this.sql.pragma('journal_mode = WAL');
    // A commit survives the death of the process. A power cut may lose the last ones, never a part of one: all of it can be rebuilt.
    this.sql.pragma('synchronous = NORMAL');
    this.sql.pragma('fullfsync = 1');
    // Checkpoints inside a commit would stall blocks; `maintain` runs them between blocks.
    this.sql.pragma('wal_autocheckpoint = 0');
    this.#migrate(options);
    this.#checkIdentity(options);
  }

  #migrate(options: OpenOptions): void {
    const { path, migrations, identity } = options;
    const found = Number(this.sql.pragma('user_version', { simple: true }));
    if (found === migrations.length) return;
    if (found > migrations.length) {
      throw new EngineStartError(
        `${path} has schema version ${found}, this program knows ${migrations.length}: a later version wrote it; run that one`,
      );
    }
    // Checked before anything of another chain's file is changed.
    if (found > 0) this.#checkIdentity(options);
    this.sql.transaction(() => {
      for (const step of migrations.slice(found)) this.sql.exec(step);
      if (found === 0 && identity) this.#writeIdentity(identity);
      this.sql.pragma(`user_version = ${migrations.length}`);
    })();
  }

  #writeIdentity({ chainId, genesisHash }: ChainIdentity): void {
    this.sql.exec('CREATE TABLE chain (chain_id TEXT NOT NULL, genesis_hash TEXT NOT NULL)');
    this.sql.prepare('INSERT INTO chain (chain_id, genesis_hash) VALUES (?, ?)').run(chainId, genesisHash);
  }

  #checkIdentity({ path, identity }: OpenOptions): void {
    if (!identity) return;
    const row = this.sql.prepare('SELECT chain_id AS chainId, genesis_hash AS genesisHash FROM chain').get() as
      | ChainIdentity
      | undefined;
    if (row?.chainId === identity.chainId && row.genesisHash === identity.genesisHash) return;
    throw new EngineStartError(
      `${path} belongs to chain ${row?.chainId} with genesis ${row?.genesisHash}, but the genesis file is of chain ` +
        `${identity.chainId} with hash ${identity.genesisHash}: use the genesis file and the data directory that belong together`,
    );
  }
}

/**
 * The height that a file made from the blocks has reached, read without changing it. Undefined where there is none, it is of another chain,
 * or it cannot be read: it is then rebuilt.
 */
export function heightIn(path: string, genesisHash: string): number | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const sql = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return sql.prepare('SELECT height FROM progress, chain WHERE genesis_hash = ?').pluck().get(genesisHash) as
        | number
        | undefined;
    } finally {
      sql.close();
    }
  } catch {
    return undefined;
  }
}
