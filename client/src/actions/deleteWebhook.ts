import type { Client } from '../client.ts';
import type { CallOptions } from '../deadline.ts';
import { NotFoundError } from '../errors/NotFoundError.ts';

export interface DeleteWebhookOptions extends CallOptions {
  /** `wh_` and 26 characters, as `createWebhook` and `listWebhooks` return it. */
  readonly webhookId: string;
}

/**
 * Removes an endpoint and every message that waits to be sent to it. When an attempt after the first finds no endpoint, the call
 * succeeds: an earlier attempt may have removed it.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {NotFoundError} The owner has no such endpoint, by the answer to the first attempt.
 * @example
 * await deleteWebhook(client, { webhookId: 'wh_01jd8x6c1wq5r4tqv2k9f3m7np' });
 */
export async function deleteWebhook(client: Client, { webhookId, ...options }: DeleteWebhookOptions): Promise<void> {
  try {
    await client.call({
      options,
      send: (api, init) => api.DELETE('/webhooks/{webhookId}', { ...init, params: { path: { webhookId } } }),
      fits: () => true,
    });
  } catch (error) {
    // An earlier attempt may have removed it, and its answer was lost.
    if (!(error instanceof NotFoundError && error.attempts > 1)) throw error;
  }
}
