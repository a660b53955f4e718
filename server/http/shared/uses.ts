/**
 * What the clients of all HTTP threads use together, so that a bound holds for the process and not for each thread: connections,
 * websockets, event streams and requests through trusted proxies in all and per address, bytes that wait to be sent, and what callers owe of their quotas.
 *
 * A process with one HTTP thread has it too: one way of counting.
 */
import { EVENT_STREAMS_MAX } from '../limits.ts';
import { CLASSES, type RequestClass } from '../limits/classes.ts';
import { CALLERS_MAX } from '../rate-limit.ts';

import { SharedTable, tableMemory } from './table.ts';
import type { TableMemory } from './table.ts';

/** Where they are in the numbers of an address, and in the totals. */
export const PLACE = { connection: 0, websocket: 1, eventStream: 2, proxiedRequest: 3, pipelined: 4 } as const;
export type PlaceKind = (typeof PLACE)[keyof typeof PLACE];
/** The first of one for each class of requests: of an owner, or of an address that sends no token. */
const UNSENT_BYTES = Object.keys(PLACE).length;
const FIELDS = UNSENT_BYTES + CLASSES.length;

/** Bounds of which only the total counts. */
const SUBSCRIPTIONS = FIELDS;
const TOTALS = FIELDS + 1;

/** What a thread is handed; it may cross threads. */
export interface SharedMemory {
  /** HTTP threads that share it. */
  threads: number;
  totals: SharedArrayBuffer;
  addresses: TableMemory;
  addressDebts: TableMemory;
  tokenDebts: TableMemory;
  /** Event streams of each token. */
  tokenStreams: TableMemory;
}

export function sharedMemory({ threads, connectionsMax }: { threads: number; connectionsMax: number }): SharedMemory {
  return {
    threads,
    totals: new SharedArrayBuffer(TOTALS * Int32Array.BYTES_PER_ELEMENT),
    // A connection counts by its address, or a request on it by the one that a trusted proxy names; an answer that waits counts by its caller.
    addresses: tableMemory(2 * connectionsMax, FIELDS),
    addressDebts: tableMemory(CALLERS_MAX, 1),
    tokenDebts: tableMemory(CALLERS_MAX, 1),
    tokenStreams: tableMemory(EVENT_STREAMS_MAX, 1),
  };
}

/** Of a process with one HTTP thread. */
export function ownUses(connectionsMax: number): SharedUses {
  return new SharedUses(sharedMemory({ threads: 1, connectionsMax }));
}

export class SharedUses {
  readonly threads: number;
  /** Of callers, by client address and by token: the moment at which what they spent is paid off. */
  readonly addressDebts: SharedTable;
  readonly tokenDebts: SharedTable;
  readonly #addresses: SharedTable;
  readonly #tokenStreams: SharedTable;
  /** All of them are far below 2^31: the bytes of all classes are 320 MiB. */
  readonly #totals: Int32Array;

  constructor(memory: SharedMemory) {
    this.threads = memory.threads;
    this.#totals = new Int32Array(memory.totals);
    this.#addresses = new SharedTable(memory.addresses);
    this.addressDebts = new SharedTable(memory.addressDebts);
    this.tokenDebts = new SharedTable(memory.tokenDebts);
    this.#tokenStreams = new SharedTable(memory.tokenStreams);
  }

  unsentBytes({ index }: RequestClass): number {
    return this.#total(UNSENT_BYTES + index);
  }

  /** Those of a caller. */
  unsentBytesOf(caller: string, { index }: RequestClass): number {
    return this.#of(caller, UNSENT_BYTES + index);
  }

  /** Client addresses that use something now; for tests, since it looks at all places. */
  get addresses(): number {
    return this.#addresses.size;
  }

  /** Takes one of the places, or says which bound is reached. `perAddressMax` may be infinite. */
  take(kind: PlaceKind, address: string, perAddressMax: number, allMax: number): 'taken' | 'all' | 'address' {
    return this.#take(kind, address, 1, perAddressMax, allMax);
  }

  giveBack(kind: PlaceKind, address: string): void {
    this.#give(kind, address, 1);
  }

  /** Takes places for no address yet, unless that makes them more than there are. */
  reserve(kind: PlaceKind, places: number, allMax: number): boolean {
    if (Atomics.add(this.#totals, kind, places) + places <= allMax) return true;
    Atomics.sub(this.#totals, kind, places);
    return false;
  }

  unreserve(kind: PlaceKind): void {
    Atomics.sub(this.#totals, kind, 1);
  }

  /** Counts a place for an address, which has to be taken too; false when the address has as many as it may. */
  assign(kind: PlaceKind, address: string, perAddressMax: number): boolean {
    return addTo(this.#addresses, address, kind, 1, perAddressMax);
  }

  /** The place stays taken, for no address. */
  unassign(kind: PlaceKind, address: string): void {
    addTo(this.#addresses, address, kind, -1);
  }

  /** Counts so many bytes when they may wait for this caller: within its part of the class, or alone. */
  tryHold(caller: string, bytes: number, { index, unsentBytesMax, unsentBytesPerCallerMax }: RequestClass): boolean {
    return this.#take(UNSENT_BYTES + index, caller, bytes, unsentBytesPerCallerMax, unsentBytesMax) === 'taken';
  }

  /** Whatever waits already; fewer than 0 bytes are given back. */
  hold(caller: string, bytes: number, { index }: RequestClass): void {
    this.#give(UNSENT_BYTES + index, caller, -bytes);
  }

  /** One more stream of a token; false when it has as many as it may. */
  takeTokenStream(tokenId: string, max: number): boolean {
    return addTo(this.#tokenStreams, tokenId, 0, 1, max);
  }

  giveTokenStream(tokenId: string): void {
    addTo(this.#tokenStreams, tokenId, 0, -1);
  }

  /** Those in use, and those that HTTP threads keep for themselves. */
  get connections(): number {
    return this.#total(PLACE.connection);
  }

  /** Those of a client address, on all threads. */
  connectionsOf(address: string): number {
    return this.#of(address, PLACE.connection);
  }

  get subscriptions(): number {
    return this.#total(SUBSCRIPTIONS);
  }

  addSubscriptions(count: number): void {
    Atomics.add(this.#totals, SUBSCRIPTIONS, count);
  }

  #total(field: number): number {
    return Atomics.load(this.#totals, field);
  }

  #of(key: string, field: number): number {
    return this.#addresses.update(key, false, (values, at) => values[at + field] as number) ?? 0;
  }

  #take(field: number, key: string, amount: number, perKeyMax: number, allMax: number): 'taken' | 'all' | 'address' {
    const isFull = Atomics.add(this.#totals, field, amount) + amount > allMax;
    if (!isFull && addTo(this.#addresses, key, field, amount, perKeyMax)) return 'taken';
    Atomics.sub(this.#totals, field, amount);
    return isFull ? 'all' : 'address';
  }

  #give(field: number, key: string, amount: number): void {
    Atomics.sub(this.#totals, field, amount);
    addTo(this.#addresses, key, field, -amount);
  }
}

/** Adds to a number of a key, unless that makes it more than it may be: the first that is taken, however much, always may. */
function addTo(
  table: SharedTable,
  key: string,
  field: number,
  amount: number,
  max = Number.POSITIVE_INFINITY,
): boolean {
  const isAdded = table.update(key, false, (values, at) => {
    const held = values[at + field] as number;
    if (held > 0 && held + amount > max) return false;
    // A key that found no place when it took something gives back what is not there.
    values[at + field] = Math.max(0, held + amount);
    return true;
  });
  return isAdded === true;
}
