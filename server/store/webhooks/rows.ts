/** Conversion between rows and records. */
import type { WebhookAuditTable, WebhookDeliveriesTable, WebhooksTable, WebhookWorkTable } from './tables.ts';
import type {
  DeliveryKind,
  DisabledReason,
  NewDelivery,
  NewWork,
  StoredDelivery,
  StoredWebhook,
  StoredWork,
  WaitingAudit,
  WebhookFilters,
  WebhookSecrets,
  WebhookStatus,
} from './types.ts';
import type { AuditAction } from '../../gateway/types.ts';

export function webhookOfRow(row: WebhooksTable): StoredWebhook {
  return {
    id: row.id,
    owner: row.owner,
    url: row.url,
    ...(row.description !== null && { description: row.description }),
    filters: JSON.parse(row.filters) as WebhookFilters,
    status: row.status as WebhookStatus,
    ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason as DisabledReason }),
    secrets: { current: row.secret, previous: JSON.parse(row.previous_secrets) as WebhookSecrets['previous'] },
    place: { height: row.place_height, index: row.place_idx },
    ...(row.first_failed_at_ms !== null && {
      failure: {
        firstFailedAtMs: row.first_failed_at_ms,
        attempts: row.attempts,
        nextAttemptAtMs: row.next_attempt_at_ms ?? 0,
      },
    }),
    ...(row.last_success_at_ms !== null && { lastSuccessAtMs: row.last_success_at_ms }),
    ...(row.last_failure_at_ms !== null && {
      lastFailure: {
        atMs: row.last_failure_at_ms,
        code: row.last_failure_code ?? '',
        detail: row.last_failure_detail ?? '',
      },
    }),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    version: row.version,
  };
}

export const secretColumns = ({ current, previous }: WebhookSecrets) => ({
  secret: current,
  previous_secrets: JSON.stringify(previous),
});

export function rowOfWebhook(made: StoredWebhook): WebhooksTable {
  return {
    id: made.id,
    owner: made.owner,
    url: made.url,
    description: made.description ?? null,
    filters: JSON.stringify(made.filters),
    status: made.status,
    disabled_reason: made.disabledReason ?? null,
    ...secretColumns(made.secrets),
    place_height: made.place.height,
    place_idx: made.place.index,
    first_failed_at_ms: made.failure?.firstFailedAtMs ?? null,
    attempts: made.failure?.attempts ?? 0,
    next_attempt_at_ms: made.failure?.nextAttemptAtMs ?? null,
    last_success_at_ms: made.lastSuccessAtMs ?? null,
    last_failure_at_ms: made.lastFailure?.atMs ?? null,
    last_failure_code: made.lastFailure?.code ?? null,
    last_failure_detail: made.lastFailure?.detail ?? null,
    created_at_ms: made.createdAtMs,
    updated_at_ms: made.updatedAtMs,
    version: made.version,
  };
}

export const rowOfDelivery = (made: NewDelivery, seq: number): WebhookDeliveriesTable => ({
  webhook_id: made.webhookId,
  seq,
  event_id: made.eventId,
  type: made.type,
  kind: made.kind,
  at_ms: made.atMs,
  attempt: made.attempt,
  outcome: made.outcome,
  status_code: made.statusCode ?? null,
  duration_ms: made.durationMs,
  error_code: made.error?.code ?? null,
  error_detail: made.error?.detail ?? null,
  answer: made.answer ?? null,
});

export function deliveryOfRow(row: WebhookDeliveriesTable): StoredDelivery {
  return {
    webhookId: row.webhook_id,
    seq: row.seq,
    eventId: row.event_id,
    type: row.type,
    kind: row.kind as DeliveryKind,
    atMs: row.at_ms,
    attempt: row.attempt,
    outcome: row.outcome as StoredDelivery['outcome'],
    ...(row.status_code !== null && { statusCode: row.status_code }),
    durationMs: row.duration_ms,
    ...(row.error_code !== null && { error: { code: row.error_code, detail: row.error_detail ?? '' } }),
    ...(row.answer !== null && { answer: row.answer }),
  };
}

export function workOfRow(row: WebhookWorkTable): StoredWork {
  const { id, webhook_id: webhookId, created_at_ms: createdAtMs, attempts, next_attempt_at_ms: nextAttemptAtMs } = row;
  const common = { id, webhookId, createdAtMs, attempts, nextAttemptAtMs };
  const place = (height: number | null, index: number | null) => ({ height: height ?? 0, index: index ?? 0 });
  if (row.kind === 'replay') {
    return {
      ...common,
      kind: 'replay',
      after: place(row.after_height, row.after_idx),
      until: place(row.until_height, row.until_idx),
      place: place(row.place_height, row.place_idx),
    };
  }
  if (row.kind === 'disabled')
    return { ...common, kind: 'disabled', about: row.about ?? '', reason: row.reason as DisabledReason };
  return { ...common, kind: 'test' };
}

export function rowOfWork(made: NewWork): WebhookWorkTable {
  const replay = made.kind === 'replay' ? made : undefined;
  const notice = made.kind === 'disabled' ? made : undefined;
  return {
    id: made.id,
    webhook_id: made.webhookId,
    kind: made.kind,
    created_at_ms: made.createdAtMs,
    attempts: 0,
    next_attempt_at_ms: 0,
    about: notice?.about ?? null,
    reason: notice?.reason ?? null,
    after_height: replay?.after.height ?? null,
    after_idx: replay?.after.index ?? null,
    until_height: replay?.until.height ?? null,
    until_idx: replay?.until.index ?? null,
    place_height: replay?.place.height ?? null,
    place_idx: replay?.place.index ?? null,
  };
}

export const auditOfRow = ({ id, at_ms: atMs, actor, action, subject, details }: WebhookAuditTable): WaitingAudit => ({
  id,
  atMs,
  actor,
  action: action as AuditAction,
  subject,
  details: JSON.parse(details) as WaitingAudit['details'],
});
