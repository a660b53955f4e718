import type { Client } from '../client.ts';
import type { WebhookTest } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

export interface TestWebhookOptions extends CallOptions {
  /** `wh_` and 26 characters, as createWebhook and listWebhooks answer it. */
  readonly webhookId: string;
}

/**
 * Asks for a message of type `webhook.test`. That it answers means that it will be sent; `listWebhookDeliveries` tells what became of it.
 * One attempt, unless `maxRetries` says otherwise.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {WebhookDisabledError} The endpoint is disabled.
 * @throws {NotFoundError} The owner has no such endpoint.
 * @example
 * const { messageId } = await testWebhook(client, { webhookId: 'wh_01jd8x6c1wq5r4tqv2k9f3m7np' });
 * console.log(messageId);
 */
export async function testWebhook(client: Client, { webhookId, ...options }: TestWebhookOptions): Promise<WebhookTest> {
  const { data } = await client.call({
    options: { maxRetries: 0, ...options },
    problems: MANAGING_PROBLEMS,
    send: (api, init) => api.POST('/webhooks/{webhookId}/test', { ...init, params: { path: { webhookId } } }),
    fits: ({ messageId }) => !!messageId,
  });
  return data;
}
