/**
 * What the delivery of webhooks asks of its surroundings: where endpoints and events are kept, and who sends. A simulation stands behind all of it
 * as well as the databases and sockets of a server.
 */
import type { DisabledReason, EventPlace, WebhookSecrets } from '../../../store/webhooks/index.ts';

export type { EventPlace };

/** A settled transfer, as far as delivery looks into it. `transaction` becomes a part of the message as it is. */
export interface DeliveredEvent extends EventPlace {
  readonly blockTimeMs: number;
  readonly type: string;
  /** Who submitted the transfer; it is not part of the message. */
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
  /** The event behind `place` was sent and not taken. */
  readonly failing?: Failing | undefined;
}

export interface Failing {
  readonly sinceMs: number;
  readonly attempts: number;
  /** The next attempt. */
  readonly retryAtMs: number;
}

/**
 * What is to be sent to an endpoint beside its lane: a test, the notice that another endpoint of its owner was disabled, or a range of
 * events once more.
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
  /** `delivered`, or why it failed. */
  readonly code: string;
  readonly httpStatus?: number | undefined;
  /** A sentence for the owner of the endpoint; absent where it was delivered. */
  readonly detail?: string | undefined;
  /** When it is tried again. */
  readonly retryAtMs?: number | undefined;
  /** The beginning of what was answered. */
  readonly answer?: string | undefined;
}

export interface EndpointProgress {
  readonly id: string;
  /** Of the endpoint that this is said of: what is known of failures counts for that one only. */
  readonly revision: number;
  readonly place: EventPlace;
  readonly failing: Failing | undefined;
  readonly lastSuccessAtMs?: number | undefined;
  readonly lastFailure?: { readonly atMs: number; readonly code: string; readonly detail: string } | undefined;
}

/** What is written together, in one transaction. */
export interface Progress {
  /** A place moves forward only: another holder may have moved it further. `failing` replaces what is known of the event behind the place. */
  readonly endpoints: readonly EndpointProgress[];
  readonly records: readonly DeliveryRecord[];
  /** How far replays have come. */
  readonly replays: readonly { readonly id: string; readonly after: EventPlace }[];
  readonly postponed: readonly { readonly id: string; readonly attempts: number; readonly retryAtMs: number }[];
  /** Ids of jobs beside the lanes that are done. */
  readonly finished: readonly string[];
}

export interface EndpointStore {
  /** Every enabled endpoint and everything to be sent beside the lanes, oldest first. */
  load(): Promise<{ endpoints: readonly Endpoint[]; jobs: readonly SideJob[] }>;
  /** Another value whenever something that `load` gives was changed by another than `save`. It must be cheap. */
  version(): Promise<string | number>;
  save(progress: Progress): Promise<void>;
  /**
   * Disables the endpoint with the reason, unless it was changed meanwhile (another revision) or is disabled; in the same transaction the
   * audit trail records it and each other enabled endpoint of its owner gets a job with a `webhook.disabled` message. Returns whether it did.
   */
  disable(options: { id: string; revision: number; reason: GivenUp; detail: string; atMs: number }): Promise<boolean>;
}

/** The target answered 410, or took nothing for three days. */
export type GivenUp = Exclude<DisabledReason, 'owner'>;

export interface EventSource {
  /** Events behind the place in order, at most `limit`, and how far it looked: the next look begins there. */
  after(place: EventPlace, limit: number): Promise<{ events: readonly DeliveredEvent[]; place: EventPlace }>;
  /** Calls the listener when there may be new events. Returns the end of it. */
  watch(listener: () => void): () => void;
}

export interface Message {
  readonly endpointId: string;
  /** Whose endpoint it is: some targets are allowed to one owner alone. */
  readonly owner: string;
  readonly url: string;
  /** All of the signed headers, lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How one request ended. `delivered` with a 2xx and only then. */
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
      /** The beginning of what was answered. */
      readonly answer?: string | undefined;
      /** What Retry-After asks for. */
      readonly retryAfterMs?: number | undefined;
    };

/**
 * The contract's WebhookFailureCode, but for `stopped`: that request was given up by this service, and leaves no trace. `name_not_resolved`
 * is in logs of earlier versions only: a code of its own would tell which internal names there are.
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
  /** Connections kept for this endpoint are closed: it has gone, or has another URL. */
  forget(endpointId: string): void;
}
