/** GET /webhooks/{webhookId}/deliveries: the sent messages and their results, newest first. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { deliveryResource } from './webhook-resource.ts';

/** The contract's default: the validator inserts it, and this is used if it ever does not. */
const LIMIT_DEFAULT = 10;

export function listWebhookDeliveries({ gateway }: HandlerParts): Handler<'listWebhookDeliveries'> {
  return handler('listWebhookDeliveries', async ({ path, query, principal }) => {
    const { limit = LIMIT_DEFAULT, cursor } = query;
    const page = await gateway.webhooks.listWebhookDeliveries(principal.owner, path.webhookId, { limit, cursor });
    if (!page.ok) return { refusal: page };
    const deliveries = page.deliveries.map(deliveryResource);
    return {
      status: 200,
      body: page.nextCursor === undefined ? { deliveries } : { deliveries, nextCursor: page.nextCursor },
    };
  });
}
