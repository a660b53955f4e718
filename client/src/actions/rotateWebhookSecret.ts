import type { Client } from '../client.ts';
import type { WebhookWithSecret } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

const OVERLAP_S_DEFAULT = 86_400;

export interface RotateWebhookSecretOptions extends CallOptions {
  /** `wh_` and 26 characters, as createWebhook and listWebhooks answer it. */
  readonly webhookId: string;
  /**
   * How long the secret from before signs too, 0 to 604,800 seconds.
   * @default 86_400
   */
  readonly overlapSeconds?: number | undefined;
}

/**
 * Makes a new secret, which is in this answer alone. For `overlapSeconds` the one before signs too, so give the receiver both until then.
 * One attempt, unless `maxRetries` says otherwise.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {NotFoundError} The owner has no such endpoint.
 * @example
 * const { secret } = await rotateWebhookSecret(client, { webhookId: 'wh_01jd8x6c1wq5r4tqv2k9f3m7np', overlapSeconds: 3600 });
 * console.log(secret.length);
 */
export async function rotateWebhookSecret(
  client: Client,
  { webhookId, overlapSeconds, ...options }: RotateWebhookSecretOptions,
): Promise<WebhookWithSecret> {
  const body = { overlapSeconds: overlapSeconds ?? OVERLAP_S_DEFAULT };
  const { data } = await client.call({
    options: { maxRetries: 0, ...options },
    problems: MANAGING_PROBLEMS,
    send: (api, init) =>
      api.POST('/webhooks/{webhookId}/rotate-secret', { ...init, params: { path: { webhookId } }, body }),
    fits: ({ id, secret }) => id === webhookId && !!secret,
  });
  return data;
}
