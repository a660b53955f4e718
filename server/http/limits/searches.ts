/**
 * Searches take turns: tx_search and block_search go through more rows and make longer answers than anything else, on the thread that makes
 * blocks. A client has two under way at most, and what waits is served client by client, so that one who asks for a hundred delays another by
 * two. While payments come in there is one at a time, and the class rests between two as its share says.
 *
 * What waits holds no memory: a search has room for its answer from its own turn on.
 */
import type { Clock, Timer } from '../../engine/ports.ts';
import { PAGE_BYTES_MAX, type RpcMethod, type RpcOutcome } from '../../gateway/rpc/port.ts';
import { type Turns, turnsOf } from '../../gateway/turns.ts';

import { INTERNAL_ERROR } from '../rpc/envelope.ts';

import { classOfMethod, PAYMENT, SEARCH } from './classes.ts';

/** Searches under way at one time, of all clients: they share one thread with the making of blocks, in turns of 5 ms. */
export const SEARCHES_MAX = 4;
/** Of one client: half of them, so that no one has all. */
export const SEARCHES_PER_CLIENT_MAX = 2;
/** Searches of one client that wait for their turn; a JSON-RPC batch brings 10, one after another. */
export const SEARCHES_WAITING_PER_CLIENT_MAX = 8;
/** Searches of all clients that wait. */
export const SEARCHES_WAITING_MAX = 256;
/** Longest wait for a turn: as long as a search itself may take. */
export const SEARCH_WAIT_MS_MAX = 2_000;

const busy = (data: string): RpcOutcome => ({ ok: false, status: 503, error: { ...INTERNAL_ERROR, data } });
const TOO_MANY = busy('too many searches at once: ask again in a moment');
/** For an answer that nothing was carried out for, or whose text can be asked for again. */
export const NO_ROOM = busy(
  'Too many bytes of earlier answers wait to be read, by this client or by all. Read them, or ask for a smaller page.',
);

interface Client {
  running: number;
  /** Called with whether the search may begin. */
  waiting: ((may: boolean) => void)[];
}

export class Searches {
  readonly #clock: Clock;
  readonly #turns: Turns;
  /** Clients with searches running or waiting; the one that was served last comes last. */
  readonly #clients = new Map<string, Client>();
  #running = 0;
  #waiting = 0;
  #rest: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#turns = turnsOf(clock);
  }

  /** @param reserve keeps room for the answer, from the turn of the search on; false: there is none. */
  async run<Outcome>(
    name: string,
    search: () => Promise<Outcome>,
    reserve: (bytes: number) => boolean = () => true,
  ): Promise<Outcome | RpcOutcome> {
    if (!(await this.#turn(name))) return TOO_MANY;
    const beganMs = this.#clock.monotonicMs();
    try {
      return reserve(PAGE_BYTES_MAX) ? await search() : NO_ROOM;
    } finally {
      this.#turns.charge(SEARCH.kind, this.#clock.monotonicMs() - beganMs);
      this.#end(name);
    }
  }

  #turn(name: string): Promise<boolean> | true {
    const client = this.#clients.get(name) ?? { running: 0, waiting: [] };
    this.#clients.set(name, client);
    if (this.#hasPlace && client.running < SEARCHES_PER_CLIENT_MAX) {
      this.#begin(client);
      return true;
    }
    if (client.waiting.length >= SEARCHES_WAITING_PER_CLIENT_MAX || this.#waiting >= SEARCHES_WAITING_MAX) {
      this.#forget(name, client);
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const answer = (may: boolean): void => {
        timer.cancel();
        this.#waiting -= 1;
        resolve(may);
      };
      const timer = this.#clock.setTimer(() => {
        client.waiting.splice(client.waiting.indexOf(answer), 1);
        answer(false);
        this.#forget(name, client);
      }, SEARCH_WAIT_MS_MAX);
      client.waiting.push(answer);
      this.#waiting += 1;
      this.#resume();
    });
  }

  get #hasPlace(): boolean {
    const atOnce = this.#turns.isMainJobThere ? 1 : SEARCHES_MAX;
    return this.#running < atOnce && this.#turns.restMs(SEARCH.kind) === 0;
  }

  #begin(client: Client): void {
    client.running += 1;
    this.#running += 1;
  }

  #end(name: string): void {
    const ended = this.#clients.get(name);
    if (ended === undefined) throw new Error('a search ended that never began');
    ended.running -= 1;
    this.#running -= 1;
    this.#forget(name, ended);
    this.#resume();
  }

  /** Lets in what there are places for, client by client. */
  #resume(): void {
    this.#rest?.cancel();
    this.#rest = undefined;
    for (const [name, client] of this.#clients) {
      if (this.#waiting === 0 || !this.#hasPlace) break;
      if (client.running >= SEARCHES_PER_CLIENT_MAX) continue;
      const answer = client.waiting.shift();
      if (answer === undefined) continue;
      this.#clients.delete(name);
      this.#clients.set(name, client);
      this.#begin(client);
      answer(true);
    }
    const restMs = this.#waiting === 0 ? 0 : this.#turns.restMs(SEARCH.kind);
    if (restMs > 0) this.#rest = this.#clock.setTimer(() => this.#resume(), restMs);
  }

  #forget(name: string, { running, waiting }: Client): void {
    if (running === 0 && waiting.length === 0) this.#clients.delete(name);
  }
}

/** Carries out a call of JSON-RPC when it is its turn: that of its own class, whatever else is in its batch or on its websocket. */
export type InTurn = <Outcome>(method: RpcMethod, call: () => Promise<Outcome>) => Promise<Outcome | RpcOutcome>;

export function turnsOfCalls({
  searches,
  clock,
  client,
  owner,
  isKnown,
  reserve,
}: {
  searches: Searches;
  clock: Clock;
  /** The key (clientKey of the address) by which searches take turns. */
  client: string;
  /** Who shares the turns of everything else. */
  owner: string;
  /** Whether that is the owner of a token. */
  isKnown: boolean;
  reserve?: (bytes: number) => boolean;
}): InTurn {
  const turns = turnsOf(clock);
  return async (method, call) => {
    const of = classOfMethod(method, isKnown);
    // Who may not broadcast does not come so far.
    if (of === PAYMENT) turns.mainJobCame();
    await turns.enter(of.kind, owner);
    return of === SEARCH ? await searches.run(client, call, reserve) : await call();
  };
}
