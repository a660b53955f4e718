/** POST /webhooks/{webhookId}/test: sends a message without facts about the chain. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function testWebhook({ gateway }: HandlerParts): Handler<'testWebhook'> {
  return handler('testWebhook', async ({ path, principal }) => {
    const asked = await gateway.webhooks.testWebhook(principal.owner, path.webhookId);
    return asked.ok
      ? { status: 202, body: { webhookId: path.webhookId, messageId: asked.messageId } }
      : { refusal: asked };
  });
}
