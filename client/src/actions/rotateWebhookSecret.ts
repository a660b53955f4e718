import type { Client } from '../client.ts';
import type { WebhookWithSecret } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

const OVERLAP_S_DEFAULT = 86_400;

export interface RotateWebhookSecretOptions extends CallOptions {
  /** `wh_` and 26 characters, as `createWebhook` and `listWebhooks` return it. */
  readonly webhookId: string;
  /**
   * Time for which the previous secret signs too, 0 to 604,800 seconds.
   * @default 86_400
   */
  readonly overlapSeconds?: number | undefined;
}

/**
 * Makes a new secret; only this result has it. For `overlapSeconds` the previous secret signs too, so give the receiver both until then.
 * There is one attempt unless `maxRetries` is given.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
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
