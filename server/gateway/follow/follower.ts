/**
 * Block applier: takes the engine's blocks in order and has each applied, forever.
 *
 * It never skips a block. A block that it cannot apply stops it for good, with a reason that readiness shows: a block of another chain or
 * another history, a height that the engine no longer has, an outcome that the ledger's rules do not give.
 */
import type { CommittedBlock, Engine } from '../../engine/port.ts';
import type { Clock, Logger, Timer } from '../../engine/ports.ts';
import { BLOCKS_PER_PULL_MAX, FOLLOW_RETRY_MS, HEIGHT_WAIT_MS } from '../limits.ts';

export type ApplyOutcome =
  /** Done, by this gateway or by another holder; `height` is the last applied height now. */
  | { kind: 'at'; height: number }
  /** Nothing was written; worth trying again. */
  | { kind: 'retry' }
  /** Never to be applied. */
  | { kind: 'fault'; detail: string };

export interface FollowerParts {
  engine: Pick<Engine, 'blocks' | 'waitForHeight'>;
  clock: Clock;
  logger: Logger;
  height: number;
  apply(block: CommittedBlock): Promise<ApplyOutcome>;
  onFault(detail: string): void;
}

export class Follower {
  readonly #parts: FollowerParts;
  #height: number;
  #stopped = false;
  #timer: Timer | undefined;
  #wake: (() => void) | undefined;
  #stop: () => void = () => {};
  readonly #stopping = new Promise<void>((resolve) => (this.#stop = resolve));
  #engineFault: string | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#height = parts.height;
  }

  /** The reason why the last attempt got no block; undefined when it got one. */
  get engineFault(): string | undefined {
    return this.#engineFault;
  }

  start(): void {
    void this.#run();
  }

  /** No block is applied after this; a long poll under way is left to end by itself. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#wake?.();
    this.#stop();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const blocks = await this.#nextBlocks();
      if (blocks === undefined) await this.#pause();
      else for (const block of blocks) if (!(await this.#follow(block))) break;
    }
  }

  /** Undefined when the engine could not be reached, or returned no block although it reports one. */
  async #nextBlocks(): Promise<CommittedBlock[] | undefined> {
    const { engine, logger } = this.#parts;
    const next = this.#height + 1;
    try {
      // A long poll notices late that the engine is back, so after a fault the first one is short.
      const waitMs = this.#engineFault === undefined ? HEIGHT_WAIT_MS : FOLLOW_RETRY_MS;
      const latest = await Promise.race([engine.waitForHeight(next, waitMs), this.#stopping]);
      if (latest === undefined) return [];
      if (latest < next) {
        this.#engineFault = undefined;
        return [];
      }
      const blocks = await engine.blocks(next, BLOCKS_PER_PULL_MAX);
      this.#engineFault = blocks.length === 0 ? `the engine stands at ${latest} and has no block ${next}` : undefined;
      return blocks.length === 0 ? undefined : blocks;
    } catch (error) {
      this.#engineFault = 'the engine could not be reached';
      logger.warn({ err: error }, 'the engine could not be reached; following again later');
      return undefined;
    }
  }

  /** False when the rest of the pulled blocks is to be dropped. */
  async #follow(block: CommittedBlock): Promise<boolean> {
    if (this.#stopped) return false;
    if (block.height !== this.#height + 1) {
      this.#fail(
        `the engine answered block ${block.height} when asked for ${this.#height + 1}: the height between is no longer there`,
      );
      return false;
    }
    const outcome = await this.#parts.apply(block);
    if (outcome.kind === 'at') {
      const asExpected = outcome.height === block.height;
      this.#height = outcome.height;
      return asExpected;
    }
    if (outcome.kind === 'fault') this.#fail(outcome.detail);
    else await this.#pause();
    return false;
  }

  #fail(detail: string): void {
    this.stop();
    this.#parts.onFault(detail);
  }

  async #pause(): Promise<void> {
    if (this.#stopped) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#timer = this.#parts.clock.setTimer(resolve, FOLLOW_RETRY_MS);
    });
  }
}
