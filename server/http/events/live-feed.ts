/**
 * Sends new events to all live streams of one HTTP thread.
 *
 * One long poll waits for the next block, only while a stream is live. New events are read once, each is formatted once, and is sent in
 * short turns to the streams whose filter it matches. A stream whose socket has not taken its last bytes is removed.
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import { comparePlaces } from '../../gateway/event-place.ts';
import { END_OF_BLOCK } from '../../gateway/event-types.ts';
import { type Turns, turnsOf } from '../../gateway/turns.ts';
import type { ChainEvent, EventPlace, Gateway } from '../../gateway/types.ts';
import { PAGE } from '../limits/classes.ts';
import { EVENT_HEIGHT_WAIT_MS, EVENT_LIVE_EVENTS, EVENT_RETRY_MS } from '../limits.ts';

import type { EventStream } from './event-stream.ts';
import { eventText } from './event-text.ts';
import { cutIntoPieces, type Piece } from './pieces.ts';
import { type Topic, Topics } from './topics.ts';

export interface LiveFeedParts {
  gateway: Pick<Gateway, 'events' | 'waitForHeight'>;
  clock: Clock;
  logger: Logger;
  /** Called when the stream has to read the log itself from now on. */
  onBehind: (stream: EventStream) => void;
}

export class LiveFeed {
  readonly #parts: LiveFeedParts;
  readonly #topics = new Topics();
  /** Every live stream has its events up to this place. */
  #delivered: EventPlace = { height: 0, index: END_OF_BLOCK };
  /** Live streams will have their events up to this place when the current delivery is complete. */
  #target: EventPlace = this.#delivered;
  /** The last block that was heard of. */
  #head = 0;
  #follows = false;
  #closed = false;

  constructor(parts: LiveFeedParts) {
    this.#parts = parts;
  }

  /** The number of live streams. */
  get size(): number {
    return this.#topics.size;
  }

  /** The last block, as far as live streams needed it. */
  get head(): number {
    return this.#head;
  }

  /** The stream has all up to a height. True when it is live now: that was as much as the live ones have, or will have in a moment. */
  join(stream: EventStream, height: number): boolean {
    this.#head = this.#follows ? Math.max(this.#head, height) : height;
    if (!this.#follows) {
      this.#target = { height, index: END_OF_BLOCK };
      this.#delivered = this.#target;
    }
    if (comparePlaces(stream.place, this.#target) < 0) return false;
    stream.isLive = true;
    this.#topics.add(stream);
    if (!this.#follows) void this.#follow();
    return true;
  }

  leave(stream: EventStream): void {
    this.#topics.remove(stream);
  }

  /** Returns the place up to which the stream has every event of its filter. */
  placeOf(stream: EventStream): EventPlace {
    return stream.isLive && comparePlaces(stream.place, this.#delivered) < 0 ? this.#delivered : stream.place;
  }

  close(): void {
    this.#closed = true;
  }

  async #follow(): Promise<void> {
    this.#follows = true;
    while (this.#topics.size > 0 && !this.#closed) {
      try {
        if (!(await this.#followOnce()) && this.#topics.size > 0) await this.#pause(EVENT_RETRY_MS);
      } catch (error) {
        if (this.#closed) break;
        this.#parts.logger.error({ err: error }, 'new events could not be read; trying again');
        await this.#pause(EVENT_RETRY_MS);
      }
    }
    this.#follows = false;
  }

  /** Returns false if an immediate new poll is useless. */
  async #followOnce(): Promise<boolean> {
    const { gateway, clock } = this.#parts;
    const next = this.#target.index === END_OF_BLOCK ? this.#target.height + 1 : this.#target.height;
    const askedMs = clock.monotonicMs();
    const height = await gateway.waitForHeight(next, EVENT_HEIGHT_WAIT_MS);
    this.#head = Math.max(this.#head, height);
    if (height < next) return clock.monotonicMs() - askedMs >= EVENT_RETRY_MS;
    // All streams have left meanwhile. A later stream begins with the height at its own time.
    if (this.#topics.size === 0) return true;
    const page = await gateway.events({ order: 'asc', after: this.#target, limit: EVENT_LIVE_EVENTS });
    if (!page.ok) return false;
    const end = page.nextCursor === undefined ? { height: page.height, index: END_OF_BLOCK } : page.place;
    if (comparePlaces(end, this.#target) <= 0) return false;
    this.#target = end;
    try {
      await this.#deliver(page.events);
    } catch (error) {
      // Each stream has a different part of it, so they continue from their own places.
      for (const stream of this.#topics.streams()) if (comparePlaces(stream.place, end) < 0) this.#drop(stream);
      throw error;
    } finally {
      this.#delivered = end;
    }
    return true;
  }

  async #deliver(events: readonly ChainEvent[]): Promise<void> {
    const turns = turnsOf(this.#parts.clock);
    const plan = await this.#plan(events, turns);
    for (let round = 0, isLast = false; !isLast; round += 1) {
      isLast = true;
      for (const [topic, pieces] of plan) {
        const piece = pieces[round];
        if (piece === undefined) continue;
        if (round + 1 < pieces.length) isLast = false;
        for (const stream of topic.streams) {
          this.#give(stream, piece);
          await turns.yield(PAGE.kind);
        }
      }
      // Between two turns the sockets take the written bytes.
      if (!isLast) await this.#pause(0);
    }
  }

  async #plan(events: readonly ChainEvent[], turns: Turns): Promise<Map<Topic, Piece[]>> {
    const wanted = new Map<Topic, ChainEvent[]>();
    for (const event of events) {
      for (const topic of this.#topics.matching(event)) {
        const before = wanted.get(topic);
        if (before === undefined) wanted.set(topic, [event]);
        else before.push(event);
      }
      await turns.yield(PAGE.kind);
    }
    const texts = new Map<ChainEvent, string>();
    const textOf = (event: ChainEvent): string => {
      const text = texts.get(event) ?? eventText(event);
      texts.set(event, text);
      return text;
    };
    const plan = new Map<Topic, Piece[]>();
    for (const [topic, ofTopic] of wanted) {
      plan.set(topic, cutIntoPieces(ofTopic, textOf));
      await turns.yield(PAGE.kind);
    }
    return plan;
  }

  #give(stream: EventStream, piece: Piece): void {
    // The stream joined ahead of the others, and has this piece, or a part of it, already.
    const isAhead = comparePlaces(stream.place, piece.first) >= 0;
    const part = isAhead ? piece.after(stream.place) : piece;
    if (part === undefined || stream.isOver) return;
    if (!stream.isBusy && stream.write(part.bytes, part.count)) stream.place = piece.last;
    else this.#drop(stream);
  }

  #drop(stream: EventStream): void {
    stream.place = this.placeOf(stream);
    stream.isLive = false;
    this.#topics.remove(stream);
    this.#parts.onBehind(stream);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#parts.clock.setTimer(resolve, ms));
  }
}
