/** Webhooks and their log in lines for people. @module */
import type { components } from '../../generated/openapi.ts';
import { facts, table } from './output.ts';

export type Webhook = components['schemas']['Webhook'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];

const stateOf = ({ status, disabledReason }: Webhook): string => (disabledReason === undefined ? status : `${status} (${disabledReason})`);

function filtersOf({ types = [], accounts = [], submittedOnly }: Webhook): string {
  const parts = [types.join(', '), accounts.join(', '), submittedOnly === true ? 'submitted by this owner' : ''];
  return parts.filter((part) => part !== '').join('; ') || 'everything';
}

export function describeWebhook(webhook: Webhook): string[] {
  const { id, url, description, position, previousSecretUntil, lastSuccessAt, lastFailure, createdAt } = webhook;
  return facts([
    ['id', id],
    ['url', url],
    ...(description === undefined ? [] : [['for', description] as const]),
    ['events', filtersOf(webhook)],
    ['status', stateOf(webhook)],
    ['position', position],
    ['created', createdAt],
    ...(lastSuccessAt === undefined ? [] : [['last taken', lastSuccessAt] as const]),
    ...(lastFailure === undefined ? [] : [['last failure', `${lastFailure.at}  ${lastFailure.code}  ${lastFailure.detail}`] as const]),
    ...(previousSecretUntil === undefined ? [] : [['old secret until', previousSecretUntil] as const]),
  ]);
}

export const describeWebhooks = (webhooks: readonly Webhook[]): string[] => table(webhooks.map((webhook) => [webhook.id, stateOf(webhook), webhook.url, filtersOf(webhook), `at ${webhook.position}`]));

export const describeDeliveries = (deliveries: readonly WebhookDelivery[]): string[] =>
  table(
    deliveries.map(({ at, eventId, type, kind, attempt, outcome, statusCode, durationMs, error }) => [
      at,
      eventId,
      type,
      kind,
      `attempt ${attempt}`,
      outcome,
      statusCode === undefined ? '' : String(statusCode),
      `${durationMs} ms`,
      error?.detail ?? '',
    ]),
  );
