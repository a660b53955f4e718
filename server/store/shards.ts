/**
 * Shards of senders: the unit by which several gateways on one database take turns.
 *
 * Every sender belongs to one shard, by its address. A transaction that accepts or settles a transfer has locked the row of its sender's
 * shard, so transfers of one sender are written one after the other, and those of different shards side by side.
 */

/** Number of shards of a database that several gateways share, set when it is created: enough that two of them seldom want the same one. */
export const SHARDS_SHARED = 16;
/** Number of shards of a database with one writer, which would only lock all of them. */
export const SHARDS_ALONE = 1;

/** `lastSeq`: the last seq that was given to a transfer of the shard. A seq is the id of its shard, modulo the number of shards. */
export interface StoredShard {
  id: number;
  lastSeq: number;
  /** Its pending transfers; of a database that had no shards once, only the sum over all is right. */
  pending: number;
}

/** The shards of a database whose only ones so far gave `lastSeq` at most; its pending transfers are counted in the first of them. */
export function shardsAfter(lastSeq: number, pending: number, count: number): StoredShard[] {
  return Array.from({ length: count }, (_, back) => {
    const last = lastSeq - back;
    const id = ((last % count) + count) % count;
    return { id, lastSeq: last, pending: id === 0 ? pending : 0 };
  }).toSorted((a, b) => a.id - b.id);
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the address. Every gateway on a database must give the same answer, of every version. */
export function shardOf(address: string, shards: number): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < address.length; i++) hash = Math.imul(hash ^ address.charCodeAt(i), FNV_PRIME);
  return (hash >>> 0) % shards;
}

/**
 * Assigns seqs under the locks of their shards.
 *
 * The next one is the first number of its shard above every seq that was committed anywhere when the locks were taken. So it is unique over
 * all shards and grows within one, and a transfer that was acknowledged before another was sent has the smaller seq, without any clock.
 */
export class ShardNumbers {
  readonly #shards: Map<number, StoredShard>;
  readonly #changed = new Set<StoredShard>();
  #last: number;
  #pending: number;

  constructor(shards: readonly StoredShard[]) {
    if (shards.length === 0) throw new Error('the store has lost its shards');
    this.#shards = new Map(shards.map((shard) => [shard.id, { ...shard }]));
    this.#last = Math.max(...shards.map(({ lastSeq }) => lastSeq));
    this.#pending = shards.reduce((sum, { pending }) => sum + pending, 0);
  }

  /** All pending transfers, of all shards. */
  get pending(): number {
    return this.#pending;
  }

  shardOf(from: string): number {
    return shardOf(from, this.#shards.size);
  }

  takeSeq(from: string): number {
    const shard = this.#shardOf(from);
    const count = this.#shards.size;
    const next = this.#last + 1;
    this.#last = next + ((((shard.id - next) % count) + count) % count);
    shard.lastSeq = this.#last;
    this.#changed.add(shard);
    return this.#last;
  }

  /** So many transfers of the sender became pending, or were settled where `count` is negative. */
  addPending(from: string, count: number): void {
    const shard = this.#shardOf(from);
    shard.pending += count;
    this.#pending += count;
    this.#changed.add(shard);
  }

  /** The changed shards, with the values to write. */
  changed(): StoredShard[] {
    return [...this.#changed];
  }

  #shardOf(from: string): StoredShard {
    const shard = this.#shards.get(this.shardOf(from));
    if (shard === undefined) throw new Error('the store has lost a shard');
    return shard;
  }
}
