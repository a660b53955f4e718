/** PATCH /webhooks/{webhookId}: changes the members in the body; the rest stays. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { webhookResource } from './webhook-resource.ts';

export function updateWebhook({ gateway }: HandlerParts): Handler<'updateWebhook'> {
  return handler('updateWebhook', async ({ path, body, principal }) => {
    const changed = await gateway.webhooks.updateWebhook(principal, path.webhookId, body);
    return changed.ok ? { status: 200, body: webhookResource(changed.webhook) } : { refusal: changed };
  });
}
