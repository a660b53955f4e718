/** Store of webhooks for delivery. */
import type {
  DeliveryKind,
  NewDelivery,
  StoredWebhook,
  StoredWork,
  WebhookStore,
  WebhookTransaction,
} from '../../../store/webhooks/index.ts';
import { isBehind } from './place.ts';
import type { DeliveryRecord, Endpoint, EndpointProgress, EndpointStore, SideJob } from './ports.ts';

/** Length of each endpoint's log. The contract promises it. */
export const DELIVERIES_KEPT = 1000;
/** It is cut to that each time so many were added: rarely enough to cost nothing. */
const PRUNE_EVERY = 100;

export interface EndpointStoreOptions {
  store: WebhookStore;
  /** Name in the audit trail of the gateway that disables an endpoint. */
  actor: string;
  newId(prefix: 'disabled' | 'audit'): string;
}

export function endpointStore({ store, actor, newId }: EndpointStoreOptions): EndpointStore {
  const added = new Map<string, number>();
  return {
    version: async () => {
      const { webhooks, work } = await store.now.marks();
      return [...webhooks.map(({ id, version }) => `${id}:${version}`), ...work].join();
    },
    load: async () => {
      const [webhooks, work] = [await store.now.enabledWebhooks(), await store.now.work()];
      return { endpoints: webhooks.map(endpointOf), jobs: work.map(jobOf) };
    },
    save: ({ endpoints, records, replays, postponed, finished }) =>
      store.write(async (tx) => {
        const known = new Set<string>();
        for (const progress of endpoints) if (await saveProgress(tx, progress)) known.add(progress.id);
        for (const { id, after } of replays) await tx.advanceReplay(id, after);
        for (const { id, attempts, retryAtMs } of postponed) await tx.postponeWork(id, attempts, retryAtMs);
        for (const id of finished) await tx.endWork(id);
        const others = [...new Set(records.map(({ endpointId }) => endpointId))].filter((id) => !known.has(id));
        for (const id of others) if ((await tx.webhook(id)) !== undefined) known.add(id);
        // Nothing is kept for an endpoint that was deleted.
        const rows = records.filter(({ endpointId }) => known.has(endpointId)).map(deliveryOf);
        await tx.appendDeliveries(rows);
        await prune(tx, rows, added);
      }),
    disable: ({ id, revision, reason, detail, atMs }) =>
      store.write(async (tx) => {
        const webhook = await tx.webhook(id);
        if (webhook?.status !== 'enabled') return false;
        if (
          !(await tx.changeWebhook(id, revision, {
            status: 'disabled',
            disabledReason: reason,
            clearFailure: true,
            updatedAtMs: atMs,
          }))
        )
          return false;
        const others = (await tx.webhooksOf(webhook.owner)).filter(
          (other) => other.id !== id && other.status === 'enabled',
        );
        for (const other of others)
          await tx.addWork({
            id: newId('disabled'),
            webhookId: other.id,
            kind: 'disabled',
            createdAtMs: atMs,
            about: id,
            reason,
          });
        await tx.addAudit({
          id: newId('audit'),
          atMs,
          actor,
          action: 'webhook.disable',
          subject: id,
          details: { owner: webhook.owner, receiver: new URL(webhook.url).origin, reason, detail },
        });
        return true;
      }),
  };
}

/** Places move forward only, even if several gateways move them. False when there is no such endpoint. */
async function saveProgress(
  tx: WebhookTransaction,
  { id, revision, place, failing, lastSuccessAtMs, lastFailure }: EndpointProgress,
): Promise<boolean> {
  const webhook = await tx.webhook(id);
  if (webhook === undefined) return false;
  if (isBehind(webhook.place, place)) return true;
  if (isBehind(place, webhook.place)) await tx.advance(id, webhook.place, place, lastSuccessAtMs);
  // The recorded failures are of the endpoint as it was then.
  if (failing && lastFailure && webhook.version === revision) {
    await tx.noteFailure(
      id,
      place,
      { firstFailedAtMs: failing.sinceMs, attempts: failing.attempts, nextAttemptAtMs: failing.retryAtMs },
      lastFailure,
    );
  }
  return true;
}

async function prune(tx: WebhookTransaction, rows: readonly NewDelivery[], added: Map<string, number>): Promise<void> {
  for (const { webhookId } of rows) added.set(webhookId, (added.get(webhookId) ?? PRUNE_EVERY - 1) + 1);
  for (const [id, count] of added) {
    if (count < PRUNE_EVERY) continue;
    await tx.pruneDeliveries(id, DELIVERIES_KEPT);
    added.set(id, 0);
  }
}

function endpointOf({ id, owner, url, filters, secrets, version, place, failure }: StoredWebhook): Endpoint {
  const failing = failure && {
    sinceMs: failure.firstFailedAtMs,
    attempts: failure.attempts,
    retryAtMs: failure.nextAttemptAtMs,
  };
  return { id, owner, url, ...filters, secrets, revision: version, place, failing };
}

function jobOf(work: StoredWork): SideJob {
  const { id, webhookId: endpointId, createdAtMs, attempts, nextAttemptAtMs: retryAtMs } = work;
  const common = { id, endpointId, attempts, retryAtMs };
  if (work.kind === 'replay') return { ...common, kind: 'replay', after: work.place, until: work.until };
  const type = work.kind === 'test' ? 'webhook.test' : 'webhook.disabled';
  const data = work.kind === 'test' ? { webhookId: endpointId } : { webhookId: work.about, reason: work.reason };
  return {
    ...common,
    kind: 'message',
    messageId: id,
    type,
    body: JSON.stringify({ id, type, timestamp: new Date(createdAtMs).toISOString(), data }),
  };
}

function deliveryOf({
  endpointId,
  messageId,
  type,
  replay,
  attempt,
  atMs,
  durationMs,
  code,
  httpStatus,
  detail,
  answer,
}: DeliveryRecord): NewDelivery {
  return {
    webhookId: endpointId,
    eventId: messageId,
    type,
    kind: kindOf(type, replay),
    atMs,
    attempt,
    durationMs,
    outcome: code === 'delivered' ? 'delivered' : 'failed',
    ...(httpStatus !== undefined && { statusCode: httpStatus }),
    ...(code !== 'delivered' && { error: { code, detail: detail ?? '' } }),
    ...(answer !== undefined && { answer }),
  };
}

function kindOf(type: string, replay: boolean): DeliveryKind {
  if (replay) return 'replay';
  if (type === 'webhook.test') return 'test';
  return type === 'webhook.disabled' ? 'disabled' : 'event';
}
