/** How often bytes went out, by the first half of their hash. Forgotten bytes only begin anew at their first node. */
import { txHash } from '../../ledger/index.ts';
import type { BroadcastItem } from '../port.ts';
import { BROADCASTS_KEPT_MAX } from './limits.ts';

/** Hex digits of it. */
const KEY_CHARS = 32;

export class BroadcastCounts {
  /** Those that went out longest ago first. */
  readonly #counts = new Map<string, number>();

  /** 0 at the first time, 1 at the second, and so on. */
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
