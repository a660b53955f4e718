/** The height since which each transaction waits in the node's mempool. The node reports arrivals and rechecks, but not departures. */
import { RECHECK_BLOCKS_MAX } from '../../../ledger/index.ts';

/** The number of transactions that the check state admits between two blocks, times the number of blocks that one may wait. */
export const WAITING_ENTRIES_MAX = 400_000;

export class WaitingTransactions {
  /** In the order of arrival, and so by height. */
  readonly #since = new Map<string, number>();

  get size(): number {
    return this.#since.size;
  }

  /** Records that it arrived while `height` was the last block. A second arrival restarts the count: the node had dropped it. */
  arrived(hash: string, height: number): void {
    this.#since.delete(hash);
    if (this.#since.size < WAITING_ENTRIES_MAX) this.#since.set(hash, height);
  }

  /** Blocks since it arrived; an unknown one starts to wait now. */
  blocks(hash: string, height: number): number {
    const since = this.#since.get(hash);
    if (since === undefined) this.arrived(hash, height);
    return height - (since ?? height);
  }

  left(hash: string): void {
    this.#since.delete(hash);
  }

  /** Drops entries of transactions that are evicted by now, whether the node reported it or not. Call it at each commit. */
  prune(height: number): void {
    for (const [hash, since] of this.#since) {
      if (height - since <= RECHECK_BLOCKS_MAX) return;
      this.#since.delete(hash);
    }
  }
}
