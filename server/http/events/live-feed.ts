/**
 * Sends new events to all live streams of one HTTP thread.
 *
 * One long poll waits for the next block, and only while a stream is live. New events are read once, each becomes text once, and goes to
 * the streams whose filter it matches, in short turns. A stream whose socket did not take its last bytes leaves.
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
  /** The stream reads the log by itself from now on. */
  onBehind: (stream: EventStream) => void;
}

export class LiveFeed {
  readonly #parts: LiveFeedParts;
  readonly #topics = new Topics();
  /** Up to here every live stream has its events. */
  #delivered: EventPlace = { height: 0, index: END_OF_BLOCK };
  /** Up to here they will have them when the delivery under way is over. */
  #target: EventPlace = this.#delivered;
  /** The last block that was heard of. */
  #head = 0;
  #follows = false;
  #closed = false;

  constructor(parts: LiveFeedParts) {
    this.#parts = parts;
  }

  /** Live streams. */
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

  /** The place up to which the stream has every event of its filter. */
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

  /** False when polling again at once makes no sense. */
  async #followOnce(): Promise<boolean> {
    const { gateway, clock } = this.#parts;
    const next = this.#target.index === END_OF_BLOCK ? this.#target.height + 1 : this.#target.height;
    const askedMs = clock.monotonicMs();
    const height = await gateway.waitForHeight(next, EVENT_HEIGHT_WAIT_MS);
    this.#head = Math.max(this.#head, height);
    if (height < next) return clock.monotonicMs() - askedMs >= EVENT_RETRY_MS;
    // All streams have left meanwhile: one that comes later begins with the height at that time.
    if (this.#topics.size === 0) return true;
    const page = await gateway.events({ order: 'asc', after: this.#target, limit: EVENT_LIVE_EVENTS });
    if (!page.ok) return false;
    const end = page.nextCursor === undefined ? { height: page.height, index: END_OF_BLOCK } : page.place;
    if (comparePlaces(end, this.#target) <= 0) return false;
    this.#target = end;
    try {
      await this.#deliver(page.events);
    } catch (error) {
      // Each stream has a different part of it: they continue from their own places.
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
      // Sockets take what was written between two turns.
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
    // It joined ahead of the others, and has this already or a part of it.
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
