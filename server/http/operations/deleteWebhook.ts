/** DELETE /webhooks/{webhookId}: removes the endpoint, its log and its waiting events. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function deleteWebhook({ gateway }: HandlerParts): Handler<'deleteWebhook'> {
  return handler('deleteWebhook', async ({ path, principal }) => {
    const removed = await gateway.webhooks.deleteWebhook(principal, path.webhookId);
    return removed.ok ? { status: 204 } : { refusal: removed };
  });
}
