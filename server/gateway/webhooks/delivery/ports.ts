/**
 * Ports of the delivery of webhooks: the store of endpoints, the events, and the sender. A simulation implements them as well as a server's
 * databases and sockets.
 */
import type { DisabledReason, EventPlace, WebhookSecrets } from '../../../store/webhooks/index.ts';

export type { EventPlace };

/** A settled transfer, as far as delivery reads it. `transaction` becomes a part of the message as it is. */
export interface DeliveredEvent extends EventPlace {
  readonly blockTimeMs: number;
  readonly type: string;
  /** Owner that submitted the transfer; it is not part of the message. */
  readonly owner?: string | undefined;
  readonly transaction: { readonly from: string; readonly to?: string | undefined };
}

/** An enabled endpoint. */
export interface Endpoint {
  readonly id: string;
  readonly owner: string;
  readonly url: string;
  readonly types?: readonly string[] | undefined;
  readonly accounts?: readonly string[] | undefined;
  readonly submittedOnly?: boolean | undefined;
  readonly secrets: WebhookSecrets;
  /** Grows, or at least changes, with every change that a user makes of it. */
  readonly revision: number;
  /** The last event that was delivered or passed over. */
  readonly place: EventPlace;
  /** The event behind `place` was sent and not accepted. */
  readonly failing?: Failing | undefined;
}

export interface Failing {
  readonly sinceMs: number;
  readonly attempts: number;
  /** The next attempt. */
  readonly retryAtMs: number;
}

/**
 * A message to an endpoint beside its queue: a test, the notice that another endpoint of its owner was disabled, or a range of events once
 * more.
 */
export type SideJob = {
  readonly id: string;
  readonly endpointId: string;
  readonly attempts: number;
  readonly retryAtMs: number;
} &
  /** `body` is the same in every repetition. */
  (
    | {
        readonly kind: 'message';
        readonly messageId: string;
        readonly type: 'webhook.test' | 'webhook.disabled';
        readonly body: string;
      }
    /** Events behind `after` up to `until`; `after` moves on while they are sent. */
    | { readonly kind: 'replay'; readonly after: EventPlace; readonly until: EventPlace }
  );

/** One attempt, for the delivery log. */
export interface DeliveryRecord {
  readonly endpointId: string;
  readonly messageId: string;
  /** The type in the message: that of the event, `webhook.test` or `webhook.disabled`. */
  readonly type: string;
  readonly replay: boolean;
  /** 1, 2, 3, ... */
  readonly attempt: number;
  readonly atMs: number;
  readonly durationMs: number;
  /** `delivered`, or the reason of the failure. */
  readonly code: string;
  readonly httpStatus?: number | undefined;
  /** A sentence for the owner of the endpoint; absent where it was delivered. */
  readonly detail?: string | undefined;
  /** Time of the next attempt. */
  readonly retryAtMs?: number | undefined;
  /** The beginning of the response. */
  readonly answer?: string | undefined;
}

export interface EndpointProgress {
  readonly id: string;
  /** Revision of the endpoint that this is about: recorded failures count for that one only. */
  readonly revision: number;
  readonly place: EventPlace;
  readonly failing: Failing | undefined;
  readonly lastSuccessAtMs?: number | undefined;
  readonly lastFailure?: { readonly atMs: number; readonly code: string; readonly detail: string } | undefined;
}

/** Changes that are written together, in one transaction. */
export interface Progress {
  /**
   * A place moves forward only: another holder may have moved it further. `failing` replaces the recorded failure of the event behind the
   * place.
   */
  readonly endpoints: readonly EndpointProgress[];
  readonly records: readonly DeliveryRecord[];
  /** Places of replays. */
  readonly replays: readonly { readonly id: string; readonly after: EventPlace }[];
  readonly postponed: readonly { readonly id: string; readonly attempts: number; readonly retryAtMs: number }[];
  /** Ids of completed jobs beside the queues. */
  readonly finished: readonly string[];
}

export interface EndpointStore {
  /** Every enabled endpoint and all jobs beside the queues, oldest first. */
  load(): Promise<{ endpoints: readonly Endpoint[]; jobs: readonly SideJob[] }>;
  /** A value that differs after any change, except by `save`, of the data that `load` returns. It must be cheap. */
  version(): Promise<string | number>;
  save(progress: Progress): Promise<void>;
  /**
   * Disables the endpoint with the reason, unless it was changed meanwhile (another revision) or is disabled; in the same transaction the
   * audit trail records it and each other enabled endpoint of its owner gets a job with a `webhook.disabled` message. Returns whether it
   * did.
   */
  disable(options: { id: string; revision: number; reason: GivenUp; detail: string; atMs: number }): Promise<boolean>;
}

/** The target answered 410, or accepted nothing for three days. */
export type GivenUp = Exclude<DisabledReason, 'owner'>;

export interface EventSource {
  /** Events behind the place in order, at most `limit`, and the place up to which it looked: the next look begins there. */
  after(place: EventPlace, limit: number): Promise<{ events: readonly DeliveredEvent[]; place: EventPlace }>;
  /** Calls the listener when there may be new events. Returns a function that ends it. */
  watch(listener: () => void): () => void;
}

export interface Message {
  readonly endpointId: string;
  /** Owner of the endpoint: some targets are allowed for one owner only. */
  readonly owner: string;
  readonly url: string;
  /** All of the signed headers, lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Outcome of one request. `delivered` with a 2xx and only then. */
export type SendOutcome =
  | {
      readonly ok: true;
      readonly httpStatus: number;
      readonly durationMs: number;
      readonly answer?: string | undefined;
    }
  | {
      readonly ok: false;
      readonly code: FailureCode;
      readonly detail: string;
      readonly durationMs: number;
      readonly httpStatus?: number | undefined;
      /** The beginning of the response. */
      readonly answer?: string | undefined;
      /** Delay of Retry-After. */
      readonly retryAfterMs?: number | undefined;
    };

/**
 * The contract's WebhookFailureCode, and `stopped`: this service gave the request up, and records nothing of it. `name_not_resolved` is in
 * logs of earlier versions only: a code of its own would reveal which internal names exist.
 */
export type FailureCode =
  | 'url_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'redirected'
  | 'status_code'
  | 'stopped';

export interface Sender {
  /** Never rejects. Resolves early with `stopped` when the signal is aborted. */
  send(message: Message, signal: AbortSignal): Promise<SendOutcome>;
  /** Closes the connections kept for this endpoint: it has gone, or has another URL. */
  forget(endpointId: string): void;
}
