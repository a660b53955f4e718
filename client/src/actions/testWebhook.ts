import type { Client } from '../client.ts';
import type { WebhookTest } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

export interface TestWebhookOptions extends CallOptions {
  /** `wh_` and 26 characters, as `createWebhook` and `listWebhooks` return it. */
  readonly webhookId: string;
}

/**
 * Requests a message of type `webhook.test`. Once it resolves, the message will be sent; `listWebhookDeliveries` lists the result. There
 * is one attempt unless `maxRetries` is given.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
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
