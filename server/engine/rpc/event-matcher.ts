/**
 * Events for subscriptions, matched where blocks are read: an event that no query can match costs a lookup in the index, and its text is
 * not made. Both engines publish their blocks through this.
 */
import { Pacer } from '../pacer.ts';
import type { Clock } from '../ports.ts';
import { goJson } from './go-json.ts';
import type {
  RpcBlockEvents,
  RpcEvent,
  RpcEventsAnswer,
  RpcEventsRequest,
  RpcEventType,
  RpcQueryChange,
} from './port.ts';
import { QueryIndex } from './query-index.ts';
import type { CompositeEvents } from './query-match.ts';

/** One call stops after the block with which its texts pass this, in characters. */
const CHARACTERS_PER_CALL_MAX = 4 * 1024 * 1024;

/** An event of a block before it is matched. */
export interface PublishedEvent {
  type: RpcEventType;
  /**
   * The keys that a query can match, in the order of "events". A transaction's hash costs more than the rest, and is '' unless `withHash`
   * is set.
   */
  keys(withHash: boolean): CompositeEvents;
  /** The text of "data". A long one is made in short time slices. */
  data(pacer: Pacer): string | Promise<string>;
}

export interface PublishedBlock {
  height: number;
  /** The events of the wanted types, in the order in which CometBFT publishes them. */
  events(wants: (type: RpcEventType) => boolean): Iterable<PublishedEvent>;
}

/** The text of "data" around the text of an event's value. */
export function eventData(type: RpcEventType, valueJson: string): string {
  return `{"type":"tendermint/event/${type}","value":${valueJson}}`;
}

export class EventMatcher {
  readonly #clock: Clock;
  readonly #index: QueryIndex;
  /** Version of the queries in the index; 0 before any came. */
  #version = 0;

  constructor(clock: Clock, index = new QueryIndex()) {
    this.#clock = clock;
    this.#index = index;
  }

  /** @param blocks those from the wanted height on, read one by one as far as they are needed. */
  async read(
    { fromHeight, queries }: RpcEventsRequest,
    blocks: Iterable<PublishedBlock> | AsyncIterable<PublishedBlock>,
  ): Promise<RpcEventsAnswer> {
    const pacer = new Pacer(this.#clock);
    if (!(await this.#change(queries, pacer))) return { known: false };
    const found: RpcBlockEvents[] = [];
    let nextHeight = fromHeight;
    let characters = 0;
    for await (const block of blocks) {
      const matched = await this.#match(block, pacer);
      nextHeight = block.height + 1;
      if (matched.events.length === 0 && matched.ended.length === 0) continue;
      found.push(matched);
      characters += matched.events.reduce((sum, { data, events }) => sum + data.length + events.length, 0);
      if (characters >= CHARACTERS_PER_CALL_MAX) break;
    }
    return { known: true, nextHeight, blocks: found };
  }

  async #change({ base, version, added, removed }: RpcQueryChange, pacer: Pacer): Promise<boolean> {
    if (base === 0) this.#index.clear();
    else if (base !== this.#version) return false;
    // A half-changed set has no version from which a caller could continue.
    if (base !== version) this.#version = 0;
    for (const id of removed) this.#index.remove(id);
    for (const { id, query } of added) {
      this.#index.add(id, query);
      if (pacer.due) await pacer.pause();
    }
    this.#version = version;
    return true;
  }

  async #match(block: PublishedBlock, pacer: Pacer): Promise<RpcBlockEvents> {
    const index = this.#index;
    const events: RpcEvent[] = [];
    index.beginBlock(block.height);
    for (const event of block.events((type) => index.wants(type))) {
      const keys = event.keys(index.namesHash);
      const queries = index.match(event.type, keys);
      if (queries.length > 0) {
        events.push({
          type: event.type,
          data: await event.data(pacer),
          events: goJson(index.namesHash ? keys : event.keys(true)),
          queries,
        });
      }
      if (pacer.due) await pacer.pause();
    }
    return { height: block.height, events, ended: index.endBlock() };
  }
}
