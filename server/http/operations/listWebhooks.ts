/** GET /webhooks: all endpoints of the token's owner. */
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { webhookResource } from './webhook-resource.ts';

export function listWebhooks({ gateway }: HandlerParts): Handler<'listWebhooks'> {
  return async ({ principal }) => {
    const found = await gateway.webhooks.listWebhooks(principal.owner);
    return found.ok ? { status: 200, body: { webhooks: found.webhooks.map(webhookResource) } } : { refusal: found };
  };
}
