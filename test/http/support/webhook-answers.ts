/** What the gateway in memory answers about webhooks: one endpoint, one attempt. */
import { END_OF_BLOCK } from '../../../server/gateway/event-types.ts';
import type { WebhookApi, WebhookView } from '../../../server/gateway/webhooks/api.ts';

export const WEBHOOK_ID = 'wh_3k8f0d2m7q9s1v4x6z5b8n0p2r';
const AT_MS = Date.UTC(2026, 10, 22, 9, 30, 1, 250);

export const WEBHOOK: WebhookView = {
  id: WEBHOOK_ID,
  url: 'https://shop.example/hooks/txledger',
  description: 'Orders of the shop',
  types: ['transaction.committed'],
  submittedOnly: true,
  status: 'disabled',
  disabledReason: 'failing',
  place: { height: 1209, index: 3 },
  previousSecretUntilMs: AT_MS,
  lastSuccessAtMs: AT_MS,
  lastFailure: { atMs: AT_MS, code: 'timeout', detail: 'The receiver did not answer within 15 seconds.' },
  createdAtMs: AT_MS,
  updatedAtMs: AT_MS,
};
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

const one = { ok: true, webhook: WEBHOOK } as const;
const failed = {
  webhookId: WEBHOOK_ID,
  seq: 17,
  eventId: '1209-3',
  type: 'transaction.committed',
  kind: 'event',
  atMs: AT_MS,
  attempt: 1,
  outcome: 'failed',
  statusCode: 503,
  durationMs: 41,
} as const;

export const WEBHOOK_ANSWERS: { [Name in keyof WebhookApi]: Awaited<ReturnType<WebhookApi[Name]>> } = {
  createWebhook: {
    ...one,
    webhook: { ...WEBHOOK, status: 'enabled', place: { height: 1204, index: END_OF_BLOCK } },
    secret: SECRET,
  },
  listWebhooks: { ok: true, webhooks: [WEBHOOK] },
  getWebhook: one,
  updateWebhook: one,
  deleteWebhook: { ok: true },
  rotateWebhookSecret: { ...one, secret: SECRET },
  testWebhook: { ok: true, messageId: 'test_7h2k9d4f1m6q8s0v3x5z2b4n6p' },
  listWebhookDeliveries: {
    ok: true,
    deliveries: [{ ...failed, error: { code: 'status_code', detail: 'The receiver answered 503.' }, answer: 'later' }],
    nextCursor: 'AAAAAAAAAco',
  },
  replayWebhook: { ok: true, after: { height: 1100, index: END_OF_BLOCK }, until: { height: 1200, index: 4 } },
};
