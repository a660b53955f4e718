/** How often bytes went out, by the first half of their hash. Forgotten bytes only begin anew at their first node. */
import { sha256 } from '../encoding/index.ts';
import { BROADCASTS_KEPT_MAX } from './limits.ts';

const KEY_BYTES = 16;

export class BroadcastCounts {
  /** Those that went out longest ago first. */
  readonly #counts = new Map<string, number>();

  /** 0 at the first time, 1 at the second, and so on. */
  next(raw: Uint8Array): number {
    const key = sha256(raw).toString('latin1', 0, KEY_BYTES);
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
