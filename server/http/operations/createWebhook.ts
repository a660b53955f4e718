/** POST /webhooks: an endpoint and its secret, which no other answer shows. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { webhookLocation, webhookResource } from './webhook-resource.ts';

export function createWebhook({ gateway, publicUrl }: HandlerParts): Handler<'createWebhook'> {
  return handler('createWebhook', async ({ body, principal }) => {
    const made = await gateway.webhooks.createWebhook(principal, body);
    if (!made.ok) return { refusal: made };
    const { webhook, secret } = made;
    return {
      status: 201,
      body: { ...webhookResource(webhook), secret },
      headers: { Location: webhookLocation(webhook.id, publicUrl) },
    };
  });
}
