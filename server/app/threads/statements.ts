/**
 * Starts the statements thread, and starts it again when it dies: its file can be made again, so its death does not end the process.
 *
 * @module
 */
import type { Worker } from 'node:worker_threads';
import type { Logger } from '../../engine/ports.ts';
import type { StatementsJob } from './jobs/statements.ts';
import { startJob } from './start-job.ts';
import { watchThread } from './thread-times.ts';

export interface StatementsThread {
  /** Resolves when the thread has closed its files. */
  close(): Promise<void>;
}

const RESTART_MS = 5_000;
/** Heap of the thread: the accounts of recent blocks, and one block at a time. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 12 };

export function startStatements(data: StatementsJob, logger: Logger): StatementsThread {
  let worker: Worker;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const start = (): void => {
    worker = startJob('statements', data, RESOURCE_LIMITS);
    watchThread('statements', worker);
    worker.on('error', (error) => logger.error({ err: error }, 'the statements thread died; it is started again'));
    worker.on('exit', () => {
      if (isClosed) return;
      timer = setTimeout(start, RESTART_MS);
      timer.unref();
    });
  };
  start();
  return {
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        clearTimeout(timer);
        if (timer !== undefined && worker.threadId === -1) return resolve();
        worker.once('exit', () => resolve());
        // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
        worker.postMessage('close');
      }),
  };
}
