/**
 * A database that several gateways share: one SQLite file with a connection for each, and beside it, in this process,
 * what SQLite has not: leases by the test's clock and announcements, which a test may delay, lose and bring out of order.
 */
import type { Clock } from '../../../server/engine/ports.ts';
import { WriteLane } from '../../../server/gateway/write-lane.ts';
import { questionsThrough } from '../../../server/store/transaction.ts';
import type { Store, StoreChange, StoreSharing, WriteTransaction } from '../../../server/store/index.ts';
import { openSqliteStore, StoreOutcomeUnknownError, StoreUnavailableError } from '../../../server/store/index.ts';
import { IdRanges } from '../../../server/store/id-ranges.ts';
import { SHARDS_SHARED } from '../../../server/store/shards.ts';

/** What becomes of an announcement; a number is a delay in milliseconds. */
export type Delivery = 'now' | 'lost' | number;

export class SharedDatabase {
  readonly #path: string;
  readonly #clock: Clock;
  /** All connections are on this thread, where a writer that waits for the other inside SQLite would wait for itself. */
  readonly #turns = new WriteLane();
  readonly #listeners = new Map<SharedStore, Set<(change: StoreChange) => void>>();
  readonly #leases = new Map<string, { holder: string; untilMs: number }>();
  delivery: () => Delivery = () => 'now';
  /** Whether a shard that a group would take without waiting is free. */
  isFree: () => boolean = () => true;
  /** Nothing can be reached, as while the server restarts. */
  away = false;
  /** Every gateway is told that it holds every lease: then all that is promised has to hold by itself. */
  leasesLie = false;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  async open(): Promise<SharedStore> {
    return new SharedStore(this, await openSqliteStore({ path: this.#path, shards: SHARDS_SHARED }));
  }

  reach(): void {
    if (this.away) throw new StoreUnavailableError('the database is away');
  }

  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work);
  }

  holderOf(name: string): string | undefined {
    const lease = this.#leases.get(name);
    return lease !== undefined && lease.untilMs > this.#clock.monotonicMs() ? lease.holder : undefined;
  }

  holdLease(name: string, holder: string, ttlMs: number, evenIfHeld = false): boolean {
    if (this.leasesLie) return true;
    const current = this.holderOf(name);
    if (current !== undefined && current !== holder && !evenIfHeld) return false;
    this.#leases.set(name, { holder, untilMs: this.#clock.monotonicMs() + ttlMs });
    return true;
  }

  dropLease(name: string, holder: string): void {
    if (this.#leases.get(name)?.holder === holder) this.#leases.delete(name);
  }

  listen(store: SharedStore, listener: (change: StoreChange) => void): () => void {
    const listeners = this.#listeners.get(store) ?? new Set();
    this.#listeners.set(store, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  publish(from: SharedStore, changes: readonly StoreChange[]): void {
    for (const [store, listeners] of this.#listeners) {
      if (store === from) continue;
      for (const change of changes) {
        const delivery = this.delivery();
        const tell = (): void => {
          for (const listener of listeners) listener(change);
        };
        if (delivery === 'now') tell();
        else if (delivery !== 'lost') this.#clock.setTimer(tell, delivery);
      }
    }
  }
}

/** One gateway's connections. */
export class SharedStore implements Store {
  readonly #database: SharedDatabase;
  readonly #store: Store;
  readonly sharing: StoreSharing;
  readonly shards: number;
  /** Taken between two writes, so that what a test does to the next commit is done to that of a group. */
  readonly ids = new IdRanges((counts) => this.#database.turn(() => this.#store.write((tx) => tx.takeIds(counts))));
  /** The next commit's outcome stays unknown to whoever asked for it: it was made, or it was not. */
  unknown: 'made' | 'undone' | undefined;

  constructor(database: SharedDatabase, store: Store) {
    this.#database = database;
    this.#store = store;
    this.shards = store.shards;
    this.sharing = {
      holdLease: async (name, holder, ttlMs, evenIfHeld) => {
        database.reach();
        return database.holdLease(name, holder, ttlMs, evenIfHeld);
      },
      dropLease: async (name, holder) => {
        database.reach();
        database.dropLease(name, holder);
      },
      watch: (listener) => database.listen(this, listener),
    };
  }

  write: Store['write'] = (work, turn) =>
    this.#database.turn(async () => {
      this.#database.reach();
      const announced: StoreChange[] = [];
      const announce: WriteTransaction['announce'] = async (change) => void announced.push(change);
      const outcome = this.#takeUnknown();
      const result = await this.#store.write(async (tx) => {
        const locked =
          typeof turn === 'object'
            ? turn.shards.filter(() => turn.waits || this.#database.isFree())
            : await tx.locked();
        const done = await work({ ...tx, announce, locked: async () => locked });
        this.#database.reach();
        if (outcome === 'undone') throw unknownOutcome();
        return done;
      });
      this.#database.publish(this, announced);
      if (outcome === 'made') throw unknownOutcome();
      return result;
    });

  read: Store['read'] = async (work) => {
    this.#database.reach();
    return await this.#store.read(work);
  };

  readonly now = questionsThrough((work) => this.read(work));

  close: Store['close'] = () => this.#store.close();

  #takeUnknown(): 'made' | 'undone' | undefined {
    const outcome = this.unknown;
    this.unknown = undefined;
    return outcome;
  }
}

const unknownOutcome = (): StoreOutcomeUnknownError =>
  new StoreOutcomeUnknownError('the connection broke in the commit', { cause: undefined, rereadable: true });
