/** The headers of a message, as Standard Webhooks has them. */
import { Webhook } from 'standardwebhooks';
import type { WebhookSecrets } from '../../../store/webhooks/index.ts';

const MS_PER_S = 1000;

/** During the overlap of a rotation a message carries a signature by each secret, so that a receiver verifies with any of them. */
export function signedHeaders(
  { current, previous = [] }: WebhookSecrets,
  id: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const secrets = [current, ...previous.filter(({ untilMs }) => nowMs < untilMs).map(({ secret }) => secret)];
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / MS_PER_S)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, new Date(nowMs), body)).join(' '),
  };
}
