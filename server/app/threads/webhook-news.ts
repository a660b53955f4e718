/**
 * Says to the main thread, which delivers webhooks, that some were changed by another thread of this process. A change in
 * another process (another gateway on the database) is found by looking.
 *
 * @module
 */
import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'txledger webhooks';

let sender: BroadcastChannel | undefined;

/** Any thread. Says nothing about what was changed: the database does. */
export function tellWebhooksChanged(): void {
  if (sender === undefined) {
    sender = new BroadcastChannel(CHANNEL);
    sender.unref();
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads, not between windows
  sender.postMessage(null);
}

/** A listener keeps no thread alive. Returns the end of it. */
export function onWebhooksChanged(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', () => listener());
  channel.unref();
  return () => channel.close();
}
