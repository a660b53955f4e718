/** A store whose writes a test can hold back or make fail, and that can die like a killed process between any two of its steps. */
import { questionsThrough } from '../../../server/store/transaction.ts';
import type { Store, StoreSharing, WriteTransaction } from '../../../server/store/index.ts';
import type { Faults } from './faults.ts';

export class FaultyStore implements Store, Faults {
  readonly #store: Store;
  readonly sharing?: StoreSharing;
  readonly shards: number;
  readonly ids: Store['ids'];
  beforeCommit: (() => Promise<void> | void) | undefined;
  /** Stands in for the transaction that work receives. */
  wrap: ((tx: WriteTransaction) => WriteTransaction) | undefined;
  dead = false;
  callsLeft = Number.POSITIVE_INFINITY;
  dieAfterCommit = false;
  writes = 0;
  beforeRead: (() => void) | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.shards = store.shards;
    this.ids = store.ids;
    if (store.sharing !== undefined) this.sharing = this.#mortalSharing(store.sharing);
  }

  write: Store['write'] = async (work, turn) => {
    this.writes += 1;
    this.#live();
    const result = await this.#store.write(async (tx) => {
      const mortal = this.#mortal(tx);
      const done = await work(this.wrap?.(mortal) ?? mortal);
      await this.beforeCommit?.();
      this.#live();
      return done;
    }, turn);
    if (this.dieAfterCommit) this.dead = true;
    this.#live();
    return result;
  };

  read: Store['read'] = async (work) => {
    this.#live();
    this.beforeRead?.();
    return await this.#store.read(work);
  };

  readonly now = questionsThrough((work) => this.read(work));

  close: Store['close'] = () => this.#store.close();

  #mortalSharing(sharing: StoreSharing): StoreSharing {
    return {
      holdLease: async (...parameters) => {
        this.#live();
        const held = await sharing.holdLease(...parameters);
        this.#live();
        return held;
      },
      dropLease: async (...parameters) => {
        this.#live();
        await sharing.dropLease(...parameters);
      },
      watch: (listener) => sharing.watch((change) => this.dead || listener(change)),
    };
  }

  #live(): void {
    if (this.dead) throw new Error('killed');
  }

  #mortal(tx: WriteTransaction): WriteTransaction {
    if (this.callsLeft === Number.POSITIVE_INFINITY) return tx;
    const call =
      (name: PropertyKey) =>
      async (...parameters: unknown[]) => {
        if (this.callsLeft-- <= 0) this.dead = true;
        this.#live();
        return await (tx as any)[name](...parameters);
      };
    return new Proxy(tx, { get: (_, name) => call(name) });
  }
}
