/** Formats webhooks and their log for people. @module */
import type { components } from '../../generated/openapi.ts';
import { facts } from './output.ts';
import { table, type Column } from './table.ts';

export type Webhook = components['schemas']['Webhook'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];

const stateOf = ({ status, disabledReason }: Webhook): string =>
  disabledReason === undefined ? status : `${status} (${disabledReason})`;

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
    ...(lastFailure === undefined
      ? []
      : [['last failure', `${lastFailure.at}  ${lastFailure.code}  ${lastFailure.detail}`] as const]),
    ...(previousSecretUntil === undefined ? [] : [['old secret until', previousSecretUntil] as const]),
  ]);
}

const WEBHOOK_COLUMNS: readonly Column<Webhook>[] = [
  { header: 'id', kind: 'plain', value: ({ id }) => id },
  { header: 'status', kind: 'status', value: stateOf },
  { header: 'url', kind: 'text', value: ({ url }) => url },
  { header: 'events', kind: 'text', value: filtersOf },
  { header: 'position', kind: 'amount', dropped: 0, value: ({ position }) => position },
];

const DELIVERY_COLUMNS: readonly Column<WebhookDelivery>[] = [
  { header: 'time', kind: 'time', value: ({ at }) => at },
  { header: 'event', kind: 'plain', value: ({ eventId }) => eventId },
  { header: 'type', kind: 'text', value: ({ type }) => type },
  { header: 'kind', kind: 'plain', dropped: 0, value: ({ kind }) => kind },
  { header: 'attempt', kind: 'amount', dropped: 2, value: ({ attempt }) => String(attempt) },
  { header: 'outcome', kind: 'plain', value: ({ outcome }) => outcome },
  { header: 'code', kind: 'amount', value: ({ statusCode = '' }) => String(statusCode) },
  { header: 'took', kind: 'amount', dropped: 1, value: ({ durationMs }) => `${durationMs} ms` },
  { header: 'error', kind: 'text', dropped: 3, value: ({ error }) => error?.detail ?? '' },
];

export const describeWebhooks = (webhooks: readonly Webhook[]): string[] =>
  table(WEBHOOK_COLUMNS, webhooks, { none: 'no webhooks' });

export const describeDeliveries = (deliveries: readonly WebhookDelivery[]): string[] =>
  table(DELIVERY_COLUMNS, deliveries, { none: 'nothing was sent' });
