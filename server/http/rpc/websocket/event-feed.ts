/**
 * Sends events of new blocks to their subscribers.
 *
 * One loop pulls for all connections, only while there are subscriptions. The engine keeps the queries and matches them: a pull contains
 * the added and removed queries, and the answer contains for each event its matching queries. Many connections with the same query are one
 * query there. Delivery is done here, in short turns and within a budget for each block.
 */
import { parseQuery } from '../../../gateway/rpc/port.ts';
import type { RpcBlockEvents, RpcEvent, RpcQueryChange } from '../../../gateway/rpc/port.ts';
import type { Clock, Logger } from '../../../engine/ports.ts';
import type { Gateway } from '../../../gateway/types.ts';
import {
  WS_DELIVERY_BYTES_PER_BLOCK_MAX,
  WS_EVENT_BLOCKS_MAX,
  WS_EVENTS_RETRY_MS,
  WS_FRAME_OVERHEAD_BYTES,
  WS_HEIGHT_WAIT_MS,
  WS_QUERIES_PER_PULL_MAX,
  WS_SUBSCRIPTIONS_MAX,
} from '../../limits.ts';
import { PAGE } from '../../limits/classes.ts';
import type { SharedUses } from '../../shared/uses.ts';
import { type Turns, turnsOf } from '../../../gateway/turns.ts';

import { successText } from '../envelope.ts';
import type { RpcIdText } from '../envelope.ts';
import { goStringify } from '../go-json.ts';

/** One query of one connection. */
export interface Subscription {
  readonly query: string;
  /** Id of the subscribing request, which its events repeat. */
  readonly id: RpcIdText;
  readonly recipient: Recipient;
}

/** A connection as the recipient of events. Neither function throws. */
export interface Recipient {
  /**
   * Takes frames, in order. `isFirst`: the first ones of a block; before them the connection may check that the frames of earlier blocks
   * were read.
   */
  deliver(frames: readonly Buffer[], isFirst: boolean): void;
  /** Called when the service ends a subscription, with the reason. */
  end(subscription: Subscription, reason: string): void;
}

interface Topic {
  /** The id of the query in calls to the engine. */
  readonly id: number;
  readonly query: string;
  /** Subscriptions, the oldest first. */
  readonly subscriptions: Set<Subscription>;
}

export interface EventFeedParts {
  gateway: Pick<Gateway, 'rpcEvents' | 'waitForBlock'>;
  clock: Clock;
  logger: Logger;
  /** Counts of the subscriptions of all threads. */
  shared: SharedUses;
  /** Called with the number of subscriptions that ended because of their cost. */
  onEnded(count: number): void;
}

/** Frames that are sent to one connection between two looks at the clock, and their bytes. */
const FRAMES_PER_LOOK = 32;
const BYTES_PER_LOOK = 256 * 1024;

/** The text of ErrOutOfCapacity (libs/pubsub, v0.38), with the exhausted resource. */
const MATCHING_TOO_COSTLY = 'out of capacity: matching this query takes too much of a block';
const DELIVERY_TOO_COSTLY = 'out of capacity: one block has too many bytes for all subscriptions';

export class EventFeed {
  readonly #parts: EventFeedParts;
  readonly #topics = new Map<string, Topic>();
  readonly #topicsById = new Map<number, Topic>();
  /** Ids of the topics that the engine has at `#version`; at version 0 it has none. */
  readonly #sent = new Set<number>();
  #version = 0;
  #versions = 0;
  #ids = 0;
  #started: Promise<void> | undefined;
  /** The current pull, which does not contain queries that were added after its beginning. */
  #pull: Promise<unknown> = Promise.resolve();
  #next = 0;
  #size = 0;
  #closed = false;

  constructor(parts: EventFeedParts) {
    this.#parts = parts;
  }

  /** The number of subscriptions of all connections. */
  get size(): number {
    return this.#size;
  }

  /** True if the process has reached its bound of subscriptions. */
  get full(): boolean {
    return this.#parts.shared.subscriptions >= WS_SUBSCRIPTIONS_MAX;
  }

  /** Returns the fault of a query; undefined if it can be subscribed to. */
  fault(query: string): string | undefined {
    const parsed = parseQuery(query);
    return parsed.ok ? undefined : parsed.error;
  }

  /** Resolves when the events of every later block will be delivered. The query has no fault. */
  async subscribe(subscription: Subscription): Promise<void> {
    const { query } = subscription;
    const topic = this.#topics.get(query) ?? this.#open(query);
    topic.subscriptions.add(subscription);
    this.#count(1);
    try {
      await (this.#started ??= this.#start());
    } catch (error) {
      this.unsubscribe(subscription);
      throw error;
    }
    // A block that is made during the current pull, which lacks this query, would not be matched against it.
    if (!this.#sent.has(topic.id)) await this.#pull.catch(() => undefined);
  }

  unsubscribe(subscription: Subscription): void {
    const topic = this.#topics.get(subscription.query);
    if (topic?.subscriptions.delete(subscription) !== true) return;
    this.#count(-1);
    if (topic.subscriptions.size > 0) return;
    this.#topics.delete(topic.query);
    this.#topicsById.delete(topic.id);
  }

  close(): void {
    this.#closed = true;
    this.#topics.clear();
    this.#topicsById.clear();
    this.#count(-this.#size);
  }

  #count(more: number): void {
    this.#size += more;
    this.#parts.shared.addSubscriptions(more);
  }

  #open(query: string): Topic {
    const topic: Topic = { id: ++this.#ids, query, subscriptions: new Set() };
    this.#topics.set(query, topic);
    this.#topicsById.set(topic.id, topic);
    return topic;
  }

  async #start(): Promise<void> {
    try {
      this.#next = (await this.#parts.gateway.waitForBlock(0, 0)) + 1;
      void this.#run();
    } catch (error) {
      this.#started = undefined;
      throw error;
    }
  }

  async #run(): Promise<void> {
    while (this.#topics.size > 0 && !this.#closed) {
      try {
        await this.#follow();
      } catch (error) {
        // The engine may or may not have applied the change.
        this.#version = 0;
        if (this.#closed) break;
        this.#parts.logger.error({ err: error }, 'events could not be fetched; trying again');
        await new Promise<void>((resolve) => this.#parts.clock.setTimer(resolve, WS_EVENTS_RETRY_MS));
      }
    }
    // The next subscription begins with the chain's height at that time.
    this.#started = undefined;
  }

  async #follow(): Promise<void> {
    const { gateway } = this.#parts;
    if ((await gateway.waitForBlock(this.#next, WS_HEIGHT_WAIT_MS)) < this.#next) return;
    const queries = this.#change();
    // A large set is sent in pieces; blocks are matched only against the complete set.
    const isWhole = queries.added.length < WS_QUERIES_PER_PULL_MAX;
    const pull = gateway.rpcEvents({ fromHeight: this.#next, limit: isWhole ? WS_EVENT_BLOCKS_MAX : 0, queries });
    this.#pull = pull;
    const answer = await pull;
    this.#version = answer.known ? queries.version : 0;
    if (!answer.known) return;
    for (const block of answer.blocks) {
      this.#next = block.height + 1;
      await this.#deliver(block);
    }
    this.#next = Math.max(this.#next, answer.nextHeight);
  }

  /** The difference between the queries in the engine and the current ones. */
  #change(): RpcQueryChange {
    const base = this.#version;
    if (base === 0) this.#sent.clear();
    const added: RpcQueryChange['added'][number][] = [];
    for (const { id, query } of this.#topicsById.values()) {
      if (added.length === WS_QUERIES_PER_PULL_MAX) break;
      if (!this.#sent.has(id)) added.push({ id, query });
    }
    const removed = [...this.#sent].filter((id) => !this.#topicsById.has(id));
    if (base !== 0 && added.length === 0 && removed.length === 0) return { base, version: base, added, removed };
    for (const { id } of added) this.#sent.add(id);
    for (const id of removed) this.#sent.delete(id);
    return { base, version: ++this.#versions, added, removed };
  }

  /** Delivers in short turns: a block may have events for thousands of connections. */
  async #deliver({ events, ended }: RpcBlockEvents): Promise<void> {
    const turns = turnsOf(this.#parts.clock);
    await this.#keepToBudget(events, turns);
    const frames = new Frames(events);
    for (const [recipient, planned] of this.#plan(events)) {
      let batch: Buffer[] = [];
      let bytes = 0;
      let isFirst = true;
      for (const { at, topic, subscription } of planned) {
        // A subscription that ended during an earlier turn gets no more events.
        if (!this.#isLive(subscription)) continue;
        const frame = frames.of(at, topic, subscription);
        batch.push(frame);
        bytes += frame.length;
        if (batch.length < FRAMES_PER_LOOK && bytes < BYTES_PER_LOOK) continue;
        recipient.deliver(batch, isFirst);
        batch = [];
        bytes = 0;
        isFirst = false;
        await turns.yield(PAGE.kind);
      }
      if (batch.length > 0) recipient.deliver(batch, isFirst);
      await turns.yield(PAGE.kind);
    }
    for (const id of ended) {
      this.#sent.delete(id);
      const topic = this.#topicsById.get(id);
      if (topic !== undefined) await this.#end([...topic.subscriptions], MATCHING_TOO_COSTLY, turns);
    }
  }

  /**
   * Ends the most expensive subscriptions, among equals the newest, until the block's events fit the budget. The last one is kept in any
   * case.
   */
  async #keepToBudget(events: readonly RpcEvent[], turns: Turns): Promise<void> {
    const costs = new Map<number, number>();
    for (const { data, events: keys, queries } of events) {
      const cost = data.length + keys.length + WS_FRAME_OVERHEAD_BYTES;
      for (const id of queries) costs.set(id, (costs.get(id) ?? 0) + cost);
      await turns.yield(PAGE.kind);
    }
    const topics = [...costs].flatMap(([id, cost]) => {
      const topic = this.#topicsById.get(id);
      return topic === undefined ? [] : [{ topic, cost }];
    });
    let total = topics.reduce((sum, { topic, cost }) => sum + topic.subscriptions.size * cost, 0);
    if (total <= WS_DELIVERY_BYTES_PER_BLOCK_MAX) return;
    const tooMany: Subscription[] = [];
    let left = topics.reduce((sum, { topic }) => sum + topic.subscriptions.size, 0);
    for (const { topic, cost } of topics.toSorted((a, b) => b.cost - a.cost || b.topic.id - a.topic.id)) {
      for (const subscription of [...topic.subscriptions].toReversed()) {
        if (total <= WS_DELIVERY_BYTES_PER_BLOCK_MAX || left === 1) break;
        tooMany.push(subscription);
        total -= cost;
        left -= 1;
      }
    }
    await this.#end(tooMany, DELIVERY_TOO_COSTLY, turns);
  }

  async #end(subscriptions: readonly Subscription[], reason: string, turns: Turns): Promise<void> {
    for (const subscription of subscriptions) {
      if (!this.#isLive(subscription)) continue;
      this.unsubscribe(subscription);
      subscription.recipient.end(subscription, reason);
      await turns.yield(PAGE.kind);
    }
    if (subscriptions.length === 0) return;
    this.#parts.onEnded(subscriptions.length);
    this.#parts.logger.warn({ subscriptions: subscriptions.length, reason }, 'subscriptions were ended');
  }

  /** The events for each connection, in order. */
  #plan(events: readonly RpcEvent[]): Map<Recipient, Planned[]> {
    const plan = new Map<Recipient, Planned[]>();
    for (const [at, { queries }] of events.entries()) {
      for (const id of queries) {
        const topic = this.#topicsById.get(id);
        for (const subscription of topic?.subscriptions ?? []) {
          const planned = plan.get(subscription.recipient);
          const entry = { at, topic: topic as Topic, subscription };
          if (planned === undefined) plan.set(subscription.recipient, [entry]);
          else planned.push(entry);
        }
      }
    }
    return plan;
  }

  #isLive(subscription: Subscription): boolean {
    return this.#topics.get(subscription.query)?.subscriptions.has(subscription) === true;
  }
}

interface Planned {
  /** Index of the event in its block. */
  at: number;
  topic: Topic;
  subscription: Subscription;
}

/** The frames of one block's events. A frame that several connections get is one buffer, even while it waits to be sent. */
class Frames {
  readonly #events: readonly RpcEvent[];
  readonly #made = new Map<string, Buffer>();

  constructor(events: readonly RpcEvent[]) {
    this.#events = events;
  }

  of(at: number, topic: Topic, { id }: Subscription): Buffer {
    const key = `${at} ${topic.id} ${id}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const event = this.#events[at];
    if (event === undefined) throw new Error(`the block has no event ${at}`);
    const made = Buffer.from(
      successText(id, `{"query":${goStringify(topic.query)},"data":${event.data},"events":${event.events}}`),
    );
    if (topic.subscriptions.size > 1) this.#made.set(key, made);
    return made;
  }
}
