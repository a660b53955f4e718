/**
 * Writes chain.db from the log. Only readers of settled transfers wait for it, so its commits are not synced one by one: data that a power
 * cut takes is in the log.
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { LogUnavailableError } from '../../../log/log.ts';
import { openLogReader } from '../../../log/sqlite-log.ts';
import { logBeside } from '../../../store/embedded/chain-log.ts';
import { CommitCount } from '../../../store/embedded/commit-count.ts';
import { type ChainConnection, countCommits, openChainDatabase } from '../../../store/embedded/connection.ts';
import type { LocalWebhookWrite } from '../../../store/embedded/webhooks.ts';
import { StoreUnavailableError } from '../../../store/errors.ts';
import { sqliteCode } from '../../../store/sqlite/library.ts';
import { openForCheckpoints } from '../../chain-index.ts';
import { ChainWriter } from '../../chain-writer.ts';
import { keepCompiled } from '../../compile-cache.ts';
import type { LogLevel } from '../../config.ts';
import { Durations } from '../../durations.ts';
import { createLogger } from '../../logging.ts';
import { link } from '../link.ts';
import type { ThreadControl } from '../spawn.ts';

export interface ChainJob {
  /** File of chain.db. */
  file: string;
  chainId: string;
  commits: SharedArrayBuffer;
  logLevel: LogLevel;
  /** The other end is in the ledger thread, which begins when chain.db has every entry that the log had at the start. */
  ledgerPort: MessagePort;
}

export interface ChainControl extends ThreadControl {
  /** Writes rows of webhooks that no log entry has. Resolves when chain.db has them; rejects if it cannot be written now. */
  writeWebhookRows(writes: readonly LocalWebhookWrite[]): Promise<void>;
}

/** Messages of the ledger thread. `entry`: the log may have one more block or change of access. `end`: write the rest and end. */
export type ToChainThread = 'entry' | 'end';

export interface FromChainThread {
  /** The last entry of the log that is in chain.db on disk; absent while that is the same as before. */
  synced?: number | undefined;
  /** Durations of commits and checkpoints, ms. */
  blocksMs: number[];
  checkpointsMs: number[];
  /** True if the thread writes nothing more. */
  hasEnded: boolean;
}

/** Pause after a write that failed because of a full disk, another process's lock or missing descriptors. */
const RETRY_MS = 250;
/** Longest wait for another process's lock; then the write is tried again later. The end of the service waits for the write in progress. */
const WRITE_LOCK_MS_MAX = 250;
/** Codes of a connection that could not be opened, or of a checkpoint: nothing was written, and the same may succeed later. */
const HELD = /^SQLITE_(BUSY|LOCKED|FULL|CANTOPEN)/;

const isHeldBy = (error: unknown): boolean =>
  error instanceof StoreUnavailableError || error instanceof LogUnavailableError || HELD.test(sqliteCode(error) ?? '');

function collecting(add: (ms: number) => void): Durations {
  return Object.assign(new Durations(), { observe: add });
}

export function run({ file, chainId, commits: memory, logLevel, ledgerPort }: ChainJob, port: MessagePort): void {
  const logger = createLogger({ level: logLevel, thread: 'chain' });
  const commits = new CommitCount(memory, 'chain');
  let blocksMs: number[] = [];
  let checkpointsMs: number[] = [];
  let opened: { writer: ChainWriter; close(): void } | undefined;
  let isHeld = false;
  let isEnding = false;
  let retry: NodeJS.Timeout | undefined;
  let synced: number | undefined;

  function open(): { writer: ChainWriter; close(): void } {
    const open: { close(): void }[] = [];
    const close = (): void => open.toReversed().forEach((each) => each.close());
    try {
      const sql: ChainConnection = openChainDatabase({ path: file });
      open.push(sql);
      // An index of the log: after a power cut it is behind, but never damaged (protocol.md, rule 35).
      sql.pragma('synchronous = NORMAL');
      sql.pragma(`busy_timeout = ${WRITE_LOCK_MS_MAX}`);
      countCommits(sql, commits);
      const logSql: Database = openForCheckpoints(file);
      open.push(logSql);
      const reader = openLogReader(logBeside(file));
      open.push(reader);
      const writer = new ChainWriter({
        sql,
        log: reader.log,
        logSql,
        chainId,
        commits,
        blocks: collecting((ms) => blocksMs.push(ms)),
        checkpoints: collecting((ms) => checkpointsMs.push(ms)),
        // A write that is held is tried again soon.
        onDue: () => (isHeld ? undefined : write()),
      });
      return { writer, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  function write(): void {
    try {
      const { writer } = (opened ??= open());
      while (writer.next()) report(writer.maintain(false));
      if (isEnding) writer.end();
      report(writer.maintain(true));
      if (isHeld) logger.info({}, 'chain.db is written again');
      isHeld = false;
    } catch (error) {
      // Nothing was written, and the log has every entry. Any other error ends the process.
      if (!isHeldBy(error)) throw error;
      if (!isHeld) logger.error({ err: error }, 'chain.db cannot be written; trying again');
      isHeld = true;
      if (!isEnding) retry = setTimeout(write, RETRY_MS);
    }
  }

  function report(now: number | undefined): void {
    const isNews = now !== undefined && now !== synced;
    if (isNews || blocksMs.length > 0 || checkpointsMs.length > 0)
      post({ blocksMs, checkpointsMs, ...(isNews && { synced: now }), hasEnded: false });
    synced = now ?? synced;
    blocksMs = [];
    checkpointsMs = [];
  }

  function post(news: FromChainThread): void {
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    ledgerPort.postMessage(news);
  }

  ledgerPort.on('message', (message: ToChainThread) => {
    isEnding ||= message === 'end';
    // A write that is held was tried a moment ago, and the end does not wait for it.
    if (!isHeld) write();
    if (!isEnding) return;
    clearTimeout(retry);
    if (isHeld)
      logger.warn(
        { height: commits.height },
        'chain.db could not be written and stays behind log.db, which has everything: the next start writes what is missing',
      );
    opened?.close();
    post({ blocksMs: [], checkpointsMs: [], hasEnded: true });
    ledgerPort.close();
  });

  const control: ChainControl = {
    start: async () => ({ ok: true }),
    writeWebhookRows: async (writes) => {
      if (isEnding) throw new StoreUnavailableError('the service ends');
      (opened ??= open()).writer.writeLocal(writes);
    },
    keepCompiled: async () => keepCompiled(),
    // The ledger thread has already ended this one.
    stop: async () => undefined,
  };
  link(port, control);
}
