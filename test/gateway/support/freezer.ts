/**
 * Stops a gateway in the middle of what it does, as a signal or a sleeping machine does, while time and everybody else
 * go on. What it asked for is answered, and what was due falls due, when it is thawed.
 */
import type { Clock, Timer } from '../../../server/engine/ports.ts';
import type { Store, StoreSharing } from '../../../server/store/index.ts';

export class Freezer {
  #frozen = false;
  #waiting: (() => void)[] = [];

  get frozen(): boolean {
    return this.#frozen;
  }

  freeze(): void {
    this.#frozen = true;
  }

  thaw(): void {
    this.#frozen = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** Resolves while not frozen. */
  gate(): Promise<void> {
    return this.#frozen ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  /** Every call of the object waits at the gate before it is made and before its answer is heard. */
  around<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]) => {
          await this.gate();
          try {
            return (await Reflect.apply(value, target, parameters)) as unknown;
          } finally {
            await this.gate();
          }
        };
      },
    });
  }

  store(store: Store): Store {
    const { write, read, close } = this.around({ write: store.write, read: store.read, close: store.close });
    return {
      write,
      read,
      now: this.around(store.now),
      close,
      shards: store.shards,
      ids: store.ids,
      ...(store.sharing === undefined ? {} : { sharing: this.#sharing(store.sharing) }),
    };
  }

  #sharing(sharing: StoreSharing): StoreSharing {
    const { holdLease, dropLease } = this.around({ holdLease: sharing.holdLease, dropLease: sharing.dropLease });
    return {
      holdLease,
      dropLease,
      watch: (listener) => sharing.watch((change) => void this.gate().then(() => listener(change))),
    };
  }

  clock(clock: Clock): Clock {
    return {
      nowMs: () => clock.nowMs(),
      nowNs: () => clock.nowNs(),
      monotonicMs: () => clock.monotonicMs(),
      setTimer: (fn, delayMs) => this.#timer(clock, fn, delayMs),
    };
  }

  #timer(clock: Clock, fn: () => void, delayMs: number): Timer {
    let cancelled = false;
    const fire = (): void => {
      if (!cancelled) fn();
    };
    const timer = clock.setTimer(() => (this.#frozen ? void this.#waiting.push(fire) : fire()), delayMs);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }
}
