/**
 * The newest block, as it moves.
 *
 * The height that nodes claim is only a hint: the tip moves when a block was read and verified, each following the one before, from the
 * checkpoint on. No block is skipped: who signs a block is known only from those before it.
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

/** The newest block as a follower sees it; of the checkpoint, only its header's time is known. */
export interface TipBlock {
  height: number;
  /** Upper-case hex; '' before the first block. */
  hash: string;
  timeMs: number;
}

export interface ChainTipParts {
  pool: NodePool;
  source: BlockSource;
  /** The last block that was followed before this process. */
  start: TipBlock;
  clock: Clock;
  logger: Logger;
  /** The nodes have another history than this process has seen: only a restart can read it again. */
  onReplaced: (error: Error) => void;
  /** The height is known for the first time. It may be 0: no block yet. */
  onKnown: () => void;
  /** A block was committed; called before those who wait for it are resolved. */
  onBlock: (block: VerifiedBlock) => void;
}

export class ChainTip {
  readonly #parts: ChainTipParts;
  readonly #waiters: HeightWaiters;
  readonly #interval = new BlockInterval();
  #block: TipBlock;
  #isKnown = false;
  /** True once the tip has reached the height that the nodes claim, and as long as it was never far from it since. */
  #isLive = false;
  #moving: Promise<void> | undefined;
  #closed = false;
  #timer: Timer | undefined;
  /** Monotonic moment since which the newest block cannot be read. */
  #stuckSinceMs: number | undefined;
  #isStuck = false;
  /** Estimate of the monotonic time at which the newest block was made. */
  #seenMs: number;

  constructor(parts: ChainTipParts) {
    this.#parts = parts;
    this.#waiters = new HeightWaiters(parts.clock, parts.start.height);
    this.#block = parts.start;
    this.#seenMs = this.#madeMs(parts.start);
    parts.pool.verifiedHeight = parts.start.height;
  }

  /** Undefined until a node has answered with its height. */
  get height(): number | undefined {
    return this.#isKnown ? this.#block.height : undefined;
  }

  get block(): TipBlock {
    return this.#block;
  }

  /**
   * True when the tip has not moved for a while although every node claims a greater height: some claims may be false. A block may take a
   * moment to be there with its results, so a single failure does not count.
   */
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

  /** Reads new blocks: a node may have more than before. Resolves when the tip is at the nodes' height, or cannot get there now. */
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
      if (!(error instanceof BlockNotAvailable))
        this.#parts.logger.error({ err: error }, 'the newest block could not be judged');
      this.#noteFailure(error as Error);
      if (error instanceof ChainReplaced) this.#parts.onReplaced(error);
      if (!this.#closed) this.#timer = this.#parts.clock.setTimer(() => void this.move(), TIP_RETRY_MS);
    }
  }

  #noteFailure(error: Error): void {
    const { clock, logger, pool } = this.#parts;
    if (!pool.allClaimMoreThan(this.#block.height)) {
      this.#stuckSinceMs = undefined;
      this.#isStuck = false;
      return;
    }
    this.#stuckSinceMs ??= clock.monotonicMs();
    if (this.#isStuck || clock.monotonicMs() - this.#stuckSinceMs < TIP_TROUBLE_MS) return;
    this.#isStuck = true;
    logger.error({ height: this.height, reason: error.message }, 'the newest block cannot be read');
  }

  /** Reads one more block; false when the nodes have none. */
  async #step(): Promise<boolean> {
    const { pool, source } = this.#parts;
    const claimed = pool.claimedHeight();
    if (claimed === undefined) return false;
    if (!this.#isKnown) this.#know();
    const ahead = claimed - this.#block.height;
    if (ahead <= 0) this.#isLive = true;
    else if (ahead > TIP_GAP_BLOCKS_MAX) this.#isLive = false;
    if (ahead <= 0) return false;
    this.#reach(await source.next());
    return true;
  }

  #reach(block: VerifiedBlock): void {
    if (this.#closed) return;
    const { clock, onBlock, pool } = this.#parts;
    this.#block = { height: block.height, hash: block.hash, timeMs: nsToMs(block.header.timeNs) };
    // When the process was not running as the block came, only its header gives its age: a chain that has stopped must not look fresh.
    this.#seenMs = this.#isLive ? clock.monotonicMs() : this.#madeMs(this.#block);
    pool.verifiedHeight = block.height;
    this.#interval.add(block);
    onBlock(block);
    this.#waiters.reached(block.height);
  }

  /** The moment at which a block was made, by its header's time. */
  #madeMs({ timeMs }: TipBlock): number {
    const { clock } = this.#parts;
    return clock.monotonicMs() - Math.max(0, clock.nowMs() - timeMs);
  }

  #know(): void {
    this.#isKnown = true;
    this.#parts.onKnown();
  }
}
