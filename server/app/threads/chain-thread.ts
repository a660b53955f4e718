/** The thread that writes chain.db, as the ledger thread sees it. @module */
import { Worker } from 'node:worker_threads';
import type { ChainLog } from '../../store/embedded/chain-log.ts';
import { CommitCount } from '../../store/embedded/commit-count.ts';
import { caughtUpTo, type WrittenChain } from '../chain-index.ts';
import type { ChainTimes } from '../durations.ts';
import type { ChainThreadData, FromChainThread, ToChainThread } from './chain.worker.ts';

export interface ChainThreadOptions {
  data: ChainThreadData;
  log: ChainLog;
  times: ChainTimes;
  /** The last block of the log. */
  height: () => number;
  /** It died: what is in the log comes to no reader any more. */
  onDeath: (error: Error) => void;
}

export function chainThread({ data, log, times, height, onDeath }: ChainThreadOptions): WrittenChain {
  const commits = new CommitCount(data.commits);
  const worker = new Worker(new URL('./chain.worker.ts', import.meta.url), {
    name: 'txledger-chain',
    workerData: data,
  });
  let isEnding = false;
  /** What may be dropped from the log goes in pieces, with turns for others between them. */
  let dropping: number | undefined;
  const drop = (): void => {
    if (dropping === undefined || isEnding) return;
    if (log.drop(dropping)) setImmediate(drop);
    else dropping = undefined;
  };
  worker.on('message', ({ synced, blocksMs, checkpointsMs }: FromChainThread) => {
    for (const ms of blocksMs) times.block.observe(ms);
    for (const ms of checkpointsMs) times.checkpointByThread.observe(ms);
    if (synced === undefined) return;
    const isDropping = dropping !== undefined;
    dropping = synced;
    if (!isDropping) drop();
  });
  worker.on('error', (error) => onDeath(error as Error));
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      if (!isEnding) onDeath(new Error('the thread that writes chain.db ended'));
      resolve();
    });
  });
  const send = (message: ToChainThread): void => {
    // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
    worker.postMessage(message);
  };
  return {
    get height() {
      return commits.height;
    },
    wake: () => send('block'),
    caughtUp: () => caughtUpTo(commits, height()),
    close: async () => {
      isEnding = true;
      send('end');
      await ended;
    },
  };
}
