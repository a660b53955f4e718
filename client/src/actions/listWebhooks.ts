import type { Client } from '../client.ts';
import type { Webhook } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Returns the webhook endpoints of the token's owner, at most 20.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @example
 * for (const { url, status, position } of await listWebhooks(client)) console.log(url, status, position);
 */
export async function listWebhooks(client: Client, options: CallOptions = {}): Promise<Webhook[]> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/webhooks', init),
    fits: ({ webhooks }) => Array.isArray(webhooks),
  });
  return data.webhooks;
}
