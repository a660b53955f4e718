/**
 * Webhooks in an HTTP thread of a server with the embedded engine: read from chain.db on a connection of its own, opened with the first request about
 * one. What changes them is asked of the ledger thread, which answers when the rows have it. A server over a network asks its gateway's thread.
 *
 * @module
 */
import { LazyStore } from '../../gateway/webhooks/lazy-store.ts';
import type { WebhookApi } from '../../gateway/webhooks/api.ts';
import { webhookReads, type WebhookServiceParts } from '../../gateway/webhooks/service.ts';

export interface ThreadWebhooksOptions extends Pick<WebhookServiceParts, 'chain' | 'clock' | 'logger'> {
  /** chain.db. */
  file: string;
  /** Of the ledger thread. */
  ledger: WebhookApi;
}

export function threadWebhooks({ file, ledger, ...parts }: ThreadWebhooksOptions): WebhookApi & {
  close(): Promise<void>;
} {
  const store = new LazyStore(async () => {
    const [{ openChainReader }, { readingStore }] = await Promise.all([
      import('../../store/embedded/connection.ts'),
      import('../../store/embedded/webhooks.ts'),
    ]);
    return readingStore(openChainReader(file));
  });
  return {
    ...webhookReads(store, parts),
    createWebhook: (caller, input) => ledger.createWebhook(caller, input),
    updateWebhook: (caller, id, patch) => ledger.updateWebhook(caller, id, patch),
    deleteWebhook: (caller, id) => ledger.deleteWebhook(caller, id),
    rotateWebhookSecret: (caller, id, overlapS) => ledger.rotateWebhookSecret(caller, id, overlapS),
    testWebhook: (owner, id) => ledger.testWebhook(owner, id),
    replayWebhook: (owner, id, range) => ledger.replayWebhook(owner, id, range),
    close: () => store.close(),
  };
}
