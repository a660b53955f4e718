/**
 * Notifies the main thread that statements are needed from now on: at the first transaction of a chain, or at the first request for a
 * statement. Until then the thread that makes them is not started, which saves 30 MB in an idle service.
 *
 * @module
 */
import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'txledger-statements-wanted';

/** Can be called on any thread of this process. */
export function wantStatements(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line require-post-message-target-origin -- threads, not windows
  channel.postMessage('wanted');
  channel.close();
}

/** @returns a function that ends the listening. */
export function onStatementsWanted(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  channel.unref();
  return () => channel.close();
}
