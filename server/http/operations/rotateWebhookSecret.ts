/** POST /webhooks/{webhookId}/rotate-secret: a new secret; the one before also signs for a while. */
import { SECRET_OVERLAP_S_DEFAULT } from '../../gateway/webhooks/limits.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { webhookResource } from './webhook-resource.ts';

export function rotateWebhookSecret({ gateway }: HandlerParts): Handler<'rotateWebhookSecret'> {
  return handler('rotateWebhookSecret', async ({ path, body, principal }) => {
    // The contract's default: the validator inserts it, and this is used if it ever does not.
    const rotated = await gateway.webhooks.rotateWebhookSecret(
      principal,
      path.webhookId,
      body.overlapSeconds ?? SECRET_OVERLAP_S_DEFAULT,
    );
    return rotated.ok
      ? { status: 200, body: { ...webhookResource(rotated.webhook), secret: rotated.secret } }
      : { refusal: rotated };
  });
}
