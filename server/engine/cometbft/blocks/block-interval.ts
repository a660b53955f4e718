/** The usual time between blocks: the median over recent header times. */
import { nsToMs } from '../../encoding/index.ts';
import { BLOCK_INTERVAL_MS_ASSUMED, INTERVALS_KEPT_MAX } from '../limits.ts';
import type { VerifiedBlock } from './verified-block.ts';

export class BlockInterval {
  readonly #intervalsMs: number[] = [];
  #last: { height: number; timeMs: number } | undefined;

  get ms(): number {
    const sorted = this.#intervalsMs.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? BLOCK_INTERVAL_MS_ASSUMED;
  }

  add({ height, header }: Pick<VerifiedBlock, 'height' | 'header'>): void {
    const timeMs = nsToMs(header.timeNs);
    if (this.#last?.height === height - 1) {
      this.#intervalsMs.push(timeMs - this.#last.timeMs);
      if (this.#intervalsMs.length > INTERVALS_KEPT_MAX) this.#intervalsMs.shift();
    }
    this.#last = { height, timeMs };
  }
}
