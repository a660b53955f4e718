/**
 * Serial queue of writes: one write at a time, together with the change of memory that it causes; groups of submissions run beside each
 * other.
 *
 * The database alone would order the commits, but not the moments at which each commit's effect reaches the index of pending transfers: a
 * settled row could be added to it after it was removed. Groups only add rows, and rows of their own.
 */
import { InFlight } from '../engine/in-flight.ts';

export class WriteLane {
  /** The last piece of work that ran alone. */
  #last: Promise<unknown> = Promise.resolve();
  /** Pieces of work that have run beside others since then. */
  #shared = new InFlight<Promise<unknown>>();

  /** Runs `work` when everything before it has ended, however it ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const before = [this.#last, ...this.#shared.items()];
    this.#shared = new InFlight();
    const result = Promise.all(before).then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Runs `work` beside others of its kind, when all earlier work that runs alone has ended. */
  share<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    const ended = result.catch(() => undefined);
    void ended.then(this.#shared.begin(ended));
    return result;
  }

  /** Resolves when nothing is under way or waiting. */
  async idle(): Promise<void> {
    await Promise.all([this.#last, ...this.#shared.items()]);
  }
}
