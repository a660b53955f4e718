/** One open stream: where it is in the log, and whether its socket has taken what was written last. */
import type { EventPlace, Principal } from '../../gateway/types.ts';
import type { Exchange } from '../exchange.ts';

import type { EventFilter } from './event-filter.ts';

/** The reason why a stream ended; `client`: the client disconnected. */
export type StreamEnd = 'client' | 'stalled' | 'token' | 'drain';

export interface StreamParts {
  exchange: Exchange;
  principal: Principal;
  filter: EventFilter;
  place: EventPlace;
  head: number;
  onSent: (events: number) => void;
  /** The socket has taken what was written last. */
  onTaken: (stream: EventStream) => void;
}

export class EventStream {
  readonly filter: EventFilter;
  readonly principal: Principal;
  /** Everything up to here was written or filtered out. A live stream has at least what the hub has delivered as well. */
  place: EventPlace;
  /** The last block when the stream read the log last. */
  head: number;
  /** It gets new events as they are delivered; otherwise it reads the log at its own pace. */
  isLive = false;
  /** The reason why the service ended it. */
  endedFor: StreamEnd | undefined;
  readonly #exchange: Exchange;
  readonly #onSent: (events: number) => void;
  readonly #onTaken: (stream: EventStream) => void;
  #unsent = 0;

  constructor({ exchange, principal, filter, place, head, onSent, onTaken }: StreamParts) {
    this.#exchange = exchange;
    this.principal = principal;
    this.filter = filter;
    this.place = place;
    this.head = head;
    this.#onSent = onSent;
    this.#onTaken = onTaken;
  }

  /** The socket has not taken all of what was written. Nothing more is written until it has. */
  get isBusy(): boolean {
    return this.#unsent > 0;
  }

  get isOver(): boolean {
    return this.endedFor !== undefined || this.#exchange.response.destroyed;
  }

  get authorization(): string | undefined {
    return this.#exchange.request.headers.authorization;
  }

  /** False when nothing was written, because too many bytes wait already: of its client, or of all. */
  write(bytes: Buffer, events: number): boolean {
    this.#unsent += 1;
    const written = this.#exchange.push(bytes, () => {
      this.#unsent -= 1;
      if (!this.isBusy) this.#onTaken(this);
    });
    if (!written) {
      this.#unsent -= 1;
      return false;
    }
    this.#exchange.eventsSent = (this.#exchange.eventsSent ?? 0) + events;
    if (events > 0) this.#onSent(events);
    return true;
  }

  /** Ends the answer as a whole one, after what was written. */
  end(reason: StreamEnd): void {
    if (this.isOver) return;
    this.endedFor = reason;
    this.#exchange.response.end();
  }
}
