/**
 * Reads settled rows from replicas, where one is at the very block of the primary; else from the primary.
 *
 * What is pending, and the primary's block, come from one snapshot of the primary. Settled rows come from a snapshot at that same block, so
 * both together equal the primary's answer: no transfer is missed or shown twice, even if blocks are applied in between.
 */
import type { Kysely } from 'kysely';
import type { Logger, ReplicaFigures } from '../../engine/ports.ts';
import { mergePages, questionsOnSnapshots } from '../transfer-questions.ts';
import type { QueryContext } from '../queries/context.ts';
import type { Tables } from '../schema.ts';
import { readTransaction } from '../transaction.ts';
import type { ReadTransaction, Store, TransferQuestions } from '../types.ts';
import { parseAddress } from './address.ts';
import { REPLICA_LOOK_MS } from './limits.ts';
import { type Moment, momentOf, Replica } from './replica.ts';

export interface ReplicasOptions {
  url: string | undefined;
  /** One snapshot of the primary. */
  readPrimary: <T>(work: (tx: ReadTransaction, db: Kysely<Tables>) => Promise<T>) => Promise<T>;
  now: Store['now'];
  shards: number;
  fragments: QueryContext['fragments'];
  logger?: Logger | undefined;
}

export class Replicas implements TransferQuestions {
  readonly #options: ReplicasOptions;
  /** All from the primary. */
  readonly #primary: TransferQuestions;
  #replicas: readonly Replica[] = [];
  readonly #warned = new Set<string>();
  readonly #reads = { primary: 0, replica: 0 };
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#primary = questionsOnSnapshots({ read: (work) => options.readPrimary((tx) => work(tx)), now: options.now });
    this.#use(options.url);
  }

  /** Undefined while none is named. */
  get figures(): ReplicaFigures | undefined {
    if (this.#replicas.length === 0) return undefined;
    return {
      reads: { ...this.#reads },
      replicas: this.#replicas.map(({ name, lag, trouble }) => ({ name, lag, isUsed: trouble === undefined })),
    };
  }

  /** Other servers from now on, or none. Throws for a URL that cannot be read. */
  async replace(url: string | undefined): Promise<void> {
    const before = this.#replicas;
    this.#use(url);
    await Promise.all(before.map((replica) => replica.close()));
  }

  transferByHash: TransferQuestions['transferByHash'] = async (hash) => {
    const replica = this.#next();
    if (replica === undefined) return await this.#byPrimary((primary) => primary.transferByHash(hash));
    const { moment, pending } = await this.#options.readPrimary(async (tx, db) => {
      const [at, found] = await Promise.all([momentOf(db), tx.transferByHash(hash, 'pending')]);
      return { moment: at, pending: found };
    });
    if (pending !== undefined) return this.#counted('primary', pending);
    return await this.#settled(
      replica,
      moment,
      (tx) => tx.transferByHash(hash, 'settled'),
      (primary) => primary.transferByHash(hash),
    );
  };

  listTransfers: TransferQuestions['listTransfers'] = async (addresses, queryOf) => {
    const replica = this.#next();
    if (replica === undefined) return await this.#byPrimary((primary) => primary.listTransfers(addresses, queryOf));
    const { moment, query, pending } = await this.#options.readPrimary(async (tx, db) => {
      const [at, accounts] = await Promise.all([momentOf(db), tx.accountsByAddress(addresses)]);
      const asked = queryOf(accounts);
      return {
        moment: at,
        query: asked,
        pending: asked === undefined ? { transfers: [] } : await tx.listTransfers({ ...asked, of: 'pending' }),
      };
    });
    if (query === undefined || query.status === 'pending') return this.#counted('primary', pending);
    return await this.#settled(
      replica,
      moment,
      async (tx) => mergePages(pending, await tx.listTransfers({ ...query, of: 'settled' }), query.limit),
      (primary) => primary.listTransfers(addresses, queryOf),
    );
  };

  events: TransferQuestions['events'] = async (query) => {
    const replica = this.#next();
    if (replica === undefined) return await this.#byPrimary((primary) => primary.events(query));
    const moment = await this.#options.readPrimary((_, db) => momentOf(db));
    return await this.#settled(
      replica,
      moment,
      async (tx) => ({ height: moment.height, found: await tx.events(query) }),
      (primary) => primary.events(query),
    );
  };

  async close(): Promise<void> {
    this.#closed = true;
    await this.replace(undefined);
  }

  /** From the replica, or the whole query from the primary when the replica is not at the primary's block. */
  async #settled<T>(
    replica: Replica,
    moment: Moment,
    work: (tx: ReadTransaction) => Promise<T>,
    instead: (primary: TransferQuestions) => Promise<T>,
  ): Promise<T> {
    const read = await replica.read(moment, (context) => work(readTransaction(context, this.#options.shards)));
    if (read !== undefined) return this.#counted('replica', read.answer);
    this.#log(replica);
    return await this.#byPrimary(instead);
  }

  async #byPrimary<T>(work: (primary: TransferQuestions) => Promise<T>): Promise<T> {
    return this.#counted('primary', await work(this.#primary));
  }

  #counted<T>(from: keyof ReplicaFigures['reads'], answer: T): T {
    this.#reads[from] += 1;
    return answer;
  }

  /** Usable replicas take turns. */
  #next(): Replica | undefined {
    const usable = this.#replicas.filter(({ isUsable }) => isUsable);
    this.#turn += 1;
    return usable[this.#turn % usable.length];
  }

  #use(url: string | undefined): void {
    const hosts = url === undefined ? [] : parseAddress(url).hosts;
    this.#replicas = hosts.map((host) => new Replica(host, this.#options.fragments));
    this.#warned.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#replicas.length > 0) void this.#watch(this.#replicas);
  }

  async #watch(replicas: readonly Replica[]): Promise<void> {
    // While the primary does not answer, there are no answers at all.
    const moment = await this.#options.readPrimary((_, db) => momentOf(db)).catch(() => undefined);
    if (moment !== undefined) {
      await Promise.all(
        replicas.map(async (replica) => {
          await replica.look(moment);
          if (this.#replicas === replicas) this.#log(replica);
        }),
      );
    }
    if (this.#closed || this.#replicas !== replicas) return;
    this.#timer = setTimeout(() => void this.#watch(replicas), REPLICA_LOOK_MS).unref();
  }

  /** Once, and again when it is used again. A change of the number of blocks alone is not logged. */
  #log(replica: Replica): void {
    const { name, trouble } = replica;
    const isWarned = this.#warned.has(name);
    if (trouble !== undefined && !isWarned) {
      this.#warned.add(name);
      this.#options.logger?.warn(
        { replica: name, why: trouble },
        'a replica is not used: settled transfers are read from the primary',
      );
    } else if (trouble === undefined && isWarned) {
      this.#warned.delete(name);
      this.#options.logger?.info({ replica: name }, 'a replica is used again');
    }
  }
}
