/**
 * The newest block, as it moves.
 *
 * Nodes say how far they are, and that is only a hint: the tip moves when a block was read and verified, each following the one before. After a
 * start, or when the nodes are far ahead, it begins anew at the newest block; those between are for whoever follows the chain.
 */
import { nsToMs } from '../../encoding/index.ts';
import { HeightWaiters } from '../../height-waiters.ts';
import type { Clock, Logger, Timer } from '../../ports.ts';
import { TIP_GAP_BLOCKS_MAX, TIP_RETRY_MS, TIP_TROUBLE_MS } from '../limits.ts';
import type { NodePool } from '../nodes/node-pool.ts';
import { BlockNotAvailable, ChainReplaced } from './block-errors.ts';
import { BlockInterval } from './block-interval.ts';
import type { BlockSource } from './block-source.ts';
import type { VerifiedBlock } from './verified-block.ts';

export interface ChainTipParts {
  pool: NodePool;
  source: BlockSource;
  clock: Clock;
  logger: Logger;
  /** The nodes have another history than this process has seen: only a start can look at it anew. */
  onReplaced: (error: Error) => void;
  /** The height is known for the first time. It may be 0: no block yet. */
  onKnown: () => void;
  /** A block was committed, before anybody who waits for it is told. */
  onBlock: (block: VerifiedBlock) => void;
}

export class ChainTip {
  readonly #parts: ChainTipParts;
  readonly #waiters: HeightWaiters;
  readonly #interval = new BlockInterval();
  #block: VerifiedBlock | undefined;
  #isKnown = false;
  #moving: Promise<void> | undefined;
  #closed = false;
  #timer: Timer | undefined;
  /** Since when (monotonic) the newest block cannot be read. */
  #stuckSinceMs: number | undefined;
  #isStuck = false;
  /** Monotonic moment at which the newest block was made, as far as this process knows. */
  #seenMs: number;

  constructor(parts: ChainTipParts) {
    this.#parts = parts;
    this.#waiters = new HeightWaiters(parts.clock, 0);
    this.#seenMs = parts.clock.monotonicMs();
  }

  /** Undefined until a node said how far it is. */
  get height(): number | undefined {
    return this.#isKnown ? (this.#block?.height ?? 0) : undefined;
  }

  get block(): VerifiedBlock | undefined {
    return this.#block;
  }

  /** It has not moved for a while although a node is further. A block may take a moment to be there with its results, so a single failure is none. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  get ageMs(): number {
    return this.#parts.clock.monotonicMs() - this.#seenMs;
  }

  get intervalMs(): number {
    return this.#interval.ms;
  }

  /** Resolves with the newest height once it is at least this, or at the timeout. */
  wait(height: number, timeoutMs: number): Promise<number> {
    return this.#waiters.wait(height, timeoutMs);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#waiters.close();
  }

  /** A node may be further than before. Resolves when the tip stands where the nodes do, or cannot get there now. */
  async move(): Promise<void> {
    if (this.#closed) return;
    this.#moving ??= this.#advance().finally(() => {
      this.#moving = undefined;
    });
    await this.#moving;
  }

  async #advance(): Promise<void> {
    this.#timer?.cancel();
    try {
      while (!this.#closed && (await this.#step()));
      this.#stuckSinceMs = undefined;
      this.#isStuck = false;
    } catch (error) {
      if (!(error instanceof BlockNotAvailable)) this.#parts.logger.error({ err: error }, 'the newest block could not be judged');
      this.#noteFailure(error as Error);
      if (error instanceof ChainReplaced) this.#parts.onReplaced(error);
      if (!this.#closed) this.#timer = this.#parts.clock.setTimer(() => void this.move(), TIP_RETRY_MS);
    }
  }

  #noteFailure(error: Error): void {
    const { clock, logger } = this.#parts;
    this.#stuckSinceMs ??= clock.monotonicMs();
    if (this.#isStuck || clock.monotonicMs() - this.#stuckSinceMs < TIP_TROUBLE_MS) return;
    this.#isStuck = true;
    logger.error({ height: this.height, reason: error.message }, 'the newest block cannot be read');
  }

  /** One block further; false when the nodes are no further. */
  async #step(): Promise<boolean> {
    const { pool, source } = this.#parts;
    // A node that is still fetching old blocks from others tells nothing about the newest one.
    const nodes = this.#isKnown ? pool.usable() : pool.usable().filter(({ isCatchingUp }) => !isCatchingUp);
    const target = nodes[0]?.height;
    if (target === undefined) return false;
    if (!this.#isKnown && target === 0) this.#know();
    const height = this.#block?.height ?? 0;
    if (target <= height) return false;
    const wasThere = this.#isKnown && target - height <= TIP_GAP_BLOCKS_MAX;
    const block = wasThere && this.#block ? await source.after(this.#block) : await source.block(target);
    this.#reach(block, wasThere);
    return true;
  }

  #reach(block: VerifiedBlock, wasThere: boolean): void {
    if (this.#closed) return;
    const { clock, onBlock } = this.#parts;
    // When the process was not there as the block came, only its header tells how long that is ago: a chain that stands must not look fresh.
    const beforeMs = wasThere ? 0 : Math.max(0, clock.nowMs() - nsToMs(block.header.timeNs));
    this.#seenMs = clock.monotonicMs() - beforeMs;
    this.#block = block;
    this.#interval.add(block);
    if (!this.#isKnown) this.#know();
    onBlock(block);
    this.#waiters.reached(block.height);
  }

  #know(): void {
    this.#isKnown = true;
    this.#parts.onKnown();
  }
}
