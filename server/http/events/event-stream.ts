/** An open stream: its place in the log, and whether its socket has taken the bytes of the last write. */
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
  /** Called when the socket has taken the bytes of the last write. */
  onTaken: (stream: EventStream) => void;
}

export class EventStream {
  readonly filter: EventFilter;
  readonly principal: Principal;
  /** Every event up to this place was written or filtered out. A live stream also has everything that the hub has delivered. */
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

  /** True if the socket has not taken all written bytes. Nothing more is written until it has. */
  get isBusy(): boolean {
    return this.#unsent > 0;
  }

  get isOver(): boolean {
    return this.endedFor !== undefined || this.#exchange.response.destroyed;
  }

  get authorization(): string | undefined {
    return this.#exchange.request.headers.authorization;
  }

  /** Returns false if nothing was written, because too many bytes of its client, or of all, wait already. */
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

  /** Ends the answer in order, after the written bytes. */
  end(reason: StreamEnd): void {
    if (this.isOver) return;
    this.endedFor = reason;
    this.#exchange.response.end();
  }
}
