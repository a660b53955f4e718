/**
 * Checkpoints of the gateway's database, outside of its commits.
 *
 * SQLite copies its log into the file inside the commit that makes it longer than 1,000 pages, so that a group of transfers would wait for
 * two more fsyncs and for pages all over the file. Where another thread does it, a commit is one write and one fsync.
 */
import type { SqliteConnection } from './library.ts';

/** Another thread's, which works while this one goes on. */
export interface Checkpoints {
  /** Requests one, unless one is under way. False when there is no thread to do it. */
  soon(): boolean;
  close(): Promise<void>;
}

/** 4 MiB of log, SQLite's own measure. */
const CHECKPOINT_PAGES_MIN = 1000;
/**
 * The log is measured once in so many commits: reading its length costs a tenth of a millisecond. A commit writes some hundred pages at
 * most.
 */
const COMMITS_PER_LOOK = 8;

export interface LogKeeper {
  /** A transaction is durable, and its caller does not have the answer yet. */
  committed(): void;
  close(): Promise<void>;
}

/** Without `checkpoints` SQLite does it by itself. */
export function keepLogShort(
  connection: SqliteConnection,
  checkpoints: ((onDone: () => void) => Checkpoints) | undefined,
): LogKeeper {
  if (checkpoints === undefined) return { committed() {}, async close() {} };
  const here = (): void => void connection.pragma('wal_checkpoint(PASSIVE)');
  // A short rest has come while the other thread worked. Once nothing is left the log begins again at its start instead of growing.
  const other = checkpoints(() => {
    if (connection.open && !connection.inTransaction) here();
  });
  connection.pragma('wal_autocheckpoint = 0');
  let commits = 0;
  return {
    committed() {
      commits += 1;
      if (commits % COMMITS_PER_LOOK !== 0) return;
      const [pages] = connection.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
      const waiting = (pages?.log ?? 0) - (pages?.checkpointed ?? 0);
      if (waiting >= CHECKPOINT_PAGES_MIN && !other.soon()) here();
    },
    close: () => other.close(),
  };
}
