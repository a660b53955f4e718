/**
 * Round robin over owners, and over the items of each: ten thousand items of one owner do not come before a single item of another.
 *
 * The order of a Map and of a Set is the ring: an owner that had its turn is removed and, where it has more, added again at the end.
 */
export class RoundRobin<Item> {
  readonly #owners = new Map<string, Set<Item>>();
  readonly #ownerOf = new Map<Item, string>();

  get size(): number {
    return this.#ownerOf.size;
  }

  sizeOf(owner: string): number {
    return this.#owners.get(owner)?.size ?? 0;
  }

  clear(): void {
    this.#owners.clear();
    this.#ownerOf.clear();
  }

  /** Adds at the end of the owner's items; one that waits already keeps its place. */
  add(owner: string, item: Item): void {
    if (this.#ownerOf.has(item)) return;
    this.#ownerOf.set(item, owner);
    const items = this.#owners.get(owner);
    if (items === undefined) this.#owners.set(owner, new Set([item]));
    else items.add(item);
  }

  delete(item: Item): void {
    const owner = this.#ownerOf.get(item);
    if (owner === undefined) return;
    this.#ownerOf.delete(item);
    const items = this.#owners.get(owner);
    items?.delete(item);
    if (items?.size === 0) this.#owners.delete(owner);
  }

  /** Takes out the next item of the owners that may have a turn now. */
  next(may: (owner: string) => boolean = () => true): Item | undefined {
    for (const [owner, items] of this.#owners) {
      if (!may(owner)) continue;
      this.#owners.delete(owner);
      for (const item of items) {
        items.delete(item);
        this.#ownerOf.delete(item);
        if (items.size > 0) this.#owners.set(owner, items);
        return item;
      }
    }
    return undefined;
  }
}
