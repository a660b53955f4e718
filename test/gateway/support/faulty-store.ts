/** A store whose writes a test can hold back or make fail, at the last moment before the real commit. */
import type { Store, WriteTransaction } from '../../../server/store/index.ts';

export class FaultyStore implements Store {
  readonly #store: Store;
  /** Called in each write transaction after its work and before its commit; a throw rolls back. */
  beforeCommit: (() => Promise<void> | void) | undefined;
  /** Stands in for the transaction that work receives. */
  wrap: ((tx: WriteTransaction) => WriteTransaction) | undefined;
  /** Nothing works any more, as for a process that was killed. */
  dead = false;
  writes = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  write: Store['write'] = async (work) => {
    this.writes += 1;
    this.#live();
    return await this.#store.write(async (tx) => {
      this.#live();
      const result = await work(this.wrap?.(tx) ?? tx);
      await this.beforeCommit?.();
      this.#live();
      return result;
    });
  };

  read: Store['read'] = async (work) => {
    this.#live();
    return await this.#store.read(work);
  };

  close: Store['close'] = () => this.#store.close();

  #live(): void {
    if (this.dead) throw new Error('killed');
  }
}
