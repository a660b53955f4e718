/**
 * Events of new blocks, to everybody who subscribed to them.
 *
 * One loop follows the chain for all connections, and only while somebody is subscribed. Subscriptions with the same
 * query are one: an event is matched and its text made once for each query, however many listen.
 */
import { matchesQuery, parseQuery } from '../../../gateway/rpc/port.ts';
import type { QueryCondition, RpcEvent } from '../../../gateway/rpc/port.ts';
import type { Clock, Logger } from '../../../engine/ports.ts';
import type { Gateway } from '../../../gateway/types.ts';
import { WS_EVENT_BLOCKS_MAX, WS_EVENTS_RETRY_MS, WS_HEIGHT_WAIT_MS } from '../../limits.ts';

import { goStringify } from '../go-json.ts';

/** Receives the text of "result" for one event. */
export type Listener = (resultJson: string) => void;

interface Topic {
  query: string;
  conditions: readonly QueryCondition[];
  listeners: Set<Listener>;
}

export interface EventFeedParts {
  gateway: Pick<Gateway, 'rpcEvents' | 'waitForHeight'>;
  clock: Clock;
  logger: Logger;
}

export class EventFeed {
  readonly #parts: EventFeedParts;
  readonly #topics = new Map<string, Topic>();
  #started: Promise<void> | undefined;
  #next = 0;
  #size = 0;
  #closed = false;

  constructor(parts: EventFeedParts) {
    this.#parts = parts;
  }

  /** Subscriptions of all connections. */
  get size(): number {
    return this.#size;
  }

  /** What is wrong with the query; undefined when it can be subscribed to. */
  fault(query: string): string | undefined {
    const parsed = parseQuery(query);
    return parsed.ok ? undefined : parsed.error;
  }

  /** Resolves when every later block will be told. The query has no fault. */
  async subscribe(query: string, listener: Listener): Promise<void> {
    const topic = this.#topics.get(query) ?? this.#open(query);
    topic.listeners.add(listener);
    this.#size += 1;
    await (this.#started ??= this.#start());
  }

  unsubscribe(query: string, listener: Listener): void {
    const topic = this.#topics.get(query);
    if (topic?.listeners.delete(listener) !== true) return;
    this.#size -= 1;
    if (topic.listeners.size === 0) this.#topics.delete(query);
  }

  close(): void {
    this.#closed = true;
    this.#topics.clear();
  }

  #open(query: string): Topic {
    const parsed = parseQuery(query);
    const topic = { query, conditions: parsed.ok ? parsed.conditions : [], listeners: new Set<Listener>() };
    this.#topics.set(query, topic);
    return topic;
  }

  async #start(): Promise<void> {
    try {
      this.#next = (await this.#parts.gateway.waitForHeight(0, 0)) + 1;
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
        if (this.#closed) break;
        this.#parts.logger.error({ err: error }, 'events could not be fetched; trying again');
        await new Promise<void>((resolve) => this.#parts.clock.setTimer(resolve, WS_EVENTS_RETRY_MS));
      }
    }
    // Whoever subscribes next begins with the chain's height of then.
    this.#started = undefined;
  }

  async #follow(): Promise<void> {
    const { gateway } = this.#parts;
    if ((await gateway.waitForHeight(this.#next, WS_HEIGHT_WAIT_MS)) < this.#next) return;
    for (const { height, events } of await gateway.rpcEvents(this.#next, WS_EVENT_BLOCKS_MAX)) {
      for (const event of events) this.#tell(event);
      this.#next = height + 1;
    }
  }

  #tell(event: RpcEvent): void {
    for (const { query, conditions, listeners } of this.#topics.values()) {
      if (!matchesQuery(conditions, event.events)) continue;
      const resultJson = `{"query":${goStringify(query)},"data":${event.json},"events":${goStringify(event.events)}}`;
      for (const listener of listeners) listener(resultJson);
    }
  }
}
