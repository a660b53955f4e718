/**
 * Searches take turns: tx_search and block_search go through more rows and make longer answers than anything else, on the
 * thread that makes blocks. A client has two under way at most, and what waits is served client by client, so that one
 * who asks for a hundred delays another by two.
 */
import type { RpcMethod, RpcOutcome } from '../../engine/port.ts';
import type { Clock } from '../../engine/ports.ts';
import {
  SEARCH_WAIT_MS_MAX,
  SEARCHES_MAX,
  SEARCHES_PER_CLIENT_MAX,
  SEARCHES_WAITING_MAX,
  SEARCHES_WAITING_PER_CLIENT_MAX,
} from '../limits.ts';

export function isSearch(method: RpcMethod): boolean {
  return method === 'tx_search' || method === 'block_search';
}

interface Client {
  running: number;
  /** Called with whether the search may begin. */
  waiting: ((may: boolean) => void)[];
}

const BUSY: RpcOutcome = {
  ok: false,
  status: 503,
  error: { code: -32603, message: 'Internal error', data: 'too many searches at once: ask again in a moment' },
};

export class SearchQueue {
  readonly #clock: Clock;
  /** Clients with searches running or waiting; the one that was served last comes last. */
  readonly #clients = new Map<string, Client>();
  #running = 0;
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async run<Outcome>(client: string, search: () => Promise<Outcome>): Promise<Outcome | RpcOutcome> {
    if (!(await this.#turn(client))) return BUSY;
    try {
      return await search();
    } finally {
      this.#end(client);
    }
  }

  #turn(name: string): Promise<boolean> | true {
    const client = this.#clients.get(name) ?? { running: 0, waiting: [] };
    this.#clients.set(name, client);
    if (this.#running < SEARCHES_MAX && client.running < SEARCHES_PER_CLIENT_MAX) {
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
    });
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
    for (const [next, client] of this.#clients) {
      if (client.running >= SEARCHES_PER_CLIENT_MAX) continue;
      const answer = client.waiting.shift();
      if (answer === undefined) continue;
      this.#clients.delete(next);
      this.#clients.set(next, client);
      this.#begin(client);
      answer(true);
      return;
    }
  }

  #forget(name: string, { running, waiting }: Client): void {
    if (running === 0 && waiting.length === 0) this.#clients.delete(name);
  }
}
