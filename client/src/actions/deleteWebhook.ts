import type { Client } from '../client.ts';
import type { CallOptions } from '../deadline.ts';
import { NotFoundError } from '../errors/NotFoundError.ts';

export interface DeleteWebhookOptions extends CallOptions {
  /** `wh_` and 26 characters, as createWebhook and listWebhooks answer it. */
  readonly webhookId: string;
}

/**
 * Removes an endpoint with all that waits for it. Removing it again is no error within one call.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {NotFoundError} The owner has no such endpoint.
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
    // The answer to an earlier attempt was lost.
    if (!(error instanceof NotFoundError && error.attempts > 1)) throw error;
  }
}
