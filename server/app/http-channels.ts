/**
 * Number of the HTTP threads, and their channels to the core: known before anything of HTTP is loaded.
 *
 * @module
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from '../engine/ports.ts';

/** One channel for each HTTP thread. */
export function coreChannels(threads: number): { gateway: MessagePort[]; http: MessagePort[] } {
  const channels = Array.from({ length: threads }, () => new MessageChannel());
  return { gateway: channels.map(({ port1 }) => port1), http: channels.map(({ port2 }) => port2) };
}

/** The system shares the connections of one port out only on Linux. */
export function threadsHere(wanted: number, logger: Pick<Logger, 'warn'>, platform: string = process.platform): number {
  if (wanted === 1 || platform === 'linux') return wanted;
  logger.warn(
    { platform, httpThreads: 1 },
    'only Linux shares the connections of a port out among threads; HTTP_THREADS counts as 1',
  );
  return 1;
}
