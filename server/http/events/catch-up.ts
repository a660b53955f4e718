/**
 * Serves streams that are behind: they read the log page by page from their own place, each at the pace of its socket.
 *
 * One reader serves all streams of an HTTP thread, in short turns. Tokens take turns, and so do the streams of one token, so that a caller
 * with many streams delays no other. A stream waits here only while its socket has nothing left to send. Reads without a match are followed
 * by pauses: streams whose filters seldom match take at most a quarter of the thread, regardless of their number.
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import { comparePlaces } from '../../gateway/event-place.ts';
import { END_OF_BLOCK } from '../../gateway/event-types.ts';
import { RoundRobin } from '../../gateway/round-robin.ts';
import { turnsOf } from '../../gateway/turns.ts';
import type { EventPage, Gateway } from '../../gateway/types.ts';
import { STREAM } from '../limits/classes.ts';
import { EVENT_PAGE_EVENTS, EVENT_RETRY_MS, EVENT_SCAN_RESTS } from '../limits.ts';

import type { EventStream } from './event-stream.ts';
import { eventText } from './event-text.ts';

export interface CatchUpParts {
  gateway: Pick<Gateway, 'events'>;
  clock: Clock;
  logger: Logger;
  /**
   * Called when the stream has everything up to this height, the last one. Returns true if it is live now, false if it has to continue
   * reading.
   */
  join(stream: EventStream, height: number): boolean;
}

export class CatchUp {
  readonly #parts: CatchUpParts;
  /** Waiting streams by token. */
  readonly #waiting = new RoundRobin<EventStream>();
  #reading = false;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  /** Adds a stream that is neither live nor busy. */
  add(stream: EventStream): void {
    this.#waiting.add(stream.principal.tokenId, stream);
    if (!this.#reading) void this.#read();
  }

  remove(stream: EventStream): void {
    this.#waiting.delete(stream);
  }

  /** Sends a page to a stream that is not busy. False if its bytes have no room: then the stream keeps its place. */
  take(stream: EventStream, page: EventPage, opening = ''): boolean {
    const text = opening + page.events.map(eventText).join('');
    if (text !== '' && !stream.write(Buffer.from(text), page.events.length)) return false;
    const end = page.nextCursor === undefined ? { height: page.height, index: END_OF_BLOCK } : page.place;
    // A place may be ahead of this gateway's chain, if the client received it from another gateway.
    if (comparePlaces(stream.place, end) < 0) stream.place = end;
    stream.head = page.height;
    const isLive = page.nextCursor === undefined && this.#parts.join(stream, page.height);
    if (!isLive && !stream.isBusy) this.add(stream);
    return true;
  }

  async #read(): Promise<void> {
    const { clock, logger } = this.#parts;
    this.#reading = true;
    const turns = turnsOf(clock);
    for (let stream = this.#waiting.next(); stream !== undefined; stream = this.#waiting.next()) {
      try {
        if (!(await this.#step(stream))) this.#addLater(stream);
      } catch (error) {
        logger.error({ err: error }, 'events could not be read for a stream; trying again');
        this.#addLater(stream);
      }
      await turns.yield(STREAM.kind, stream.principal.owner);
    }
    this.#reading = false;
  }

  async #step(stream: EventStream): Promise<boolean> {
    // The stream is added again when its socket has taken the bytes written meanwhile.
    if (stream.isOver || stream.isLive || stream.isBusy) return true;
    const { gateway, clock } = this.#parts;
    const beganMs = clock.monotonicMs();
    const page = await gateway.events({
      ...stream.filter,
      order: 'asc',
      after: stream.place,
      limit: EVENT_PAGE_EVENTS,
    });
    if (page.ok && page.events.length === 0 && page.nextCursor !== undefined) {
      const restMs = EVENT_SCAN_RESTS * (clock.monotonicMs() - beganMs);
      await new Promise<void>((resolve) => clock.setTimer(resolve, restMs));
    }
    if (stream.isOver) return true;
    // If the store cannot be read now, the stream stays.
    return page.ok && this.take(stream, page);
  }

  #addLater(stream: EventStream): void {
    this.#parts.clock.setTimer(() => {
      if (!stream.isOver) this.add(stream);
    }, EVENT_RETRY_MS);
  }
}
