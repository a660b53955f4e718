/**
 * Schedules searches: tx_search and block_search read more rows and make longer answers than any other request, on the thread that makes
 * blocks. A caller has at most two running, and waiting ones are served caller by caller, so that a caller with a hundred searches delays
 * another by only two. While payments arrive one search runs at a time, and the class pauses between two as its share requires.
 *
 * A waiting search holds no memory: room for its answer is reserved when its turn begins.
 */
import type { Clock, Timer } from '../../engine/ports.ts';
import { RoundRobin } from '../../gateway/round-robin.ts';
import { PAGE_BYTES_MAX, type RpcMethod, type RpcOutcome } from '../../gateway/rpc/port.ts';
import { type Turns, turnsOf } from '../../gateway/turns.ts';

import { INTERNAL_ERROR } from '../rpc/envelope.ts';

import { classOfMethod, SEARCH } from './classes.ts';

/** Searches that run at one time, of all callers: they share one thread with the making of blocks, in turns of 5 ms. */
export const SEARCHES_MAX = 4;
/** Searches of one caller that run at one time: half of them, so that no caller occupies all. */
export const SEARCHES_PER_CALLER_MAX = 2;
/** Searches of one caller that wait for their turn; a JSON-RPC batch brings 10, one after another. */
export const SEARCHES_WAITING_PER_CALLER_MAX = 8;
/** Searches of all callers that wait. */
export const SEARCHES_WAITING_MAX = 256;
/** Longest wait for a turn: as long as a search itself may take. */
export const SEARCH_WAIT_MS_MAX = 2_000;

const busy = (data: string): RpcOutcome => ({ ok: false, status: 503, error: { ...INTERNAL_ERROR, data } });
const TOO_MANY = busy('too many searches at once: ask again in a moment');
/** Refusal for a request that had no effect, or whose answer can be requested again. */
export const NO_ROOM = busy(
  'Too many bytes of earlier answers wait to be read, by this client or by all. Read them, or ask for a smaller page.',
);

/** Carries out a JSON-RPC call in a turn of its own class, regardless of its batch or websocket. */
export type InTurn = <Outcome>(method: RpcMethod, call: () => Promise<Outcome>) => Promise<Outcome | RpcOutcome>;

/** Reserves room for bytes of an answer; false if there is no room. */
type Reserve = (bytes: number) => boolean;
const ROOM_ENOUGH: Reserve = () => true;

export class Searches {
  readonly #clock: Clock;
  readonly #turns: Turns;
  /** The caller of each running search. */
  readonly #running: string[] = [];
  /** Waiting searches; each is called with true if it may begin. */
  readonly #waiting = new RoundRobin<(may: boolean) => void>();
  #rest: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#turns = turnsOf(clock);
  }

  /** Returns the scheduler for the calls of one caller; `isKnown`: it has a token. */
  inTurn(caller: string, isKnown: boolean, reserve?: Reserve): InTurn {
    return async (method, call) => {
      const of = classOfMethod(method, isKnown);
      // A caller that may not broadcast was refused before.
      await this.#turns.enter(of.kind, caller);
      return of === SEARCH ? await this.run(caller, call, reserve) : await call();
    };
  }

  /** @param reserve reserves room for the answer, from the turn of the search on. */
  async run<Outcome>(
    caller: string,
    search: () => Promise<Outcome>,
    reserve = ROOM_ENOUGH,
  ): Promise<Outcome | RpcOutcome> {
    if (!(await this.#turn(caller))) return TOO_MANY;
    const beganMs = this.#clock.monotonicMs();
    try {
      return reserve(PAGE_BYTES_MAX) ? await search() : NO_ROOM;
    } finally {
      this.#turns.charge(SEARCH.kind, this.#clock.monotonicMs() - beganMs);
      this.#running.splice(this.#running.indexOf(caller), 1);
      this.#resume();
    }
  }

  /** Resolves to true if the search may begin, once that is decided. */
  async #turn(caller: string): Promise<boolean> {
    if (this.#waiting.sizeOf(caller) >= SEARCHES_WAITING_PER_CALLER_MAX) return false;
    if (this.#waiting.size >= SEARCHES_WAITING_MAX) return false;
    return await new Promise((resolve) => {
      const decide = (may: boolean): void => {
        timer.cancel();
        this.#waiting.delete(decide);
        if (may) this.#running.push(caller);
        resolve(may);
      };
      const timer = this.#clock.setTimer(() => decide(false), SEARCH_WAIT_MS_MAX);
      this.#waiting.add(caller, decide);
      this.#resume();
    });
  }

  /** Starts waiting searches while there are places, caller by caller. */
  #resume(): void {
    this.#rest?.cancel();
    const ofCaller = (caller: string): number => this.#running.filter((running) => running === caller).length;
    const mayBegin = (caller: string): boolean => ofCaller(caller) < SEARCHES_PER_CALLER_MAX;
    while (this.#hasPlace) {
      const decide = this.#waiting.next(mayBegin);
      if (decide === undefined) return;
      decide(true);
    }
    const restMs = this.#waiting.size === 0 ? 0 : this.#turns.restMs(SEARCH.kind);
    if (restMs > 0) this.#rest = this.#clock.setTimer(() => this.#resume(), restMs);
  }

  get #hasPlace(): boolean {
    const atOnce = this.#turns.isMainJobThere ? 1 : SEARCHES_MAX;
    return this.#running.length < atOnce && this.#turns.restMs(SEARCH.kind) === 0;
  }
}
