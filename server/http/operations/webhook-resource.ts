/** Endpoints and their log as resources of the contract. Members that do not apply are absent, never null. */
import { placeText } from '../../gateway/event-place.ts';
import type { StoredDelivery, WebhookView } from '../../gateway/webhooks/api.ts';
import { timestamp } from '../timestamp.ts';
import { resource } from '../typed/exact.ts';
import type { Schemas } from '../typed/types.ts';

/** Delivery writes only these codes; the validation of answers in tests proves it. */
type FailureCode = Schemas['WebhookFailureCode'];

export function webhookResource(webhook: WebhookView) {
  const {
    id,
    url,
    description,
    types,
    accounts,
    submittedOnly,
    status,
    disabledReason,
    place,
    previousSecretUntilMs,
    lastSuccessAtMs,
    lastFailure,
    createdAtMs,
    updatedAtMs,
  } = webhook;
  return resource('Webhook', {
    id,
    url,
    ...(description !== undefined && { description }),
    ...(types && { types: types as Schemas['EventType'][] }),
    ...(accounts && { accounts: accounts as string[] }),
    ...(submittedOnly !== undefined && { submittedOnly }),
    status,
    ...(disabledReason !== undefined && { disabledReason }),
    position: placeText(place),
    ...(previousSecretUntilMs !== undefined && { previousSecretUntil: timestamp(previousSecretUntilMs) }),
    ...(lastSuccessAtMs !== undefined && { lastSuccessAt: timestamp(lastSuccessAtMs) }),
    ...(lastFailure && {
      lastFailure: {
        at: timestamp(lastFailure.atMs),
        code: lastFailure.code as FailureCode,
        detail: lastFailure.detail,
      },
    }),
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  });
}

export function deliveryResource({
  seq,
  eventId,
  type,
  kind,
  atMs,
  attempt,
  outcome,
  statusCode,
  durationMs,
  error,
  answer,
}: StoredDelivery) {
  return resource('WebhookDelivery', {
    id: String(seq),
    eventId,
    type,
    kind,
    at: timestamp(atMs),
    attempt,
    outcome,
    ...(statusCode !== undefined && { statusCode }),
    durationMs,
    ...(error && { error: { code: error.code as FailureCode, detail: error.detail } }),
    ...(answer !== undefined && { answer }),
  });
}

/** Relative to the URL of `POST /webhooks` without a public URL; see transactionLocation. */
export function webhookLocation(id: string, publicUrl: string | undefined): string {
  return `${publicUrl ?? './'}webhooks/${id}`;
}
