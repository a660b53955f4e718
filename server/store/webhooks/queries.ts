/** The queries of webhooks, the same on SQLite and PostgreSQL. */
import { sql } from 'kysely';
import type { QueryContext } from '../queries/context.ts';
import {
  auditOfRow,
  deliveryOfRow,
  rowOfDelivery,
  rowOfWebhook,
  rowOfWork,
  secretColumns,
  webhookOfRow,
  workOfRow,
} from './rows.ts';
import type { EventPlace, NewDelivery, WebhookChange, WebhookQuestions, WebhookTransaction } from './types.ts';

export function webhookQuestions({ db }: QueryContext): WebhookQuestions {
  return {
    webhook: async (id) => {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();
      return row && webhookOfRow(row);
    },
    webhooksOf: async (owner) => {
      const rows = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('owner', '=', owner)
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(webhookOfRow);
    },
    enabledWebhooks: async () => {
      const rows = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('status', '=', 'enabled')
        .orderBy('created_at_ms')
        .orderBy('id')
        .execute();
      return rows.map(webhookOfRow);
    },
    marks: async () => {
      const webhooks = await db
        .selectFrom('webhooks')
        .select(['id', 'version'])
        .where('status', '=', 'enabled')
        .orderBy('id')
        .execute();
      const work = await db.selectFrom('webhook_work').select('id').orderBy('id').execute();
      return { webhooks, work: work.map(({ id }) => id) };
    },
    deliveries: async ({ webhookId, limit, before }) => {
      let query = db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_id', '=', webhookId)
        .orderBy('seq', 'desc')
        .limit(limit);
      if (before !== undefined) query = query.where('seq', '<', before);
      return (await query.execute()).map(deliveryOfRow);
    },
    work: async (webhookId) => {
      let query = db.selectFrom('webhook_work').selectAll().orderBy('created_at_ms').orderBy('id');
      if (webhookId !== undefined) query = query.where('webhook_id', '=', webhookId);
      return (await query.execute()).map(workOfRow);
    },
    waitingAudit: async (limit) => {
      const rows = await db.selectFrom('webhook_audit').selectAll().orderBy('seq').limit(limit).execute();
      return rows.map(auditOfRow);
    },
  };
}

export async function webhookCounts({ db }: QueryContext): Promise<{ enabled: number; disabled: number }> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['status', sql<number>`count(*)`.as('count')])
    .groupBy('status')
    .execute();
  const of = (status: string): number => Number(rows.find((row) => row.status === status)?.count ?? 0);
  return { enabled: of('enabled'), disabled: of('disabled') };
}

export function webhookTransaction(context: QueryContext): WebhookTransaction {
  const { db } = context;
  const at = (id: string, place: EventPlace) =>
    db
      .updateTable('webhooks')
      .where('id', '=', id)
      .where('place_height', '=', place.height)
      .where('place_idx', '=', place.index);
  return {
    ...webhookQuestions(context),
    insertWebhook: async (made) => void (await db.insertInto('webhooks').values(rowOfWebhook(made)).execute()),
    changeWebhook: async (id, version, change) => {
      const changed = await db
        .updateTable('webhooks')
        .set(changedColumns(change))
        .set({ version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst();
      return changed.numUpdatedRows === 1n;
    },
    deleteWebhook: async (id) => {
      await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute();
      await db.deleteFrom('webhook_work').where('webhook_id', '=', id).execute();
      const removed = await db.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst();
      return removed.numDeletedRows === 1n;
    },

    advance: async (id, from, to, deliveredAtMs) => {
      const forgotten = { first_failed_at_ms: null, attempts: 0, next_attempt_at_ms: null };
      const delivered = deliveredAtMs === undefined ? {} : { last_success_at_ms: deliveredAtMs };
      const moved = await at(id, from)
        .set({ place_height: to.height, place_idx: to.index, ...forgotten, ...delivered })
        .executeTakeFirst();
      return moved.numUpdatedRows === 1n;
    },
    noteFailure: async (id, place, { firstFailedAtMs, attempts, nextAttemptAtMs }, last) => {
      const noted = await at(id, place)
        .set({
          first_failed_at_ms: firstFailedAtMs,
          attempts,
          next_attempt_at_ms: nextAttemptAtMs,
          last_failure_at_ms: last.atMs,
          last_failure_code: last.code,
          last_failure_detail: last.detail,
        })
        .executeTakeFirst();
      return noted.numUpdatedRows === 1n;
    },
    appendDeliveries: (made) => appendDeliveries(context, made),
    pruneDeliveries: async (webhookId, kept) => {
      const last = db
        .selectFrom('webhook_deliveries')
        .select(sql<number>`coalesce(max(seq), 0)`.as('last'))
        .where('webhook_id', '=', webhookId);
      await db
        .deleteFrom('webhook_deliveries')
        .where('webhook_id', '=', webhookId)
        .where('seq', '<=', sql<number>`(${last}) - ${kept}`)
        .execute();
    },

    addWork: async (made) => void (await db.insertInto('webhook_work').values(rowOfWork(made)).execute()),
    postponeWork: async (id, attempts, nextAttemptAtMs) =>
      void (await db
        .updateTable('webhook_work')
        .set({ attempts, next_attempt_at_ms: nextAttemptAtMs })
        .where('id', '=', id)
        .execute()),
    advanceReplay: async (id, place) =>
      void (await db
        .updateTable('webhook_work')
        .set({ place_height: place.height, place_idx: place.index, attempts: 0, next_attempt_at_ms: 0 })
        .where('id', '=', id)
        .execute()),
    endWork: async (id) => void (await db.deleteFrom('webhook_work').where('id', '=', id).execute()),

    addAudit: async ({ id, atMs, actor, action, subject, details }) => {
      const { last } = await db
        .selectFrom('webhook_audit')
        .select(sql<number>`coalesce(max(seq), 0)`.as('last'))
        .executeTakeFirstOrThrow();
      await db
        .insertInto('webhook_audit')
        .values({ id, seq: last + 1, at_ms: atMs, actor, action, subject, details: JSON.stringify(details) })
        .execute();
    },
    endAudit: async (ids) => {
      if (ids.length > 0)
        await db
          .deleteFrom('webhook_audit')
          .where('id', 'in', [...ids])
          .execute();
    },
  };
}

function changedColumns(change: WebhookChange) {
  return {
    updated_at_ms: change.updatedAtMs,
    ...(change.url !== undefined && { url: change.url }),
    ...(change.description !== undefined && { description: change.description }),
    ...(change.filters && { filters: JSON.stringify(change.filters) }),
    ...(change.status && { status: change.status }),
    ...(change.disabledReason !== undefined && { disabled_reason: change.disabledReason }),
    ...(change.secrets && secretColumns(change.secrets)),
    ...(change.place && { place_height: change.place.height, place_idx: change.place.index }),
    ...(change.clearFailure && { first_failed_at_ms: null, attempts: 0, next_attempt_at_ms: null }),
  };
}

/** Sequence numbers run for each endpoint; a write transaction has no other beside it, so no other takes the next one. */
async function appendDeliveries({ db }: QueryContext, made: readonly NewDelivery[]): Promise<void> {
  if (made.length === 0) return;
  const ids = [...new Set(made.map(({ webhookId }) => webhookId))];
  const lasts = await db
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', sql<number>`max(seq)`.as('last')])
    .where('webhook_id', 'in', ids)
    .groupBy('webhook_id')
    .execute();
  const next = new Map(lasts.map(({ webhook_id: id, last }) => [id, last + 1]));
  const rows = made.map((one) => {
    const seq = next.get(one.webhookId) ?? 1;
    next.set(one.webhookId, seq + 1);
    return rowOfDelivery(one, seq);
  });
  await db.insertInto('webhook_deliveries').values(rows).execute();
}
