/**
 * Notifies the main thread, which delivers webhooks, of changes that another thread of this process made. Changes in another process
 * (another gateway on the database) are found by polling.
 *
 * @module
 */
import { BroadcastChannel } from 'node:worker_threads';

const CHANNEL = 'txledger webhooks';

let sender: BroadcastChannel | undefined;

/** Can be called on any thread. The message does not contain the change, which is read from the database. */
export function tellWebhooksChanged(): void {
  if (sender === undefined) {
    sender = new BroadcastChannel(CHANNEL);
    sender.unref();
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads, not between windows
  sender.postMessage(null);
}

/** The listener does not keep the thread alive. Returns a function that ends it. */
export function onWebhooksChanged(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', () => listener());
  channel.unref();
  return () => channel.close();
}
