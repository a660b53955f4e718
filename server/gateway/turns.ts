/**
 * Work in short turns: long work, and many short works that come at once. Between two turns the thread's event loop goes around, so that it does other
 * things, such as answering whether it lives.
 *
 * All work on a thread shares its turns: eight batches that took one each would hold it up eight times as long.
 */
import type { Clock } from '../engine/ports.ts';

import { TURN_MS_MAX } from './limits.ts';

/** Calls a function once the event loop has gone around. */
export const soonOf = (clock: Clock): ((fn: () => void) => void) => clock.soon ?? ((fn) => void clock.setTimer(fn, 0));

export class Turns {
  readonly #clock: Clock;
  readonly #soon: (fn: () => void) => void;
  #startMs = 0;
  /** Whether the event loop has not gone around since the turn began. */
  #open = false;
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#soon = soonOf(clock);
  }

  /** For work that begins: it comes after what waits. To be awaited only when it answers something. */
  enter(): Promise<void> | undefined {
    return this.#waiting.length === 0 ? this.yield() : this.#wait();
  }

  /** For work that goes on: ends its turn when that has taken long enough. To be awaited only when it answers something. */
  yield(): Promise<void> | undefined {
    const nowMs = this.#clock.monotonicMs();
    if (!this.#open) {
      this.#open = true;
      this.#startMs = nowMs;
      this.#soon(this.#goneAround);
      return undefined;
    }
    return nowMs - this.#startMs < TURN_MS_MAX ? undefined : this.#wait();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#soon(this.#resumeNext);
    });
  }

  /** Comes before all that wait. */
  readonly #goneAround = (): void => {
    this.#open = this.#waiting.length > 0;
    if (!this.#open) return;
    this.#startMs = this.#clock.monotonicMs();
    this.#soon(this.#goneAround);
  };

  /** Called once for each of those that wait: one works before the next is asked, and whose turn ends comes after all others. */
  readonly #resumeNext = (): void => {
    if (this.#clock.monotonicMs() - this.#startMs < TURN_MS_MAX) this.#waiting.shift()?.();
    else this.#soon(this.#resumeNext);
  };
}

const turns = new WeakMap<Clock, Turns>();

/** Those of the thread that the clock is of. */
export function turnsOf(clock: Clock): Turns {
  const known = turns.get(clock);
  if (known !== undefined) return known;
  const made = new Turns(clock);
  turns.set(clock, made);
  return made;
}
