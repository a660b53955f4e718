/**
 * An index of the queries of all subscriptions, by which an event is compared only with those that it may match.
 *
 * A query is filed under the event type it names (`tm.event = 'Tx'`), and there under one of its equalities, or else under a key that must
 * be present. An event looks up its own keys and values, so queries that never match cost nothing, however many there are. A query with
 * neither (`tx.height > 5`) is compared with every event, and its cost is counted.
 */
import {
  decimalKey,
  eventTypeOf,
  matchesCondition,
  matchesQuery,
  matchesValue,
  type CompositeEvents,
} from './query-match.ts';
import { parseQuery, type QueryCondition } from './query.ts';
import type { RpcEventType } from './port.ts';

/**
 * Cost limit of matching the events of one block, in comparisons of a query with an event and in listed matches. At about half a
 * microsecond each this is a tenth of a second of the engine's thread, in time slices of a few milliseconds. Above it the most costly
 * queries are ended, which halves the cost: at most twice this in all.
 */
export const MATCH_COST_PER_BLOCK_MAX = 200_000;

interface Entry {
  readonly id: number;
  readonly conditions: readonly QueryCondition[];
  readonly bucket: Bucket;
  /** Its place in the index: `tag` and `key` of the bucket's terms, or one of its lists. */
  readonly place: { tag: string; key: string } | 'always' | 'scanned';
  /** Its cost in this block. */
  cost: number;
  /** The event that it was last compared with: an event may reach it by two of its values. */
  lastEvent: number;
  isEnded: boolean;
}

/** Queries that name one event type, or queries without a type. */
class Bucket {
  size = 0;
  /** Queries with no condition but the type. */
  readonly always = new Set<Entry>();
  /** Queries without a condition that an event could look up. */
  readonly scanned = new Set<Entry>();
  readonly terms = new Map<string, Map<string, Set<Entry>>>();
  /** Those of `scanned` that this block's height does not rule out; undefined until the first transaction of the block. */
  inThisBlock: Entry[] | undefined;
}

const TYPE_TAG = 'tm.event';
/** The same for all transactions of a block. */
const HEIGHT_TAG = 'tx.height';
const HASH_TAG = 'tx.hash';
const PRESENT = '?';

const stringKey = (text: string): string => `'${text}`;
const numberKey = (text: string): string | undefined => {
  const key = decimalKey(text);
  return key === undefined ? undefined : `#${key}`;
};

/** A condition that an empty text meets is also met by an event's type alone, with any values of the key. */
const needsValue = (condition: QueryCondition): boolean => !matchesValue(condition, '');

const isType = (condition: QueryCondition): boolean =>
  condition.tag === TYPE_TAG &&
  condition.operator === '=' &&
  condition.value?.type === 'string' &&
  needsValue(condition);

const sameForBlock = (condition: QueryCondition): boolean =>
  (condition.tag === TYPE_TAG || condition.tag === HEIGHT_TAG) && needsValue(condition);

/** The key under which events with the wanted value look it up; undefined for anything but an equality of texts or numbers. */
function equalityKey(condition: QueryCondition): string | undefined {
  const { operator, value } = condition;
  if (operator !== '=' || value === undefined || !needsValue(condition)) return undefined;
  if (value.type === 'string') return stringKey(value.text);
  return value.type === 'number' ? numberKey(value.text) : undefined;
}

/** Chooses the place of the query in the index: the hash is the rarest, then any other equality, then a key that few events have. */
function placeOf(conditions: readonly QueryCondition[]): Entry['place'] {
  const [type] = conditions.filter(isType);
  if (type !== undefined && conditions.every((other) => isType(other) && other.value?.text === type.value?.text))
    return 'always';
  const others = conditions.filter(({ tag }) => tag !== TYPE_TAG);
  const equalities = others.flatMap((condition) => {
    const key = equalityKey(condition);
    return key === undefined ? [] : [{ tag: condition.tag, key }];
  });
  const equality =
    equalities.find(({ tag }) => tag === HASH_TAG) ?? equalities.find(({ tag }) => tag !== HEIGHT_TAG) ?? equalities[0];
  if (equality !== undefined) return equality;
  const present = others.find(({ tag }) => tag !== HEIGHT_TAG && tag !== HASH_TAG);
  return present === undefined ? 'scanned' : { tag: present.tag, key: PRESENT };
}

export class QueryIndex {
  readonly #entries = new Map<number, Entry>();
  readonly #ofType = new Map<string, Bucket>();
  readonly #ofAny = new Bucket();
  readonly #costMax: number;
  #namingHash = 0;
  #event = 0;
  #height = 0;
  #cost = 0;
  #ended: number[] = [];

  constructor(costMax = MATCH_COST_PER_BLOCK_MAX) {
    this.#costMax = costMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** True when any query has a condition on hashes of transactions. */
  get namesHash(): boolean {
    return this.#namingHash > 0;
  }

  /** True when an event of this type could match anything. */
  wants(type: RpcEventType): boolean {
    return this.#ofAny.size > 0 || this.#ofType.has(type);
  }

  /** A text that is not a query matches nothing: its subscription was refused when it was made. */
  add(id: number, query: string): void {
    this.remove(id);
    const parsed = parseQuery(query);
    if (!parsed.ok) return;
    const { conditions } = parsed;
    const type = conditions.find(isType)?.value?.text;
    const bucket = type === undefined ? this.#ofAny : (this.#ofType.get(type) ?? new Bucket());
    if (type !== undefined) this.#ofType.set(type, bucket);
    const place = placeOf(conditions);
    const entry: Entry = { id, conditions, bucket, place, cost: 0, lastEvent: 0, isEnded: false };
    this.#entries.set(id, entry);
    bucket.size += 1;
    if (namesHash(entry)) this.#namingHash += 1;
    if (typeof place === 'string') {
      bucket[place].add(entry);
      return;
    }
    let keys = bucket.terms.get(place.tag);
    if (keys === undefined) bucket.terms.set(place.tag, (keys = new Map()));
    const found = keys.get(place.key);
    if (found === undefined) keys.set(place.key, new Set([entry]));
    else found.add(entry);
  }

  remove(id: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { bucket, place } = entry;
    this.#entries.delete(id);
    entry.isEnded = true;
    if (namesHash(entry)) this.#namingHash -= 1;
    if (typeof place === 'string') bucket[place].delete(entry);
    else {
      const keys = bucket.terms.get(place.tag);
      const found = keys?.get(place.key);
      found?.delete(entry);
      if (found?.size === 0) keys?.delete(place.key);
      if (keys?.size === 0) bucket.terms.delete(place.tag);
    }
    bucket.size -= 1;
    if (bucket.size === 0 && bucket !== this.#ofAny) {
      for (const [type, emptied] of this.#ofType) if (emptied === bucket) this.#ofType.delete(type);
    }
  }

  clear(): void {
    for (const id of [...this.#entries.keys()]) this.remove(id);
  }

  /** Call it before the events of a block: costs are counted from here. */
  beginBlock(height: number): void {
    this.#height = height;
    for (const bucket of [this.#ofAny, ...this.#ofType.values()]) bucket.inThisBlock = undefined;
    this.#ended = [];
    this.#cost = 0;
    for (const entry of this.#entries.values()) entry.cost = 0;
  }

  /** Call it after the events of a block. @returns the queries that were ended because of their cost. */
  endBlock(): number[] {
    return this.#ended;
  }

  /** The queries that an event matches, ascending. */
  match(type: RpcEventType, events: CompositeEvents): number[] {
    this.#event += 1;
    const found: Entry[] = [];
    for (const bucket of [this.#ofType.get(type), this.#ofAny]) {
      if (bucket === undefined || bucket.size === 0) continue;
      for (const entry of bucket.always) {
        if (this.#spend(entry)) found.push(entry);
      }
      for (const entry of type === 'Tx' ? (bucket.inThisBlock ??= this.#notRuledOut(bucket)) : bucket.scanned)
        this.#put(entry, events, found);
      if (bucket.terms.size > 0) this.#lookUp(bucket, events, found);
    }
    return found
      .filter(({ isEnded }) => !isEnded)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b);
  }

  #lookUp({ terms }: Bucket, events: CompositeEvents, found: Entry[]): void {
    for (const [tag, values] of Object.entries(events)) {
      const ofType = terms.get(eventTypeOf(tag))?.get(PRESENT);
      if (ofType !== undefined) for (const entry of ofType) this.#put(entry, events, found);
      const keys = terms.get(tag);
      if (keys === undefined) continue;
      for (const entry of keys.get(PRESENT) ?? []) this.#put(entry, events, found);
      for (const value of values) {
        for (const entry of keys.get(stringKey(value)) ?? []) this.#put(entry, events, found);
        const number = numberKey(value);
        if (number !== undefined) for (const entry of keys.get(number) ?? []) this.#put(entry, events, found);
      }
    }
  }

  #put(entry: Entry, events: CompositeEvents, found: Entry[]): void {
    if (entry.isEnded || entry.lastEvent === this.#event) return;
    entry.lastEvent = this.#event;
    if (!this.#spend(entry) || !matchesQuery(entry.conditions, events)) return;
    found.push(entry);
    this.#spend(entry);
  }

  /** Most conditions on the height alone are decided once a block, and not for each of its transactions. */
  #notRuledOut({ scanned }: Bucket): Entry[] {
    const block: CompositeEvents = { [TYPE_TAG]: ['Tx'], [HEIGHT_TAG]: [String(this.#height)] };
    return [...scanned].filter(
      (entry) =>
        this.#spend(entry) &&
        entry.conditions.every((condition) => !sameForBlock(condition) || matchesCondition(condition, block)),
    );
  }

  /** @returns true when the query is still there afterwards. */
  #spend(entry: Entry): boolean {
    entry.cost += 1;
    this.#cost += 1;
    if (this.#cost > this.#costMax) this.#endMostCostly();
    return !entry.isEnded;
  }

  /**
   * Ends the queries that make up half of the block's cost. Of those that cost about the same (within a factor of two: an event is half way
   * through them) the newest are ended: a flood comes after the subscriptions that were there before it.
   */
  #endMostCostly(): void {
    const magnitude = ({ cost }: Entry): number => 31 - Math.clz32(cost);
    const costly = [...this.#entries.values()]
      .filter(({ cost }) => cost > 0)
      .toSorted((a, b) => magnitude(b) - magnitude(a) || b.id - a.id);
    const target = this.#cost / 2;
    for (const { id, cost } of costly) {
      if (this.#cost <= target) break;
      this.remove(id);
      this.#ended.push(id);
      this.#cost -= cost;
    }
  }
}

function namesHash({ conditions }: { conditions: readonly QueryCondition[] }): boolean {
  // Conditions such as `tx CONTAINS` are met by the key alone, so that the value is not needed for them.
  return conditions.some(({ tag }) => tag === HASH_TAG);
}
