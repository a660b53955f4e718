/** Lets writes through, or holds them up during a decision that must not overlap with any of them. */
import { StoreUnavailableError } from '../errors.ts';

export class WriteGate {
  #inFlight = 0;
  #closed: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    this.#inFlight += 1;
    try {
      return await work();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#onIdle?.();
    }
  }

  /**
   * Resolves, when nothing is under way, with a function that opens it again. Work that takes longer than `msMax` is ended by `cut`; its
   * callers get an unknown outcome. Throws StoreUnavailableError, and is open, when even that ends nothing.
   */
  async close(msMax: number, cut: () => void): Promise<() => void> {
    if (this.#closed !== undefined) throw new StoreUnavailableError('writes are held up already');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    const open = (): void => {
      this.#closed = undefined;
      resolve();
    };
    for (const late of [cut, undefined]) {
      if (await this.#idleWithin(msMax)) return open;
      late?.();
    }
    open();
    throw new StoreUnavailableError(`a write has not ended within ${msMax} ms`);
  }

  async #idleWithin(msMax: number): Promise<boolean> {
    if (this.#inFlight === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const isIdle = await new Promise<boolean>((done) => {
      this.#onIdle = () => done(true);
      timer = setTimeout(() => done(false), msMax);
    });
    clearTimeout(timer);
    this.#onIdle = undefined;
    return isIdle;
  }
}
