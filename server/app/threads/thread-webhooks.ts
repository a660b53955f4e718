/**
 * Webhooks in an HTTP thread of a server with the embedded engine. They are read from chain.db on a connection of its own, opened with the
 * first request about webhooks. Changes are sent to the ledger thread, which answers when the rows have them. A server over a network calls
 * its gateway thread for both.
 *
 * @module
 */
import { LazyStore } from '../../gateway/webhooks/lazy-store.ts';
import type { WebhookApi } from '../../gateway/webhooks/api.ts';
import { webhookReads, type WebhookServiceParts } from '../../gateway/webhooks/service.ts';

export interface ThreadWebhooksOptions extends Pick<WebhookServiceParts, 'chain' | 'clock' | 'logger'> {
  /** File of chain.db. */
  file: string;
  /** Calls to the ledger thread. */
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
