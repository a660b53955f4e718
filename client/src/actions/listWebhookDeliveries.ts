import type { Client } from '../client.ts';
import type { WebhookDeliveryPage } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

export interface ListWebhookDeliveriesOptions extends CallOptions {
  /** `wh_` and 26 characters, as `createWebhook` and `listWebhooks` return it. */
  readonly webhookId: string;
  /**
   * Attempts in a page, 1 to 1,000.
   * @default 10
   */
  readonly limit?: number | undefined;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/**
 * Returns the deliveries to an endpoint and the answer to each, newest attempt first. Pass `nextCursor` as `cursor` to get the next page.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {NotFoundError} The owner has no such endpoint.
 * @example
 * const { deliveries } = await listWebhookDeliveries(client, { webhookId: 'wh_01jd8x6c1wq5r4tqv2k9f3m7np', limit: 20 });
 * console.log(deliveries.length);
 */
export async function listWebhookDeliveries(
  client: Client,
  { webhookId, limit, cursor, ...options }: ListWebhookDeliveriesOptions,
): Promise<WebhookDeliveryPage> {
  const query = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
  const { data } = await client.call({
    options,
    send: (api, init) =>
      api.GET('/webhooks/{webhookId}/deliveries', { ...init, params: { path: { webhookId }, query } }),
    fits: ({ deliveries, nextCursor }) =>
      Array.isArray(deliveries) && (nextCursor === undefined || nextCursor !== cursor),
  });
  return data;
}
