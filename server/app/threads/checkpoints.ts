/**
 * Checkpoints of chain.db or gateway.db on a thread of their own. The first checkpoint starts the thread, so a service without load has
 * none.
 *
 * If the thread fails, the writer makes the checkpoints itself: until then the log is only longer.
 *
 * @module
 */
import type { Worker } from 'node:worker_threads';
import type { Durations } from '../durations.ts';
import type { Logger } from '../../engine/ports.ts';
import type { Checkpoints } from '../../store/sqlite/checkpoints.ts';
import { startJob } from './start-job.ts';

/** Heap of the thread, which holds one connection. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };

/**
 * `onDone`: the content that the log had at the beginning is in the file. The writer copies the short rest that was written since: only the
 * writer sees the moment at which no frame is left, and then the log begins again instead of growing. `times` receives the duration of each
 * checkpoint.
 */
export function checkpointsOf(
  file: string,
  { logger, onDone, times }: { logger: Logger; onDone: () => void; times?: Durations },
): Checkpoints {
  let worker: Worker | undefined;
  let isRunning = false;
  let isClosed = false;

  const start = (): Worker => {
    const started = startJob('checkpoint', { file }, RESOURCE_LIMITS);
    started.on('message', (tookMs: number) => {
      times?.observe(tookMs);
      isRunning = false;
      if (!isClosed) onDone();
    });
    started.on('error', (error) => {
      logger.warn({ err: error }, 'checkpoints on a thread of their own ended; the writer makes them from now on');
      isClosed = true;
    });
    return started;
  };
  return {
    soon: () => {
      if (isClosed) return false;
      worker ??= start();
      // oxlint-disable-next-line require-post-message-target-origin -- a thread, not a window
      if (!isRunning) worker.postMessage('checkpoint');
      isRunning = true;
      return true;
    },
    close: async () => {
      isClosed = true;
      await worker?.terminate();
    },
  };
}
