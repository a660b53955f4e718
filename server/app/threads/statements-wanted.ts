/**
 * Says to the main thread that statements are needed from now on: with the first transaction of a chain, or when the first of them is asked
 * for. Until then the thread that makes them is not started: a quiet service does without its 30 MB.
 *
 * @module
 */
import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'txledger-statements-wanted';

/** From any thread of this process. */
export function wantStatements(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line require-post-message-target-origin -- threads, not windows
  channel.postMessage('wanted');
  channel.close();
}

/** @returns what ends the listening. */
export function onStatementsWanted(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  channel.unref();
  return () => channel.close();
}
