/**
 * What the clients of all HTTP threads use together, so that a bound holds for the process and not for each thread: connections,
 * websockets, event streams and requests through trusted proxies in all and per address, bytes that wait to be sent, and what callers owe of their quotas.
 *
 * A process with one HTTP thread has it too: one way of counting.
 */
import { EVENT_STREAMS_MAX } from '../limits.ts';
import { CLASSES, type RequestClass, unsentBytesPerAddressMax } from '../limits/classes.ts';
import { CALLERS_MAX } from '../rate-limit.ts';

import { SharedTable, tableMemory } from './table.ts';
import type { TableMemory } from './table.ts';

/** Places in the numbers of an address, and in the totals. */
const CONNECTIONS = 0;
const WEBSOCKETS = 1;
const EVENT_STREAMS = 2;
const PROXIED_REQUESTS = 3;
const PIPELINED = 4;
/** The first of one for each class of requests. */
const UNSENT_BYTES = 5;
const FIELDS = UNSENT_BYTES + CLASSES.length;
export type PlaceKind =
  | typeof CONNECTIONS
  | typeof WEBSOCKETS
  | typeof EVENT_STREAMS
  | typeof PROXIED_REQUESTS
  | typeof PIPELINED;
export const PLACE: Readonly<
  Record<'connection' | 'websocket' | 'eventStream' | 'proxiedRequest' | 'pipelined', PlaceKind>
> = {
  connection: CONNECTIONS,
  websocket: WEBSOCKETS,
  eventStream: EVENT_STREAMS,
  proxiedRequest: PROXIED_REQUESTS,
  pipelined: PIPELINED,
};

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
    // Behind a trusted proxy requests and answers that wait count against an address without a connection.
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
  /** All of them are far below 2^31: the bytes of all classes are 256 MiB. */
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

  /** Client addresses that use something now; for tests, since it looks at all places. */
  get addresses(): number {
    return this.#addresses.size;
  }

  /** Takes one of the places, or says which bound is reached. `perAddressMax` may be infinite. */
  take(kind: PlaceKind, address: string, perAddressMax: number, allMax: number): 'taken' | 'all' | 'address' {
    if (!this.#takeOfAll(kind, 1, allMax)) return 'all';
    const taken = this.#addresses.update(address, false, (values, at) => {
      const held = values[at + kind] as number;
      if (held >= perAddressMax) return false;
      values[at + kind] = held + 1;
      return true;
    });
    if (taken === true) return 'taken';
    this.#addToAll(kind, -1);
    return 'address';
  }

  giveBack(kind: PlaceKind, address: string): void {
    this.#addToAll(kind, -1);
    this.#add(address, kind, -1);
  }

  /** Counts so many bytes when they may wait for this client: within its part of the class, or alone. */
  tryHold(address: string, bytes: number, of: RequestClass): boolean {
    const field = UNSENT_BYTES + of.index;
    if (!this.#takeOfAll(field, bytes, of.unsentBytesMax)) return false;
    const taken = this.#addresses.update(address, false, (values, at) => {
      const held = values[at + field] as number;
      if (held > 0 && held + bytes > unsentBytesPerAddressMax(of)) return false;
      values[at + field] = held + bytes;
      return true;
    });
    if (taken !== true) this.#addToAll(field, -bytes);
    return taken === true;
  }

  hold(address: string, bytes: number, { index }: RequestClass): void {
    this.#addToAll(UNSENT_BYTES + index, bytes);
    this.#add(address, UNSENT_BYTES + index, bytes);
  }

  release(address: string, bytes: number, of: RequestClass): void {
    this.hold(address, -bytes, of);
  }

  /** One more stream of a token; false when it has as many as it may. */
  takeTokenStream(tokenId: string, max: number): boolean {
    const taken = this.#tokenStreams.update(tokenId, false, (values, at) => {
      const held = values[at] as number;
      if (held >= max) return false;
      values[at] = held + 1;
      return true;
    });
    return taken === true;
  }

  giveTokenStream(tokenId: string): void {
    this.#tokenStreams.update(tokenId, false, (values, at) => {
      values[at] = Math.max(0, (values[at] as number) - 1);
    });
  }

  get connections(): number {
    return this.#total(CONNECTIONS);
  }

  get subscriptions(): number {
    return this.#total(SUBSCRIPTIONS);
  }

  addSubscriptions(count: number): void {
    this.#addToAll(SUBSCRIPTIONS, count);
  }

  #add(address: string, field: number, amount: number): void {
    this.#addresses.update(address, false, (values, at) => {
      // An address that found no place when it took something gives back what is not there.
      values[at + field] = Math.max(0, (values[at + field] as number) + amount);
    });
  }

  #total(field: number): number {
    return Atomics.load(this.#totals, field);
  }

  #addToAll(field: number, amount: number): void {
    Atomics.add(this.#totals, field, amount);
  }

  #takeOfAll(field: number, amount: number, max: number): boolean {
    if (Atomics.add(this.#totals, field, amount) + amount <= max) return true;
    this.#addToAll(field, -amount);
    return false;
  }
}
