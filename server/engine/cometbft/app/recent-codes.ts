/**
 * The codes of the newest blocks, for gateways that follow them. In memory only: for blocks from before a restart, the node has
 * `block_results`.
 */
import type { FinalizedBlock } from '../../../ledger/index.ts';
import { failuresOf } from '../../results.ts';
import { blockCodesText, CODES_KEPT_BLOCKS } from '../block-codes.ts';

/**
 * Characters of all answers together: a hundred blocks in which every transaction fails, each with its reason, would be some 50 MB. The
 * newest is always kept.
 */
export const CODES_KEPT_CHARS_MAX = 4 * 1024 * 1024;

export interface ExecutedBlock {
  readonly height: number;
  readonly appHash: Uint8Array;
  readonly finalized: Pick<FinalizedBlock, 'results' | 'validatorUpdates' | 'events'>;
}

export class RecentCodes {
  /** Answers by height, the oldest first. */
  readonly #answers = new Map<number, string>();
  #chars = 0;

  /** The answer to a query for this block; undefined when its codes are not kept. */
  get(height: number): string | undefined {
    return this.#answers.get(height);
  }

  /** Keeps the codes of a block. A block whose own events or validators a gateway could not rebuild from codes is left out. */
  add({ height, appHash, finalized: { results, validatorUpdates, events } }: ExecutedBlock): void {
    if (validatorUpdates.length > 0 || events.length > 0) return;
    const text = blockCodesText({
      height,
      transactions: results.length,
      appHash: Buffer.from(appHash).toString('hex').toUpperCase(),
      failures: failuresOf(results),
    });
    this.#answers.set(height, text);
    this.#chars += text.length;
    for (const [oldest, { length }] of this.#answers) {
      const isTooMuch = oldest <= height - CODES_KEPT_BLOCKS || this.#chars > CODES_KEPT_CHARS_MAX;
      if (oldest === height || !isTooMuch) break;
      this.#answers.delete(oldest);
      this.#chars -= length;
    }
  }
}
