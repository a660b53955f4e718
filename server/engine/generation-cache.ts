/**
 * A cache of bounded size in two generations: when the young one is full it becomes the old one, and entries that are still in use move
 * back to the young one.
 *
 * It costs one or two look-ups in a Map, where a list in the order of use would be rewritten at every one.
 */
export class GenerationCache<Key, Value> {
  readonly #entriesMax: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** `entriesMax` is the bound of each generation. */
  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get(key: Key): Value | undefined {
    const recent = this.#young.get(key);
    if (recent !== undefined) return recent;
    const earlier = this.#old.get(key);
    if (earlier !== undefined) this.set(key, earlier);
    return earlier;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#entriesMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
