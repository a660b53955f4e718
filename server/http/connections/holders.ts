/**
 * Chooses connections of a thread that may be ended so that another client address gets a place.
 *
 * Addresses are sorted by how many connections they hold here, those with the most first, and each has its connections in the order in
 * which they are examined. A connection is examined only when a place is needed, so requests cost nothing here. A connection with a
 * complete request is not examined again until the answer is sent, or is not read. So each new connection examines only a few, regardless
 * of their number.
 */
import type { Socket } from 'node:net';

import { CONNECTION_LOOKS_MAX, HOLDER_LOOKS_MAX, IDLE_KEPT_MS, REQUEST_BEGUN_MS_MAX } from '../limits.ts';

import type { Connection } from './connection.ts';

/** A connection that has a place. */
export interface Held {
  /** The key (clientKey) of its peer. */
  readonly address: string;
  readonly isProxied: boolean;
  /** Aborted together with the connection. */
  socket: Socket;
  /** Undefined before the end of a TLS handshake. */
  connection: Connection | undefined;
  /** Monotonic time at which it was opened. */
  readonly openedMs: number;
  /** Monotonic time since which a request on it has begun without being complete. */
  begunMs: number | undefined;
  /** Removes it from the holders; false if it was removed before. The place itself stays taken. */
  release(): boolean;
}

interface Holder {
  readonly address: string;
  /** Number of its connections of this thread. */
  count: number;
  /** `count` while one of its connections has to be examined, otherwise 0. */
  rank: number;
  /** Connections that may be idle, in the order of examination. */
  readonly idle: Set<Held>;
  /** Connections with an incomplete request, or with an unread answer. */
  readonly begun: Set<Held>;
}

/** A connection that needs a place. */
export interface Arrival {
  nowMs: number;
  /**
   * True if it has no place. Then connections are also closed that were idle for only a moment, whose request does not arrive, or whose
   * answer is not read.
   */
  isUrgent: boolean;
  /** Returns which connections of an address may be ended: all that serve no request, only those idle for long, or none. */
  mayTake(address: string): 'all' | 'idle' | 'none';
}

export class Holders {
  readonly #holders = new Map<string, Holder>();
  /** Holders by their rank. */
  readonly #ranks: (Set<Holder> | undefined)[] = [];

  add(held: Held): void {
    let holder = this.#holders.get(held.address);
    if (holder === undefined) {
      holder = { address: held.address, count: 0, rank: 0, idle: new Set(), begun: new Set() };
      this.#holders.set(held.address, holder);
    }
    holder.count += 1;
    holder.idle.add(held);
    this.#sort(holder);
  }

  delete(held: Held): void {
    const holder = this.#holders.get(held.address);
    if (holder === undefined) return;
    holder.count -= 1;
    holder.idle.delete(held);
    holder.begun.delete(held);
    this.#sort(holder);
    if (holder.count === 0) this.#holders.delete(held.address);
  }

  /** Returns the connection to end for this new one; undefined if no connection may be ended. */
  choose(arrival: Arrival): Held | undefined {
    let holders = HOLDER_LOOKS_MAX;
    for (let rank = this.#ranks.length - 1; rank > 0 && holders > 0; rank -= 1) {
      for (const holder of [...firstOf(this.#ranks[rank], holders)]) {
        holders -= 1;
        // Among equals, an examined address comes last.
        this.#ranks[rank]?.delete(holder);
        this.#ranks[rank]?.add(holder);
        const may = arrival.mayTake(holder.address);
        if (may === 'none') continue;
        const found = this.#chooseOf(holder, arrival, may === 'all');
        this.#sort(holder);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #chooseOf(holder: Holder, { nowMs, isUrgent }: Arrival, mayAll: boolean): Held | undefined {
    for (const list of [holder.idle, holder.begun]) {
      for (const held of [...firstOf(list, CONNECTION_LOOKS_MAX)]) {
        list.delete(held);
        const state = stateOf(held);
        if (state === 'served') {
          this.#whenServed(holder, held);
          continue;
        }
        const isNow = isUrgent && mayAll && !held.isProxied;
        if (state === 'unread') {
          held.begunMs = undefined;
          holder.begun.add(held);
          if (isNow) return held;
          continue;
        }
        if (state === 'idle') {
          held.begunMs = undefined;
          holder.idle.add(held);
          if (isNow || nowMs - (held.connection?.usedMs ?? held.openedMs) >= IDLE_KEPT_MS) return held;
          continue;
        }
        // The first request of a connection begins when it is opened; the begin of a later one is not known.
        const isFirst = held.connection?.request === undefined;
        held.begunMs ??= isFirst ? held.openedMs : state === 'body' ? (held.connection?.usedMs ?? nowMs) : nowMs;
        holder.begun.add(held);
        if (list === holder.begun && isNow && nowMs - held.begunMs >= REQUEST_BEGUN_MS_MAX) return held;
      }
    }
    return undefined;
  }

  /** A websocket counts as served while it is open. */
  #whenServed(holder: Holder, held: Held): void {
    const { connection } = held;
    held.begunMs = undefined;
    if (connection === undefined || connection.isUpgraded) return;
    const lookAgain = (list: Set<Held>): void => {
      connection.onUnread = undefined;
      if (held.socket.destroyed || this.#holders.get(held.address) !== holder) return;
      list.add(held);
      this.#sort(holder);
    };
    const { response } = connection;
    const closed = (): void => lookAgain(holder.idle);
    response?.once('close', closed);
    connection.onUnread = () => {
      response?.off('close', closed);
      lookAgain(holder.begun);
    };
  }

  #sort(holder: Holder): void {
    const rank = holder.idle.size + holder.begun.size > 0 ? holder.count : 0;
    if (rank === holder.rank) return;
    if (holder.rank > 0) this.#ranks[holder.rank]?.delete(holder);
    holder.rank = rank;
    if (rank > 0) (this.#ranks[rank] ??= new Set()).add(holder);
    while (this.#ranks.length > 0 && (this.#ranks.at(-1)?.size ?? 0) === 0) this.#ranks.pop();
  }
}

function stateOf({ connection, socket }: Held): 'idle' | 'served' | 'unread' | 'header' | 'body' {
  if (connection === undefined) return 'header';
  if (connection.isIdle) return socket.bytesRead === connection.readBytes ? 'idle' : 'header';
  if (connection.isUpgraded || connection.request === undefined) return 'served';
  // `isUnread` is measured at intervals: bytes that were read since then are no longer unread.
  if (connection.isUnread && socket.writableLength > 0) return 'unread';
  return connection.request.complete || connection.isWaiting ? 'served' : 'body';
}

function* firstOf<T>(set: ReadonlySet<T> | undefined, count: number): Iterable<T> {
  let left = count;
  for (const item of set ?? []) {
    if (left-- <= 0) return;
    yield item;
  }
}
