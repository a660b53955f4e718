/** POST /webhooks/{webhookId}/replay: sends a range of events once more. */
import { placeText } from '../../gateway/event-place.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function replayWebhook({ gateway }: HandlerParts): Handler<'replayWebhook'> {
  return handler('replayWebhook', async ({ path, body, principal }) => {
    const asked = await gateway.webhooks.replayWebhook(principal.owner, path.webhookId, body);
    return asked.ok
      ? {
          status: 202,
          body: { webhookId: path.webhookId, after: placeText(asked.after), until: placeText(asked.until) },
        }
      : { refusal: asked };
  });
}
