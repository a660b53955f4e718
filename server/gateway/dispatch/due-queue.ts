/** Retry queue: the transactions to broadcast again, ordered by their time. A binary heap, because a hundred thousand entries may wait. */

export interface Due {
  /** Monotonic milliseconds. */
  readonly atMs: number;
  readonly seq: number;
  readonly kind: 'transfer' | 'cancel';
}

export class DueQueue {
  readonly #heap: Due[] = [];

  get nextAtMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  push(due: Due): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(due);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  /** The earliest entry if it is due at `nowMs`. */
  popDue(nowMs: number): Due | undefined {
    const heap = this.#heap;
    const [first] = heap;
    if (first === undefined || first.atMs > nowMs) return undefined;
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    const heap = this.#heap;
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const right = left + 1;
      if (left >= heap.length) return;
      const child = right < heap.length && this.#before(right, left) ? right : left;
      if (!this.#swapIfBefore(child, index)) return;
      index = child;
    }
  }

  #before(a: number, b: number): boolean {
    const x = this.#heap[a];
    const y = this.#heap[b];
    return x !== undefined && y !== undefined && (x.atMs < y.atMs || (x.atMs === y.atMs && x.seq < y.seq));
  }

  #swapIfBefore(a: number, b: number): boolean {
    if (!this.#before(a, b)) return false;
    const x = this.#heap[a] as Due;
    this.#heap[a] = this.#heap[b] as Due;
    this.#heap[b] = x;
    return true;
  }
}
