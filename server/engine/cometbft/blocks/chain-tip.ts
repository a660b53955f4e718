/**
 * The newest block, as it moves.
 *
 * Nodes say how far they are, and that is only a hint: the tip moves when a block was read and verified, each following the one before, from
 * the checkpoint on. Nothing is skipped: who signs a block is known only from those before it.
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

/** As a follower sees the newest block; of the checkpoint, its header's time is all that is known. */
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
  #block: TipBlock;
  #isKnown = false;
  /** It has stood where the nodes say they are, and was never far from it since. */
  #isLive = false;
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
    this.#waiters = new HeightWaiters(parts.clock, parts.start.height);
    this.#block = parts.start;
    this.#seenMs = this.#madeMs(parts.start);
    parts.pool.verifiedHeight = parts.start.height;
  }

  /** Undefined until a node said how far it is. */
  get height(): number | undefined {
    return this.#isKnown ? this.#block.height : undefined;
  }

  get block(): TipBlock {
    return this.#block;
  }

  /**
   * It has not moved for a while although every node says that it is further: what some say may be a lie. A block may take a moment to be there
   * with its results, so a single failure does not count.
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

  /** One block further; false when the nodes are no further. */
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
    // When the process was not there as the block came, only its header tells how long that is ago: a chain that stands must not look fresh.
    this.#seenMs = this.#isLive ? clock.monotonicMs() : this.#madeMs(this.#block);
    pool.verifiedHeight = block.height;
    this.#interval.add(block);
    onBlock(block);
    this.#waiters.reached(block.height);
  }

  /** By the header's time. */
  #madeMs({ timeMs }: TipBlock): number {
    const { clock } = this.#parts;
    return clock.monotonicMs() - Math.max(0, clock.nowMs() - timeMs);
  }

  #know(): void {
    this.#isKnown = true;
    this.#parts.onKnown();
  }
}
