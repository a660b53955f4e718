/** The ledger thread's client of the thread that writes chain.db. @module */
import type { MessagePort } from 'node:worker_threads';
import type { ChainLog } from '../../store/embedded/chain-log.ts';
import type { CommitCount } from '../../store/embedded/commit-count.ts';
import { accessCaughtUpTo, caughtUpTo, type WrittenChain } from '../chain-index.ts';
import type { ChainTimes } from '../durations.ts';
import type { FromChainThread, ToChainThread } from './jobs/chain.ts';

export interface ChainThreadOptions {
  /** The other end is in the thread that writes chain.db. */
  port: MessagePort;
  commits: CommitCount;
  log: ChainLog;
  times: ChainTimes;
  /** The last block of the log. */
  height: () => number;
}

export function chainThread({ port, commits, log, times, height }: ChainThreadOptions): WrittenChain {
  let isEnding = false;
  /** Entries up to this one may be dropped from the log. They are dropped in pieces, and other work gets a turn between two pieces. */
  let dropping: number | undefined;
  const drop = (): void => {
    if (dropping === undefined || isEnding) return;
    if (log.drop(dropping)) setImmediate(drop);
    else dropping = undefined;
  };
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  port.on('message', ({ synced, blocksMs, checkpointsMs, hasEnded }: FromChainThread) => {
    for (const ms of blocksMs) times.block.observe(ms);
    for (const ms of checkpointsMs) times.checkpointByThread.observe(ms);
    if (hasEnded) end();
    if (synced === undefined) return;
    const isDropping = dropping !== undefined;
    dropping = synced;
    if (!isDropping) drop();
  });
  const send = (message: ToChainThread): void => {
    port.postMessage(message);
  };
  return {
    get height() {
      return commits.height;
    },
    get accessSeq() {
      return commits.accessSeq;
    },
    wake: () => send('entry'),
    caughtUp: () => caughtUpTo(commits, height),
    accessCaughtUp: (seq) => accessCaughtUpTo(commits, seq),
    close: async () => {
      isEnding = true;
      send('end');
      await ended;
      port.close();
    },
  };
}
