/** Rows of an endpoint and of an attempt; types.ts has the operations on them. */

/** A place in the event log: everything up to it, itself included, has been seen. The gateway's END_OF_BLOCK is for a whole block. */
export interface EventPlace {
  height: number;
  index: number;
}

/** The types of events that the chain decides. An endpoint without a list gets those that a later version adds too. */
export interface WebhookFilters {
  types?: readonly string[];
  /** Either side of the transfer. */
  accounts?: readonly string[];
  /** Only transfers that the endpoint's owner submitted. */
  submittedOnly?: boolean;
}

export type WebhookStatus = 'enabled' | 'disabled';

/** `owner`: by a request. `failing`: nothing was taken for too long. `gone`: the endpoint answered 410. */
export type DisabledReason = 'owner' | 'failing' | 'gone';

export interface WebhookSecrets {
  /** `whsec_` and the base64 of 32 bytes. It signs, so it cannot be kept as a hash. */
  current: string;
  /** Earlier secrets, newest first, which sign beside it until then. More than one where a rotation followed another within its overlap. */
  previous: readonly { secret: string; untilMs: number }[];
}

/** Recorded failures of the event after `place`. */
export interface FailureState {
  /** Since when nothing was taken. */
  firstFailedAtMs: number;
  /** Attempts in a row that failed. */
  attempts: number;
  nextAttemptAtMs: number;
}

export interface LastFailure {
  atMs: number;
  code: string;
  detail: string;
}

export interface StoredWebhook {
  /** `wh_` and 26 characters. */
  id: string;
  owner: string;
  url: string;
  description?: string;
  filters: WebhookFilters;
  status: WebhookStatus;
  disabledReason?: DisabledReason;
  secrets: WebhookSecrets;
  /** The last event that was delivered or passed over. */
  place: EventPlace;
  failure?: FailureState;
  lastSuccessAtMs?: number;
  lastFailure?: LastFailure;
  createdAtMs: number;
  updatedAtMs: number;
  /** Counts changes of the settings by the owner or the service; progress of the delivery leaves it as it is. */
  version: number;
}

export type DeliveryKind = 'event' | 'test' | 'replay' | 'disabled';

/** One attempt. */
export interface NewDelivery {
  webhookId: string;
  /** The `webhook-id` that was sent. */
  eventId: string;
  /** Type of the message: `transaction.committed`, `webhook.test`, ... */
  type: string;
  kind: DeliveryKind;
  atMs: number;
  /** 1 for the first. */
  attempt: number;
  outcome: 'delivered' | 'failed';
  /** Status code of the answer; absent when there was none. */
  statusCode?: number;
  durationMs: number;
  error?: { code: string; detail: string };
  /** The beginning of the answer's body, cut to ANSWER_EXCERPT_BYTES_MAX by the writer. */
  answer?: string;
}

export type StoredDelivery = NewDelivery & {
  /** 1, 2, 3, ... for each endpoint. */
  seq: number;
};
