/** The headers of a message, as Standard Webhooks has them. */
import { Webhook } from 'standardwebhooks';
import type { Endpoint } from './ports.ts';

const MS_PER_S = 1000;

/** During the overlap of a rotation a message carries two signatures, so that a receiver verifies with either secret. */
export function signedHeaders(endpoint: Pick<Endpoint, 'secret' | 'previousSecret'>, id: string, body: string, nowMs: number): Record<string, string> {
  const { secret, previousSecret } = endpoint;
  const secrets = previousSecret !== undefined && nowMs < previousSecret.untilMs ? [secret, previousSecret.secret] : [secret];
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / MS_PER_S)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, new Date(nowMs), body)).join(' '),
  };
}
