/** GET /webhooks: all endpoints of the token's owner. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { webhookResource } from './webhook-resource.ts';

export function listWebhooks({ gateway }: HandlerParts): Handler<'listWebhooks'> {
  return handler('listWebhooks', async ({ principal }) => {
    const found = await gateway.webhooks.listWebhooks(principal.owner);
    return found.ok ? { status: 200, body: { webhooks: found.webhooks.map(webhookResource) } } : { refusal: found };
  });
}
