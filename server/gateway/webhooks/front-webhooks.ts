/** Webhooks for the HTTP threads: a change is refused while the service stops, and one under way is awaited before the end. */
import { refuse } from '../refusals.ts';
import type { Refusal } from '../types.ts';
import type { WebhookApi } from './api.ts';

/** For services without webhooks. */
export const NO_WEBHOOKS: WebhookApi = new Proxy({} as WebhookApi, {
  get: () => async (): Promise<Refusal> =>
    refuse('store_unavailable', 'This service keeps no webhooks.', { retryAfterS: 60 }),
});

/** @param gate refuses, or runs the change and counts it as in flight. */
export function frontWebhooks(
  webhooks: WebhookApi,
  gate: <T>(change: () => Promise<T | Refusal>) => Promise<T | Refusal>,
): WebhookApi {
  return {
    listWebhooks: (owner) => webhooks.listWebhooks(owner),
    getWebhook: (owner, id) => webhooks.getWebhook(owner, id),
    listWebhookDeliveries: (owner, id, query) => webhooks.listWebhookDeliveries(owner, id, query),
    createWebhook: (caller, input) => gate(() => webhooks.createWebhook(caller, input)),
    updateWebhook: (caller, id, patch) => gate(() => webhooks.updateWebhook(caller, id, patch)),
    deleteWebhook: (caller, id) => gate(() => webhooks.deleteWebhook(caller, id)),
    rotateWebhookSecret: (caller, id, overlapS) => gate(() => webhooks.rotateWebhookSecret(caller, id, overlapS)),
    testWebhook: (owner, id) => gate(() => webhooks.testWebhook(owner, id)),
    replayWebhook: (owner, id, range) => gate(() => webhooks.replayWebhook(owner, id, range)),
  };
}
