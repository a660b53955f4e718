/**
 * A table of numbers by key in memory that several threads share: the resources in use by each client address, and the debt of each caller.
 *
 * A key has its place in one bucket. Each bucket has a lock of its own, so that two threads contend only for the same bucket, for less than
 * a microsecond. Keys are hashed with a secret, so that no one can choose addresses that fill one bucket. The size and the memory are
 * fixed.
 */
import { hash, randomBytes } from 'node:crypto';

/** Keys of one bucket. At a quarter of the table in use, one bucket in a million has more. */
const WAYS = 16;
const KEY_WORDS = 2;
/**
 * Tries before a thread waits for a lock. A lock is held for some hundred instructions; only a thread that was stopped in between holds it
 * longer.
 */
const SPINS_MAX = 100;
const LOCK_WAIT_MS = 0.1;
/**
 * Waits for a lock, a second in all. A living thread never holds a lock for so long: the holder was terminated in those instructions, as
 * happens at the end of the process, and waiting for it would prevent that end. No number is half written; at worst one lacks the holder's
 * last change.
 */
const LOCK_WAITS_MAX = 10_000;
/** Hashes that are cached, because the same callers return. */
const HASHES_MAX = 4_096;
const SECRET_BYTES = 16;

/** The memory of a table, which a thread sends to another one for a view of its own. */
export interface TableMemory {
  buffer: SharedArrayBuffer;
  secret: string;
  buckets: number;
  fields: number;
}

interface Key {
  bucket: number;
  high: number;
  low: number;
}

/** `keys`: the number that may be in use at one time; there is room for four times as many. */
export function tableMemory(keys: number, fields: number): TableMemory {
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(1, (4 * keys) / WAYS)));
  const bytes =
    buckets *
    (Float64Array.BYTES_PER_ELEMENT +
      WAYS * (KEY_WORDS * Int32Array.BYTES_PER_ELEMENT + fields * Float64Array.BYTES_PER_ELEMENT));
  return { buffer: new SharedArrayBuffer(bytes), secret: randomBytes(SECRET_BYTES).toString('hex'), buckets, fields };
}

export class SharedTable {
  readonly #fields: number;
  readonly #buckets: number;
  readonly #secret: string;
  /** One lock for each bucket, in every other word, so that the following memory is aligned to eight bytes. */
  readonly #locks: Int32Array;
  /** Two words of hash for each place; zeros if it is free. */
  readonly #keys: Int32Array;
  readonly #values: Float64Array;
  readonly #hashes = new Map<string, Key>();

  constructor({ buffer, secret, buckets, fields }: TableMemory) {
    this.#fields = fields;
    this.#buckets = buckets;
    this.#secret = secret;
    const values = buckets * Float64Array.BYTES_PER_ELEMENT;
    this.#locks = new Int32Array(buffer, 0, 2 * buckets);
    this.#values = new Float64Array(buffer, values, buckets * WAYS * fields);
    this.#keys = new Int32Array(buffer, values + buckets * WAYS * fields * Float64Array.BYTES_PER_ELEMENT);
  }

  /**
   * Changes the numbers of a key, which begin at `values[at]`; no other thread changes them meanwhile. For a new key they are zeros. A key
   * whose numbers are all zero afterwards loses its place.
   *
   * `displaces`: if the bucket is full, the key with the lowest first number is removed. Without it, `change` is then not called.
   * @returns the result of `change`; undefined without a place.
   */
  update<T>(name: string, displaces: boolean, change: (values: Float64Array, at: number) => T): T | undefined {
    const key = this.#keyOf(name);
    this.#lock(key.bucket);
    try {
      const place = this.#placeOf(key, displaces);
      if (place < 0) return undefined;
      const at = place * this.#fields;
      const result = change(this.#values, at);
      let isUsed = false;
      for (let field = at; field < at + this.#fields; field += 1) isUsed ||= this.#values[field] !== 0;
      this.#keys[place * KEY_WORDS] = isUsed ? key.high : 0;
      this.#keys[place * KEY_WORDS + 1] = isUsed ? key.low : 0;
      return result;
    } finally {
      Atomics.store(this.#locks, 2 * key.bucket, 0);
    }
  }

  /** The number of keys with a place; for tests, since it reads all of them. */
  get size(): number {
    let used = 0;
    for (let place = 0; place < this.#buckets * WAYS; place += 1) if (this.#keys[place * KEY_WORDS] !== 0) used += 1;
    return used;
  }

  /** Returns the place of the key, or a new one whose numbers are zeros; -1 without a place. */
  #placeOf(key: Key, displaces: boolean): number {
    const first = key.bucket * WAYS;
    let free = -1;
    let least = first;
    for (let place = first; place < first + WAYS; place += 1) {
      const high = this.#keys[place * KEY_WORDS];
      if (high === key.high && this.#keys[place * KEY_WORDS + 1] === key.low) return place;
      if (high === 0) free = place;
      else if ((this.#values[place * this.#fields] as number) < (this.#values[least * this.#fields] as number))
        least = place;
    }
    const place = free >= 0 || !displaces ? free : least;
    if (place >= 0) this.#values.fill(0, place * this.#fields, (place + 1) * this.#fields);
    return place;
  }

  #lock(bucket: number): void {
    for (let tries = 0; Atomics.compareExchange(this.#locks, 2 * bucket, 0, 1) !== 0; tries += 1) {
      if (tries >= SPINS_MAX + LOCK_WAITS_MAX) return;
      if (tries >= SPINS_MAX) Atomics.wait(this.#locks, 2 * bucket, 1, LOCK_WAIT_MS);
    }
  }

  #keyOf(name: string): Key {
    const known = this.#hashes.get(name);
    if (known !== undefined) return known;
    const digest = hash('sha256', this.#secret + name, 'buffer');
    // Zero marks a free place.
    const key = {
      bucket: digest.readUInt32LE(0) % this.#buckets,
      high: digest.readInt32LE(4) || 1,
      low: digest.readInt32LE(8),
    };
    if (this.#hashes.size >= HASHES_MAX) this.#hashes.clear();
    this.#hashes.set(name, key);
    return key;
  }
}
