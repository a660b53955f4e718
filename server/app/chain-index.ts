/**
 * chain.db as an index of the log: written from the log, by a thread of its own or, without that thread, with each block.
 *
 * @module
 */
import Database from 'better-sqlite3';
import type { Stopwatch } from '../engine/ports.ts';
import type { ChainIndex } from '../gateway/embedded/settled.ts';
import { ChainLog, logBeside } from '../store/embedded/chain-log.ts';
import { CommitCount, commitCountMemory } from '../store/embedded/commit-count.ts';
import { type ChainConnection } from '../store/embedded/connection.ts';
import { StoreUnavailableError } from '../store/errors.ts';
import { ChainWriter } from './chain-writer.ts';

/** Longest wait for chain.db: after it, its disk is taken as full or not responding. */
export const CAUGHT_UP_MS_MAX = 5000;

export interface WrittenChain extends ChainIndex {
  /** Resolves when chain.db has every entry of the log, and no longer has a writer. */
  close(): Promise<void>;
}

export interface ChainAtOnceOptions {
  /** The connection that writes chain.db. */
  sql: ChainConnection;
  /** Of chain.db. */
  file: string;
  log: ChainLog;
  chainId: string;
  commits: CommitCount;
  blocks?: Stopwatch | undefined;
  checkpoints?: Stopwatch | undefined;
  /** Opens the connection that makes checkpoints of log.db. */
  openLogSql?: ((chainFile: string) => Database.Database) | undefined;
  /** Reports the blocks that are written at a start. */
  onProgress?: ((height: number) => void) | undefined;
}

/** Writes on the caller's thread: first the entries that the log already has, then each block as it comes. Throws as `Store.write` does. */
export function chainAtOnce({
  sql,
  file,
  log,
  onProgress,
  openLogSql = openForCheckpoints,
  ...options
}: ChainAtOnceOptions): WrittenChain {
  const logSql = openLogSql(file);
  try {
    const writer = new ChainWriter({ ...options, sql, logSql, log: log.entries });
    const catchUp = (onBlock?: (height: number) => void): void => {
      while (writer.next()) onBlock?.(writer.height);
    };
    catchUp(onProgress);
    return {
      get height() {
        return writer.height;
      },
      get accessSeq() {
        return writer.accessSeq;
      },
      wake: () => {
        catchUp();
        const synced = writer.maintain(true);
        if (synced !== undefined) while (log.drop(synced));
      },
      caughtUp: async () => undefined,
      accessCaughtUp: async () => undefined,
      close: async () => void logSql.close(),
    };
  } catch (error) {
    logSql.close();
    throw error;
  }
}

/** Opens the log of a stopped service and writes its entries into chain.db, so that chain.db alone has the height of the chain. */
export function bringToLog(
  sql: ChainConnection,
  file: string,
  chain: { chainId: string; genesisHash: string },
  witnessFile?: string,
): void {
  const log = new ChainLog({ sql, chainFile: file, chain, witnessFile });
  const commits = new CommitCount(commitCountMemory());
  try {
    void chainAtOnce({ sql, file, log, chainId: chain.chainId, commits }).close();
  } finally {
    log.close();
  }
}

/** A connection to log.db that makes only explicit checkpoints. */
export function openForCheckpoints(chainFile: string): Database.Database {
  const sql = new Database(logBeside(chainFile));
  sql.pragma('wal_autocheckpoint = 0');
  return sql;
}

/** The longest wait, and the clock that measures it. */
interface WaitOptions {
  waitMsMax?: number | undefined;
  monotonicMs?: (() => number) | undefined;
}

/**
 * Waits until chain.db has a block: the last one at the end of the wait if none is named, because others may be made meanwhile. Rejects
 * with StoreUnavailableError when that takes too long.
 */
export const caughtUpTo = (commits: CommitCount, height: () => number, options?: WaitOptions): Promise<void> =>
  until(
    {
      written: () => commits.height,
      wanted: height,
      beyond: (written, ms) => commits.beyond(written, ms),
      fault: (written) => `chain.db is at block ${written} and does not come to block ${height()}`,
    },
    options,
  );

/** Waits in the same way for the access entries of the log, up to an entry. */
export const accessCaughtUpTo = (commits: CommitCount, seq: number, options?: WaitOptions): Promise<void> =>
  until(
    {
      written: () => commits.accessSeq,
      wanted: () => seq,
      beyond: (written, ms) => commits.beyondAccess(written, ms),
      fault: (written) => `chain.db has changes of access up to entry ${written} and does not come to entry ${seq}`,
    },
    options,
  );

async function until(
  wait: {
    written(): number;
    wanted(): number;
    beyond(written: number, timeoutMs: number): Promise<void>;
    fault(written: number): string;
  },
  { waitMsMax = CAUGHT_UP_MS_MAX, monotonicMs = () => performance.now() }: WaitOptions = {},
): Promise<void> {
  const untilMs = monotonicMs() + waitMsMax;
  for (;;) {
    const written = wait.written();
    if (written >= wait.wanted()) return;
    const leftMs = untilMs - monotonicMs();
    if (leftMs <= 0) throw new StoreUnavailableError(wait.fault(written));
    await wait.beyond(written, leftMs);
  }
}
