import type { Client } from '../client.ts';
import type { WebhookInput, WebhookWithSecret } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

/**
 * Creates a webhook endpoint of the token's owner, to which the service sends events from the next block on. Only this result has its
 * secret. There is one attempt unless `maxRetries` is given: when the answer is lost, the endpoint may exist and its secret is lost
 * (`rotateWebhookSecret` makes a new one).
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {WebhookExistsError} The owner has an endpoint with this URL.
 * @throws {WebhookUrlRefusedError} The service may not call this URL.
 * @example
 * const { id, secret } = await createWebhook(client, { url: 'https://shop.example/ledger', types: ['transaction.committed'], accounts: [address] });
 * console.log(id, secret.length);
 */
export async function createWebhook(client: Client, options: WebhookInput & CallOptions): Promise<WebhookWithSecret> {
  const { timeoutMs: _t, signal: _s, maxRetries: _m, onRequest: _q, onResponse: _r, ...body } = options;
  const { data } = await client.call({
    options: { maxRetries: 0, ...options },
    problems: MANAGING_PROBLEMS,
    send: (api, init) => api.POST('/webhooks', { ...init, body }),
    fits: ({ id, secret }) => !!id && !!secret,
  });
  return data;
}
