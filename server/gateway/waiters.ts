/** Callers that wait for a transfer to be settled: each is woken by its settlement, its deadline, or its own abort. */
import type { Clock, Timer } from '../engine/ports.ts';
import { WAIT_MS_MAX, WAITERS_MAX } from './limits.ts';

interface Waiter {
  readonly hash: string;
  readonly done: () => void;
  readonly timer: Timer;
}

export class Waiters {
  readonly #clock: Clock;
  readonly #byId = new Map<number, Waiter>();
  readonly #byHash = new Map<string, Set<number>>();
  #open = true;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Hashes that callers wait for. */
  get hashes(): string[] {
    return [...this.#byHash.keys()];
  }

  /** Resolves when the transfer is settled, after `ms`, or when the wait is ended; at once when too many callers wait. */
  wait(id: number, hash: string, ms: number): Promise<void> {
    if (!this.#open || ms <= 0 || this.#byId.size >= WAITERS_MAX || this.#byId.has(id)) return Promise.resolve();
    return new Promise((done) => {
      const timer = this.#clock.setTimer(() => this.end(id), Math.min(ms, WAIT_MS_MAX));
      this.#byId.set(id, { hash, done, timer });
      const waiting = this.#byHash.get(hash);
      if (waiting === undefined) this.#byHash.set(hash, new Set([id]));
      else waiting.add(id);
    });
  }

  end(id: number): void {
    const waiter = this.#byId.get(id);
    if (waiter === undefined) return;
    this.#byId.delete(id);
    const waiting = this.#byHash.get(waiter.hash);
    waiting?.delete(id);
    if (waiting?.size === 0) this.#byHash.delete(waiter.hash);
    waiter.timer.cancel();
    waiter.done();
  }

  settled(hash: string): void {
    for (const id of this.#byHash.get(hash) ?? []) this.end(id);
  }

  /** Ends every wait and takes no more. */
  close(): void {
    this.#open = false;
    for (const id of this.#byId.keys()) this.end(id);
  }
}
