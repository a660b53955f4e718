/**
 * Counts shared by all HTTP threads: each bound applies to the process, not to a thread. They are the connections, websockets, event
 * streams and requests through trusted proxies, in all and per address; the unsent bytes; and the debts of callers to their quotas.
 *
 * A process with one HTTP thread uses them too, so that there is only one way of counting.
 */
import { EVENT_STREAMS_MAX } from '../limits.ts';
import { CLASSES, type RequestClass } from '../limits/classes.ts';
import { CALLERS_MAX } from '../rate-limit.ts';

import { SharedTable, tableMemory } from './table.ts';
import type { TableMemory } from './table.ts';

/** Indices in the numbers of an address, and in the totals. */
export const PLACE = { connection: 0, websocket: 1, eventStream: 2, proxiedRequest: 3, pipelined: 4 } as const;
export type PlaceKind = (typeof PLACE)[keyof typeof PLACE];
/** Index of the first of the numbers for each class of requests: of an owner, or of an address without a token. */
const UNSENT_BYTES = Object.keys(PLACE).length;
const FIELDS = UNSENT_BYTES + CLASSES.length;

/** Bounds that apply only to the total. */
const SUBSCRIPTIONS = FIELDS;
const TOTALS = FIELDS + 1;

/** The memory that a thread receives; it can be sent to another thread. */
export interface SharedMemory {
  /** Number of HTTP threads that share it. */
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
    // A connection counts for its address, and a request on it for the client that a trusted proxy names; a waiting answer counts for its
    // caller.
    addresses: tableMemory(2 * connectionsMax, FIELDS),
    addressDebts: tableMemory(CALLERS_MAX, 1),
    tokenDebts: tableMemory(CALLERS_MAX, 1),
    tokenStreams: tableMemory(EVENT_STREAMS_MAX, 1),
  };
}

/** Makes the counts of a process with one HTTP thread. */
export function ownUses(connectionsMax: number): SharedUses {
  return new SharedUses(sharedMemory({ threads: 1, connectionsMax }));
}

export class SharedUses {
  readonly threads: number;
  /** Debts of callers, by client address and by token: the moment at which the debt is paid off. */
  readonly addressDebts: SharedTable;
  readonly tokenDebts: SharedTable;
  readonly #addresses: SharedTable;
  readonly #tokenStreams: SharedTable;
  /** The totals; all are far below 2^31: the bytes of all classes are 320 MiB. */
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

  /** Unsent bytes of a caller in a class. */
  unsentBytesOf(caller: string, { index }: RequestClass): number {
    return this.#of(caller, UNSENT_BYTES + index);
  }

  /** The number of client addresses that use something now; for tests, since it reads all places. */
  get addresses(): number {
    return this.#addresses.size;
  }

  /** Takes one of the places, or returns the bound that is reached. `perAddressMax` may be infinite. */
  take(kind: PlaceKind, address: string, perAddressMax: number, allMax: number): 'taken' | 'all' | 'address' {
    return this.#take(kind, address, 1, perAddressMax, allMax);
  }

  giveBack(kind: PlaceKind, address: string): void {
    this.#give(kind, address, 1);
  }

  /** Takes places that belong to no address yet; false if there are not as many. */
  reserve(kind: PlaceKind, places: number, allMax: number): boolean {
    if (Atomics.add(this.#totals, kind, places) + places <= allMax) return true;
    Atomics.sub(this.#totals, kind, places);
    return false;
  }

  unreserve(kind: PlaceKind): void {
    Atomics.sub(this.#totals, kind, 1);
  }

  /** Counts a place for an address; the place itself has to be taken separately. False if the address has reached its bound. */
  assign(kind: PlaceKind, address: string, perAddressMax: number): boolean {
    return addTo(this.#addresses, address, kind, 1, perAddressMax);
  }

  /** No longer counts a place for the address; the place itself stays taken. */
  unassign(kind: PlaceKind, address: string): void {
    addTo(this.#addresses, address, kind, -1);
  }

  /** Counts bytes if they may wait for this caller: within its part of the class, or as its only ones. */
  tryHold(caller: string, bytes: number, { index, unsentBytesMax, unsentBytesPerCallerMax }: RequestClass): boolean {
    return this.#take(UNSENT_BYTES + index, caller, bytes, unsentBytesPerCallerMax, unsentBytesMax) === 'taken';
  }

  /** Counts bytes that are already waiting; a negative number releases them. */
  hold(caller: string, bytes: number, { index }: RequestClass): void {
    this.#give(UNSENT_BYTES + index, caller, -bytes);
  }

  /** Counts one more stream of a token; false if it has reached its bound. */
  takeTokenStream(tokenId: string, max: number): boolean {
    return addTo(this.#tokenStreams, tokenId, 0, 1, max);
  }

  giveTokenStream(tokenId: string): void {
    addTo(this.#tokenStreams, tokenId, 0, -1);
  }

  /** The number of connections in use, and of places that HTTP threads keep for themselves. */
  get connections(): number {
    return this.#total(PLACE.connection);
  }

  /** The number of connections of a client address, on all threads. */
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

/** Adds to a number of a key, unless it would then exceed its bound. A first amount is always accepted, whatever its size. */
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
    // A key that got no place when it took something releases more than it has.
    values[at + field] = Math.max(0, held + amount);
    return true;
  });
  return isAdded === true;
}
