import type { Client } from '../client.ts';
import type { WebhookInput, WebhookWithSecret } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { MANAGING_PROBLEMS } from '../webhooks/managing.ts';

/**
 * Makes an endpoint of the token's owner, to which the service sends events from the next block on. Its secret is in this answer and in no other one.
 * One attempt, unless `maxRetries` says otherwise: when the answer is lost the endpoint may be there, without anyone knowing its secret (`rotateWebhookSecret` makes
 * another one).
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
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
