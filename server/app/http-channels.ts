/**
 * The number of HTTP threads and their channels to the ledger service, without loading any HTTP code.
 *
 * @module
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from '../engine/ports.ts';

/** Makes one channel for each HTTP thread. */
export function coreChannels(threads: number): { gateway: MessagePort[]; http: MessagePort[] } {
  const channels = Array.from({ length: threads }, () => new MessageChannel());
  return { gateway: channels.map(({ port1 }) => port1), http: channels.map(({ port2 }) => port2) };
}

/** Returns the number of HTTP threads. Only Linux shares the connections of one port out to several sockets; elsewhere it is 1. */
export function threadsHere(wanted: number, logger: Pick<Logger, 'warn'>, platform: string = process.platform): number {
  if (wanted === 1 || platform === 'linux') return wanted;
  logger.warn(
    { platform, httpThreads: 1 },
    'only Linux shares the connections of a port out among threads; HTTP_THREADS counts as 1',
  );
  return 1;
}
