/** GET /webhooks/{webhookId}: one endpoint. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { webhookResource } from './webhook-resource.ts';

export function getWebhook({ gateway }: HandlerParts): Handler<'getWebhook'> {
  return handler('getWebhook', async ({ path, principal }) => {
    const found = await gateway.webhooks.getWebhook(principal.owner, path.webhookId);
    return found.ok ? { status: 200, body: webhookResource(found.webhook) } : { refusal: found };
  });
}
