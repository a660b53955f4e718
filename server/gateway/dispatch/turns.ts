/**
 * Round robin over owners, and over the items of each: one owner's ten thousand do not come before another's one.
 *
 * The order of a Map and of a Set is the ring: what had its turn is taken out and, where there is more of it, added again at the end.
 */
export class Turns<Item> {
  readonly #owners = new Map<string, Set<Item>>();
  readonly #ownerOf = new Map<Item, string>();

  get size(): number {
    return this.#ownerOf.size;
  }

  clear(): void {
    this.#owners.clear();
    this.#ownerOf.clear();
  }

  /** At the end of the owner's items; one that waits already keeps its place. */
  add(owner: string, item: Item): void {
    if (this.#ownerOf.has(item)) return;
    this.#ownerOf.set(item, owner);
    const items = this.#owners.get(owner);
    if (items === undefined) this.#owners.set(owner, new Set([item]));
    else items.add(item);
  }

  /** Takes out the item whose turn it is. */
  next(): Item | undefined {
    for (const [owner, items] of this.#owners) {
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
