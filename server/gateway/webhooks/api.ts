/**
 * Port of webhooks for the HTTP layer, and the shapes that pass between them: plain, structured-cloneable data, because over a network the
 * service runs on the gateway's thread. The methods have the names of the operations.
 */
import type {
  DisabledReason,
  EventPlace,
  LastFailure,
  StoredDelivery,
  WebhookFilters,
  WebhookStatus,
} from '../../store/webhooks/records.ts';
import type { Refusal } from '../refusal-types.ts';

export type { StoredDelivery };

/** The owner on whose behalf an operation runs, and the token, for the audit trail. */
export interface WebhookCaller {
  owner: string;
  tokenId: string;
}

/** Webhook as a client sends it. */
export interface NewWebhook {
  url: string;
  description?: string | undefined;
  types?: readonly string[] | undefined;
  accounts?: readonly string[] | undefined;
  submittedOnly?: boolean | undefined;
}

/** Absent members stay as they are. An empty text or list, and false, remove the value. */
export interface WebhookPatch extends Partial<NewWebhook> {
  status?: WebhookStatus | undefined;
  resumeFrom?: 'position' | 'now' | undefined;
}

/** Everything but the secrets. */
export interface WebhookView extends WebhookFilters {
  id: string;
  url: string;
  description?: string;
  status: WebhookStatus;
  disabledReason?: DisabledReason;
  place: EventPlace;
  previousSecretUntilMs?: number;
  lastSuccessAtMs?: number;
  lastFailure?: LastFailure;
  createdAtMs: number;
  updatedAtMs: number;
}

export interface WebhookAnswer {
  ok: true;
  webhook: WebhookView;
}

export interface WebhookSecretAnswer extends WebhookAnswer {
  /** Only this answer has it. */
  secret: string;
}

export interface DeliveryPageQuery {
  /** 1 to LIST_LIMIT_MAX. */
  limit: number;
  cursor?: string | undefined;
}

export interface DeliveryPage {
  ok: true;
  /** Newest first. */
  deliveries: StoredDelivery[];
  /** Absent on the last page. */
  nextCursor?: string;
}

/** Places in the form of the contract. */
export interface ReplayRange {
  after: string;
  until?: string | undefined;
}

export interface ReplayAnswer {
  ok: true;
  after: EventPlace;
  until: EventPlace;
}

/** Every change is durable when its answer comes. An endpoint of another owner is `not_found`, as if it did not exist. */
export interface WebhookApi {
  createWebhook(caller: WebhookCaller, input: NewWebhook): Promise<WebhookSecretAnswer | Refusal>;
  /** Oldest first. */
  listWebhooks(owner: string): Promise<{ ok: true; webhooks: WebhookView[] } | Refusal>;
  getWebhook(owner: string, id: string): Promise<WebhookAnswer | Refusal>;
  updateWebhook(caller: WebhookCaller, id: string, patch: WebhookPatch): Promise<WebhookAnswer | Refusal>;
  deleteWebhook(caller: WebhookCaller, id: string): Promise<{ ok: true } | Refusal>;
  /** The previous secret signs too, for `overlapS` seconds. */
  rotateWebhookSecret(caller: WebhookCaller, id: string, overlapS: number): Promise<WebhookSecretAnswer | Refusal>;
  testWebhook(owner: string, id: string): Promise<{ ok: true; messageId: string } | Refusal>;
  listWebhookDeliveries(owner: string, id: string, query: DeliveryPageQuery): Promise<DeliveryPage | Refusal>;
  replayWebhook(owner: string, id: string, range: ReplayRange): Promise<ReplayAnswer | Refusal>;
}
