import type { Client } from '../client.ts';
import type { Webhook } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

export interface GetWebhookOptions extends CallOptions {
  /** `wh_` and 26 characters, as `createWebhook` and `listWebhooks` return it. */
  readonly webhookId: string;
}

/**
 * Returns one endpoint of the token's owner, with its position in the log of events and its last failure.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {NotFoundError} The owner has no such endpoint.
 * @example
 * const { position, lastFailure } = await getWebhook(client, { webhookId: 'wh_01jd8x6c1wq5r4tqv2k9f3m7np' });
 * console.log(position, lastFailure?.code);
 */
export async function getWebhook(client: Client, { webhookId, ...options }: GetWebhookOptions): Promise<Webhook> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/webhooks/{webhookId}', { ...init, params: { path: { webhookId } } }),
    fits: ({ id }) => id === webhookId,
  });
  return data;
}
