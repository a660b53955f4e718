/**
 * Webhook endpoints as the store keeps them: the owner's settings, the place of each in the event log, the waiting work, and the log of
 * deliveries.
 *
 * Two sides write here, in threads or processes of their own. The API changes the owner's settings; the delivery moves places, counts
 * failures and writes the log. Neither writes the columns of the other, but for two: enabling clears the failures, and failing for too long
 * disables.
 */
import type { AuditEntry } from '../types.ts';
import type {
  DisabledReason,
  EventPlace,
  FailureState,
  LastFailure,
  NewDelivery,
  StoredDelivery,
  StoredWebhook,
  WebhookFilters,
  WebhookSecrets,
  WebhookStatus,
} from './records.ts';

export type * from './records.ts';

/** Changes that the API may make. A member that is absent stays; null removes it. */
export interface WebhookChange {
  url?: string;
  description?: string | null;
  filters?: WebhookFilters;
  status?: WebhookStatus;
  disabledReason?: DisabledReason | null;
  secrets?: WebhookSecrets;
  place?: EventPlace;
  /** Forgets the failures, so that the next attempt is made at once. */
  clearFailure?: true;
  updatedAtMs: number;
}

/** Work that waits for the delivery: one of a test, a notice to another endpoint of the owner, a range to send again. */
export type StoredWork = {
  /** The `webhook-id` of a test or a notice; a name of its own for a replay. */
  id: string;
  webhookId: string;
  createdAtMs: number;
  attempts: number;
  /** Not before; 0 at first. */
  nextAttemptAtMs: number;
} & (
  | { kind: 'test' }
  /** `about`: the endpoint that was disabled. */
  | { kind: 'disabled'; about: string; reason: DisabledReason }
  /** Events after `after`, up to `until` and itself included; `place` is its progress. */
  | { kind: 'replay'; after: EventPlace; until: EventPlace; place: EventPlace }
);

/** Distributes over the kinds, as Omit does not. */
export type NewWork = StoredWork extends infer Work
  ? Work extends StoredWork
    ? Omit<Work, 'attempts' | 'nextAttemptAtMs'>
    : never
  : never;

/** An entry of the audit trail that waits to be brought there: the trail may be in another database. */
export type WaitingAudit = AuditEntry & { id: string };

export interface DeliveryQuery {
  webhookId: string;
  limit: number;
  /** Those before it; absent: from the newest on. */
  before?: number;
}

export interface WebhookQuestions {
  webhook(id: string): Promise<StoredWebhook | undefined>;
  /** Oldest first. */
  webhooksOf(owner: string): Promise<StoredWebhook[]>;
  enabledWebhooks(): Promise<StoredWebhook[]>;
  /** Marks that change when endpoints or work change, without reading either: read twice a second. */
  marks(): Promise<{ webhooks: { id: string; version: number }[]; work: string[] }>;
  /** Newest first. */
  deliveries(query: DeliveryQuery): Promise<StoredDelivery[]>;
  /** Oldest first; all endpoints', or one's. */
  work(webhookId?: string): Promise<StoredWork[]>;
  waitingAudit(limit: number): Promise<WaitingAudit[]>;
}

export interface WebhookTransaction extends WebhookQuestions {
  insertWebhook(made: StoredWebhook): Promise<void>;
  /** False when it changed since `version`, or is not there. */
  changeWebhook(id: string, version: number, change: WebhookChange): Promise<boolean>;
  /** With its log and its work. */
  deleteWebhook(id: string): Promise<boolean>;

  /** For the delivery: from a place to a later one; false when the endpoint is no longer at `from`. Clears the failures. */
  advance(id: string, from: EventPlace, to: EventPlace, deliveredAtMs?: number): Promise<boolean>;
  /** The event after `place` was not accepted; false when the endpoint is no longer there. */
  noteFailure(id: string, place: EventPlace, failure: FailureState, last: LastFailure): Promise<boolean>;
  /** Appends to each endpoint's log, in order. */
  appendDeliveries(made: readonly NewDelivery[]): Promise<void>;
  /** Leaves the newest `kept` of the endpoint's log. */
  pruneDeliveries(webhookId: string, kept: number): Promise<void>;

  addWork(made: NewWork): Promise<void>;
  /** After an attempt that failed. */
  postponeWork(id: string, attempts: number, nextAttemptAtMs: number): Promise<void>;
  /** Moves the place of a replay; its failures are cleared. */
  advanceReplay(id: string, place: EventPlace): Promise<void>;
  endWork(id: string): Promise<void>;

  addAudit(entry: WaitingAudit): Promise<void>;
  endAudit(ids: readonly string[]): Promise<void>;
}

export interface WebhookStore {
  /** Durable when it resolves. One at a time over all threads, processes and gateways. */
  write<T>(work: (tx: WebhookTransaction) => Promise<T>): Promise<T>;
  /** Each question by itself. */
  now: WebhookQuestions;
  close(): Promise<void>;
}
