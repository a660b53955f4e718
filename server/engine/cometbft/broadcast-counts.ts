/**
 * The number of times that each transaction was sent, by the first half of its hash. A dropped entry only means that its transaction starts
 * at its first node again.
 */
import { txHash } from '../../ledger/index.ts';
import type { BroadcastItem } from '../port.ts';
import { BROADCASTS_KEPT_MAX } from './limits.ts';

/** Hex digits of the hash. */
const KEY_CHARS = 32;

export class BroadcastCounts {
  /** Sent longest ago first. */
  readonly #counts = new Map<string, number>();

  /** Counts one more sending: 0 for the first, 1 for the second, and so on. */
  next({ raw, hash }: Pick<BroadcastItem, 'raw' | 'hash'>): number {
    const key = (hash ?? txHash(raw)).slice(0, KEY_CHARS);
    const count = this.#counts.get(key) ?? 0;
    this.#counts.delete(key);
    this.#counts.set(key, count + 1);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= BROADCASTS_KEPT_MAX) break;
      this.#counts.delete(oldest);
    }
    return count;
  }
}
