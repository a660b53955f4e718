/**
 * Ends of the validities of live transfers, the earliest first, so that a block reads those that are over and looks at no other one.
 *
 * A binary heap. A transfer that was settled before stays in it until it comes up, or until there are more of these than of the others:
 * then the heap is made again.
 */
export class Validities {
  readonly #ends = new Map<number, number>();
  #heap: { readonly seq: number; readonly validUntil: number }[] = [];

  add(seq: number, validUntil: number): void {
    this.#ends.set(seq, validUntil);
    this.#push({ seq, validUntil });
  }

  remove(seq: number): void {
    this.#ends.delete(seq);
    if (this.#heap.length < 2 * this.#ends.size + SPARE) return;
    this.#heap = [...this.#ends]
      .map(([other, validUntil]) => ({ seq: other, validUntil }))
      .sort((a, b) => a.validUntil - b.validUntil);
  }

  /** The earliest end. */
  first(): number | undefined {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (this.#ends.has(first.seq)) return first.validUntil;
      this.#pop();
    }
    return undefined;
  }

  /** Takes out the earliest, when it ends at this second or before. */
  takePast(validUntilMax: number): number | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (first === undefined || first.validUntil > validUntilMax) return undefined;
      this.#pop();
      if (this.#ends.delete(first.seq)) return first.seq;
    }
  }

  #push(entry: { readonly seq: number; readonly validUntil: number }): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.validUntil <= entry.validUntil) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const child = endOf(heap, right) < endOf(heap, left) ? right : left;
      if (endOf(heap, child) >= last.validUntil) break;
      heap[at] = heap[child] as (typeof heap)[number];
      at = child;
    }
    heap[at] = last;
  }
}

/** Below this many entries the heap is not made again. */
const SPARE = 1024;

const endOf = (heap: readonly { readonly validUntil: number }[], at: number): number =>
  heap[at]?.validUntil ?? Infinity;
