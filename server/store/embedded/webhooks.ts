/**
 * Webhooks of the embedded engine: rows of chain.db, written from the log as those of access are.
 *
 * A decision of an owner or the service about an endpoint is an entry of the log, and so, now and then, are the places of all endpoints.
 * Attempts, failures and the places between two such entries are rows alone, whose commits are not synced: a power cut may take the newest,
 * and then events are sent once more. A place is never ahead of the events that were sent: its row is written after theirs in one file,
 * and its entry after their block in the log.
 */
import type { AccessWrite } from '../access-types.ts';
import type { WebhooksTable, WebhookDeliveriesTable, WebhookWorkTable } from '../webhooks/tables.ts';
import { deliveryOfRow, rowOfDelivery, rowOfWebhook, rowOfWork, webhookOfRow, workOfRow } from '../webhooks/rows.ts';
import type {
  DeliveryQuery,
  EventPlace,
  FailureState,
  LastFailure,
  NewDelivery,
  NewWork,
  StoredDelivery,
  StoredWebhook,
  StoredWork,
  WebhookChange,
  WebhookQuestions,
  WebhookStore,
  WebhookTransaction,
} from '../webhooks/types.ts';
import { statementFailure } from '../sqlite/failure.ts';
import type { ChainConnection } from './connection.ts';

/** Place of an endpoint in the event log. */
export interface WebhookPlace {
  id: string;
  place: EventPlace;
}

/** A write of an entry of the log: the name of a method of `WebhookTransaction`, and its arguments. */
export type LoggedWebhookWrite =
  | [name: 'insertWebhook', made: StoredWebhook]
  | [name: 'changeWebhook', id: string, version: number, change: WebhookChange]
  | [name: 'deleteWebhook', id: string]
  | [name: 'addWork', made: NewWork]
  /** Forward only. */
  | [name: 'movePlaces', places: readonly WebhookPlace[]];

/** A write of rows alone. */
export type LocalWebhookWrite =
  | [name: 'advance', id: string, from: EventPlace, to: EventPlace, deliveredAtMs: number | undefined]
  | [name: 'noteFailure', id: string, place: EventPlace, failure: FailureState, last: LastFailure]
  | [name: 'appendDeliveries', made: readonly NewDelivery[]]
  | [name: 'pruneDeliveries', webhookId: string, kept: number]
  | [name: 'postponeWork', id: string, attempts: number, nextAttemptAtMs: number]
  | [name: 'advanceReplay', id: string, place: EventPlace]
  | [name: 'endWork', id: string];

type AuditWrite = Extract<AccessWrite, [name: 'appendAudit', ...unknown[]]>;
export type RecordedWrite = LoggedWebhookWrite | LocalWebhookWrite | AuditWrite;

/** Rows of webhooks, read synchronously. */
export interface WebhookRows {
  webhook(id: string): StoredWebhook | undefined;
  webhooksOf(owner: string): StoredWebhook[];
  enabledWebhooks(): StoredWebhook[];
  marks(): { webhooks: { id: string; version: number }[]; work: string[] };
  deliveries(query: DeliveryQuery): StoredDelivery[];
  work(webhookId?: string): StoredWork[];
  counts(): { enabled: number; disabled: number };
}

export function webhookRows(sql: ChainConnection): WebhookRows {
  const webhook = sql.prepare<[string], WebhooksTable>('SELECT * FROM webhooks WHERE id = ?');
  const ofOwner = sql.prepare<[string], WebhooksTable>(
    'SELECT * FROM webhooks WHERE owner = ? ORDER BY created_at_ms, id',
  );
  const enabled = sql.prepare<[], WebhooksTable>(
    "SELECT * FROM webhooks WHERE status = 'enabled' ORDER BY created_at_ms, id",
  );
  const versions = sql.prepare<[], { id: string; version: number }>(
    "SELECT id, version FROM webhooks WHERE status = 'enabled' ORDER BY id",
  );
  const workIds = sql.prepare<[], string>('SELECT id FROM webhook_work ORDER BY id').pluck();
  const deliveries = sql.prepare<[object], WebhookDeliveriesTable>(
    'SELECT * FROM webhook_deliveries WHERE webhook_id = :webhookId AND seq < :before ORDER BY seq DESC LIMIT :limit',
  );
  const work = sql.prepare<[object], WebhookWorkTable>(
    'SELECT * FROM webhook_work WHERE :webhookId IS NULL OR webhook_id = :webhookId ORDER BY created_at_ms, id',
  );
  const counts = sql.prepare<[], { status: string; count: number }>(
    'SELECT status, count(*) AS count FROM webhooks GROUP BY status',
  );
  return {
    webhook: (id) => {
      const row = webhook.get(id);
      return row && webhookOfRow(row);
    },
    webhooksOf: (owner) => ofOwner.all(owner).map(webhookOfRow),
    enabledWebhooks: () => enabled.all().map(webhookOfRow),
    marks: () => ({ webhooks: versions.all(), work: workIds.all() }),
    deliveries: ({ webhookId, limit, before = Number.MAX_SAFE_INTEGER }) =>
      deliveries.all({ webhookId, limit, before }).map(deliveryOfRow),
    work: (webhookId) => work.all({ webhookId: webhookId ?? null }).map(workOfRow),
    counts: () => {
      const found = counts.all();
      const of = (status: string): number => found.find((row) => row.status === status)?.count ?? 0;
      return { enabled: of('enabled'), disabled: of('disabled') };
    },
  };
}

/** The same, as promises. Lines of the audit trail are in the entry of their change, so none waits to be copied there. */
export function webhookQuestions(rows: WebhookRows): WebhookQuestions {
  const asked = async <T>(ask: () => T): Promise<T> => {
    try {
      return ask();
    } catch (error) {
      throw statementFailure(error);
    }
  };
  return {
    webhook: (id) => asked(() => rows.webhook(id)),
    webhooksOf: (owner) => asked(() => rows.webhooksOf(owner)),
    enabledWebhooks: () => asked(() => rows.enabledWebhooks()),
    marks: () => asked(() => rows.marks()),
    deliveries: (query) => asked(() => rows.deliveries(query)),
    work: (webhookId) => asked(() => rows.work(webhookId)),
    waitingAudit: async () => [],
  };
}

type Calls = {
  [Write in LoggedWebhookWrite | LocalWebhookWrite as Write[0]]: (
    ...values: Write extends [unknown, ...infer Values] ? Values : never
  ) => void;
};

/** Writes rows, within the transaction that is open. A write that no longer fits the rows changes nothing. */
export function webhookWriter(sql: ChainConnection): Calls {
  const { webhook } = webhookRows(sql);
  const columns = COLUMNS.join(', ');
  const save = sql.prepare<[WebhooksTable]>(
    `INSERT OR REPLACE INTO webhooks (${columns}) VALUES (${COLUMNS.map((name) => `:${name}`).join(', ')})`,
  );
  const remove = ['webhook_deliveries WHERE webhook_id', 'webhook_work WHERE webhook_id', 'webhooks WHERE id'].map(
    (what) => sql.prepare<[string]>(`DELETE FROM ${what} = ?`),
  );
  const isThere = sql.prepare<[string]>('SELECT 1 FROM webhooks WHERE id = ?');
  const lastDelivery = sql
    .prepare<[string], number>('SELECT coalesce(max(seq), 0) FROM webhook_deliveries WHERE webhook_id = ?')
    .pluck();
  const addDelivery = sql.prepare<[WebhookDeliveriesTable]>(
    `INSERT INTO webhook_deliveries (webhook_id, seq, event_id, type, kind, at_ms, attempt, outcome, status_code, duration_ms, error_code, error_detail, answer)
     VALUES (:webhook_id, :seq, :event_id, :type, :kind, :at_ms, :attempt, :outcome, :status_code, :duration_ms, :error_code, :error_detail, :answer)`,
  );
  const prune = sql.prepare('DELETE FROM webhook_deliveries WHERE webhook_id = ? AND seq <= ?');
  const addWork = sql.prepare<[WebhookWorkTable]>(
    `INSERT INTO webhook_work (id, webhook_id, kind, created_at_ms, attempts, next_attempt_at_ms, about, reason, after_height, after_idx, until_height, until_idx, place_height, place_idx)
     VALUES (:id, :webhook_id, :kind, :created_at_ms, :attempts, :next_attempt_at_ms, :about, :reason, :after_height, :after_idx, :until_height, :until_idx, :place_height, :place_idx)`,
  );
  const postpone = sql.prepare('UPDATE webhook_work SET attempts = ?, next_attempt_at_ms = ? WHERE id = ?');
  const moveReplay = sql.prepare(
    'UPDATE webhook_work SET place_height = ?, place_idx = ?, attempts = 0, next_attempt_at_ms = 0 WHERE id = ?',
  );
  const endWork = sql.prepare('DELETE FROM webhook_work WHERE id = ?');
  const put = (changed: StoredWebhook | undefined): void => {
    if (changed !== undefined) save.run(rowOfWebhook(changed));
  };
  return {
    insertWebhook: put,
    changeWebhook: (id, version, change) => put(changedWebhook(webhook(id), version, change)),
    deleteWebhook: (id) => remove.forEach((statement) => statement.run(id)),
    addWork: (made) => {
      if (isThere.get(made.webhookId) !== undefined) addWork.run(rowOfWork(made));
    },
    movePlaces: (places) => {
      for (const { id, place } of places) {
        const found = webhook(id);
        if (found !== undefined && isBefore(found.place, place)) put(advanced(found, found.place, place));
      }
    },

    advance: (id, from, to, deliveredAtMs) => put(advanced(webhook(id), from, to, deliveredAtMs)),
    noteFailure: (id, place, failure, last) => put(withFailure(webhook(id), place, failure, last)),
    appendDeliveries: (made) => {
      for (const one of made) {
        const { webhookId } = one;
        // Of an endpoint that was deleted nothing is kept.
        if (isThere.get(webhookId) !== undefined)
          addDelivery.run(rowOfDelivery(one, (lastDelivery.get(webhookId) ?? 0) + 1));
      }
    },
    pruneDeliveries: (id, kept) => void prune.run(id, (lastDelivery.get(id) ?? 0) - kept),
    postponeWork: (id, attempts, nextAttemptAtMs) => void postpone.run(attempts, nextAttemptAtMs, id),
    advanceReplay: (id, { height, index }) => void moveReplay.run(height, index, id),
    endWork: (id) => void endWork.run(id),
  };
}

const COLUMNS: readonly (keyof WebhooksTable)[] = [
  'id',
  'owner',
  'url',
  'description',
  'filters',
  'status',
  'disabled_reason',
  'secret',
  'previous_secrets',
  'place_height',
  'place_idx',
  'first_failed_at_ms',
  'attempts',
  'next_attempt_at_ms',
  'last_success_at_ms',
  'last_failure_at_ms',
  'last_failure_code',
  'last_failure_detail',
  'created_at_ms',
  'updated_at_ms',
  'version',
];

const isBefore = (a: EventPlace, b: EventPlace): boolean =>
  a.height < b.height || (a.height === b.height && a.index < b.index);
const isSame = (a: EventPlace, b: EventPlace): boolean => a.height === b.height && a.index === b.index;

/** Undefined where the endpoint was deleted, or has another version. */
function changedWebhook(
  found: StoredWebhook | undefined,
  version: number,
  { description, disabledReason, place, clearFailure, updatedAtMs, ...set }: WebhookChange,
): StoredWebhook | undefined {
  if (found?.version !== version) return undefined;
  const { description: oldDescription, disabledReason: oldReason, failure, ...before } = found;
  const nextDescription = description === undefined ? oldDescription : description;
  const nextReason = disabledReason === undefined ? oldReason : disabledReason;
  const { url = before.url, filters = before.filters, status = before.status, secrets = before.secrets } = set;
  return {
    ...before,
    url,
    filters,
    status,
    secrets,
    ...(typeof nextDescription === 'string' && { description: nextDescription }),
    ...(typeof nextReason === 'string' && { disabledReason: nextReason }),
    // Deliveries since the change was decided stay recorded.
    ...(place !== undefined && isBefore(before.place, place) && { place }),
    ...(failure !== undefined && clearFailure !== true && { failure }),
    updatedAtMs,
    version: version + 1,
  };
}

/** Undefined where the endpoint is no longer at `from`. */
function advanced(
  found: StoredWebhook | undefined,
  from: EventPlace,
  to: EventPlace,
  deliveredAtMs?: number,
): StoredWebhook | undefined {
  if (found === undefined || !isSame(found.place, from)) return undefined;
  const { failure: _, ...before } = found;
  return { ...before, place: to, ...(deliveredAtMs !== undefined && { lastSuccessAtMs: deliveredAtMs }) };
}

function withFailure(
  found: StoredWebhook | undefined,
  place: EventPlace,
  failure: FailureState,
  lastFailure: LastFailure,
): StoredWebhook | undefined {
  return found === undefined || !isSame(found.place, place) ? undefined : { ...found, failure, lastFailure };
}

export interface RecordingOptions {
  rows: WebhookRows;
  /** Before a change reads: the rows have every change that was made before. */
  ready?: () => Promise<void>;
  /** Makes the recorded writes, all or nothing. Resolves when they are in the rows. */
  write(writes: readonly RecordedWrite[]): Promise<void>;
  close(): void;
}

/**
 * The store for a caller that reads rows and has another thread write them: a transaction reads, collects its writes, and then all of them
 * are passed on.
 */
export function recordingStore({ rows, ready, write, close }: RecordingOptions): WebhookStore {
  const now = webhookQuestions(rows);
  let last: Promise<unknown> = Promise.resolve();
  const run = async <T>(work: (tx: WebhookTransaction) => Promise<T>): Promise<T> => {
    await ready?.();
    const writes: RecordedWrite[] = [];
    const result = await work(recorder(rows, now, writes));
    if (writes.length > 0) await write(writes);
    return result;
  };
  return {
    // One at a time: each reads the writes of the one before.
    write: (work) => {
      const made = last.then(() => run(work));
      last = made.catch(() => undefined);
      return made;
    },
    now,
    close: async () => {
      await last;
      close();
    },
  };
}

/** A transaction reads its own changes of endpoints, and work as it was before the transaction. */
function recorder(rows: WebhookRows, now: WebhookQuestions, writes: RecordedWrite[]): WebhookTransaction {
  const changed = new Map<string, StoredWebhook | undefined>();
  const current = (id: string): StoredWebhook | undefined => (changed.has(id) ? changed.get(id) : rows.webhook(id));
  const record = async (write: RecordedWrite): Promise<void> => void writes.push(write);
  const change = async (made: StoredWebhook | undefined, write: RecordedWrite): Promise<boolean> => {
    if (made === undefined) return false;
    changed.set(made.id, made);
    writes.push(write);
    return true;
  };
  return {
    ...now,
    webhook: async (id) => current(id),
    insertWebhook: async (made) => void (await change(made, ['insertWebhook', made])),
    changeWebhook: (id, version, made) =>
      change(changedWebhook(current(id), version, made), ['changeWebhook', id, version, made]),
    deleteWebhook: async (id) => {
      if (current(id) === undefined) return false;
      changed.set(id, undefined);
      writes.push(['deleteWebhook', id]);
      return true;
    },
    advance: (id, from, to, deliveredAtMs) =>
      change(advanced(current(id), from, to, deliveredAtMs), ['advance', id, from, to, deliveredAtMs]),
    noteFailure: (id, place, failure, last) =>
      change(withFailure(current(id), place, failure, last), ['noteFailure', id, place, failure, last]),
    appendDeliveries: async (made) => {
      if (made.length > 0) await record(['appendDeliveries', made]);
    },
    pruneDeliveries: (webhookId, kept) => record(['pruneDeliveries', webhookId, kept]),
    addWork: (made) => record(['addWork', made]),
    postponeWork: (id, attempts, nextAttemptAtMs) => record(['postponeWork', id, attempts, nextAttemptAtMs]),
    advanceReplay: (id, place) => record(['advanceReplay', id, place]),
    endWork: (id) => record(['endWork', id]),
    addAudit: ({ atMs, actor, action, subject, details }) =>
      record(['appendAudit', [{ atMs, actor, action, subject, details }]]),
    endAudit: async () => undefined,
  };
}

const LOGGED: Readonly<Record<LoggedWebhookWrite[0], true>> = {
  insertWebhook: true,
  changeWebhook: true,
  deleteWebhook: true,
  addWork: true,
  movePlaces: true,
};

export const isLoggedWebhookWrite = (name: string): name is LoggedWebhookWrite[0] => Object.hasOwn(LOGGED, name);

export const isLoggedWrite = (write: RecordedWrite): write is LoggedWebhookWrite | AuditWrite =>
  write[0] === 'appendAudit' || isLoggedWebhookWrite(write[0]);

export const isLocalWrite = (write: RecordedWrite): write is LocalWebhookWrite => !isLoggedWrite(write);

/** For a thread that only reads. */
export function readingStore(sql: ChainConnection): WebhookStore {
  return recordingStore({
    rows: webhookRows(sql),
    write: () => Promise.reject(new Error('this connection only reads')),
    close: () => void sql.close(),
  });
}
