/**
 * The live streams by their filters, so that an event is matched to its streams without a test of each of them.
 *
 * Streams with the same filter are one topic. A topic is indexed by its rarest condition: reference, then account, then owner. The other
 * topics have at most a type and a status, so there are never more than a few dozen of them, regardless of the number of streams.
 */
import type { ChainEvent } from '../../gateway/types.ts';

import { type EventFilter, filterKey, fits } from './event-filter.ts';
import type { EventStream } from './event-stream.ts';

export interface Topic {
  readonly filter: EventFilter;
  readonly streams: Set<EventStream>;
}

type Index = Map<string, Map<string, Topic>>;

export class Topics {
  readonly #references: Index = new Map();
  readonly #accounts: Index = new Map();
  readonly #owners: Index = new Map();
  readonly #others: Index = new Map();
  #size = 0;

  /** The number of live streams. */
  get size(): number {
    return this.#size;
  }

  add(stream: EventStream): void {
    const [index, name] = this.#fileOf(stream.filter);
    const key = filterKey(stream.filter);
    const topics = index.get(name) ?? new Map<string, Topic>();
    const topic = topics.get(key) ?? { filter: stream.filter, streams: new Set() };
    index.set(name, topics.set(key, topic));
    if (topic.streams.has(stream)) return;
    topic.streams.add(stream);
    this.#size += 1;
  }

  remove(stream: EventStream): void {
    const [index, name] = this.#fileOf(stream.filter);
    const key = filterKey(stream.filter);
    const topics = index.get(name);
    const topic = topics?.get(key);
    if (topic?.streams.delete(stream) !== true) return;
    this.#size -= 1;
    if (topic.streams.size > 0) return;
    topics?.delete(key);
    if (topics?.size === 0) index.delete(name);
  }

  /** All live streams at this moment. */
  streams(): EventStream[] {
    return [this.#references, this.#accounts, this.#owners, this.#others].flatMap((index) =>
      [...index.values()].flatMap((topics) => [...topics.values()].flatMap((topic) => [...topic.streams])),
    );
  }

  /** The topics that match the event, each once. */
  *matching(event: ChainEvent): Generator<Topic> {
    const { reference, from, to } = event.transaction;
    if (reference !== undefined) yield* among(this.#references.get(reference), event);
    yield* among(this.#accounts.get(from), event);
    if (to !== undefined && to !== from) yield* among(this.#accounts.get(to), event);
    if (event.owner !== undefined) yield* among(this.#owners.get(event.owner), event);
    yield* among(this.#others.get(''), event);
  }

  #fileOf({ reference, account, owner }: EventFilter): [Index, string] {
    if (reference !== undefined) return [this.#references, reference];
    if (account !== undefined) return [this.#accounts, account];
    return owner === undefined ? [this.#others, ''] : [this.#owners, owner];
  }
}

function* among(topics: Map<string, Topic> | undefined, event: ChainEvent): Generator<Topic> {
  for (const topic of topics?.values() ?? []) if (fits(topic.filter, event)) yield topic;
}
