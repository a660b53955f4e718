import type { Client } from '../client.ts';
import type { Webhook, WebhookUpdateInput } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

export interface UpdateWebhookOptions extends CallOptions, WebhookUpdateInput {
  /** `wh_` and 26 characters, as `createWebhook` and `listWebhooks` return it. */
  readonly webhookId: string;
}

/**
 * Changes an endpoint; members that are left out stay as they are. `status: 'enabled'` goes on from its `position`, so no event is missed.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {NotFoundError} The owner has no such endpoint.
 * @example
 * await updateWebhook(client, { webhookId: 'wh_01jd8x6c1wq5r4tqv2k9f3m7np', status: 'enabled' });
 */
export async function updateWebhook(client: Client, { webhookId, ...options }: UpdateWebhookOptions): Promise<Webhook> {
  const { timeoutMs: _t, signal: _s, maxRetries: _m, onRequest: _q, onResponse: _r, ...body } = options;
  const { data } = await client.call({
    options,
    problems: MANAGING_PROBLEMS,
    send: (api, init) => api.PATCH('/webhooks/{webhookId}', { ...init, params: { path: { webhookId } }, body }),
    fits: ({ id }) => id === webhookId,
  });
  return data;
}
