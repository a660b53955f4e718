/**
 * Makes blocks when they are due, with one timer, set for the moment of the next block.
 *
 * The clock port is its only source of time. A failing store or signer stops it for good, because memory may then be ahead of the disk; the
 * process has to start again and recover.
 */
import { nsToMs } from '../encoding/index.ts';
import { prepareAndFinalize } from '../../ledger/index.ts';
import type { Clock, Logger, Timer } from '../ports.ts';
import { BLOCK_LIMITS } from './block-limits.ts';
import type { Chain, ExecutedBlock } from './chain.ts';
import type { ClockReading } from './clock-guard.ts';
import type { Mempool } from './mempool.ts';
import { contextOf, nextBlockContext, nextHeaderTimeNs } from './next-block.ts';
import { needsFreshHeader, nextBlockDelayMs } from './schedule.ts';

/** A block of at least this many transactions is made in steps, and the thread yields between them: each takes some milliseconds. */
export const STEPS_TRANSACTIONS_MIN = 128;

/** Pause before another try while the clock forbids signing, or the disk has no space for a block. */
export const HELD_RETRY_MS = 250;

export interface BlockLoopParts {
  chain: Chain;
  mempool: Mempool;
  intervalMs: number;
  idleMs: number;
  clock: Clock;
  logger: Logger;
  /** Called when a block is on disk with everything that it changed. */
  onBlock: (block: ExecutedBlock) => void;
  /** Called when blocks can no longer be made in this process. */
  onFatal: (error: Error) => void;
}

export class BlockLoop {
  readonly #parts: BlockLoopParts;
  #timer: Timer | undefined;
  #timerDueMs = Infinity;
  #running = false;
  /** Blocks that are being made; a step that yields a sentence is held. */
  #making: Generator<string | undefined, void> | undefined;
  #lastBlockMs: number;
  #proofPending = false;
  /** The last block took none of the waiting transactions: trying again at once would spin. */
  #tookNothing = false;
  /** Wall clock, ms. */
  #expectedMs: number | undefined;
  #hold = '';
  #failure = '';

  constructor(parts: BlockLoopParts) {
    this.#parts = parts;
    const { chain, clock } = parts;
    // Downtime counts: after a pause a fresh block comes at once. Only the wall clock measures it.
    const pausedMs = clock.nowMs() - nsToMs(nextHeaderTimeNs(chain.constants, chain.tip));
    this.#lastBlockMs = chain.tip.height === 0 ? -Infinity : clock.monotonicMs() - Math.max(0, pausedMs);
  }

  /** The reason why no block is made though one is due; '' when clock and store allow it. */
  get hold(): string {
    return this.#hold;
  }

  get isHeldByClock(): boolean {
    const { chain } = this.#parts;
    return this.#hold !== '' && this.#hold !== chain.store.hold?.() && chain.held === undefined;
  }

  /** The reason why blocks can no longer be made; '' when they can. */
  get failure(): string {
    return this.#failure;
  }

  start(): void {
    this.#running = true;
    this.reschedule();
  }

  /** Abandons the block in progress; nothing of it was stored or seen. */
  stop(): void {
    this.#running = false;
    this.#making = undefined;
    this.#timer?.cancel();
  }

  /** Makes blocks until the header of one is later than this moment, once it has passed; undefined when nothing depends on it. */
  expectTime(ms: number | undefined): void {
    if (ms === this.#expectedMs) return;
    this.#expectedMs = ms;
    // Checked again when the blocks in progress are made.
    if (this.#making !== undefined) return;
    // A timer makes a block when it ends, so the timer for the earlier moment must not fire.
    this.#timer?.cancel();
    this.#timer = undefined;
    this.reschedule();
  }

  /** Call it when the mempool grew; never makes a block by itself. */
  reschedule(): void {
    if (!this.#running || this.#making !== undefined) return;
    const { mempool } = this.#parts;
    const delayMs = nextBlockDelayMs(this.#sinceLastBlockMs(), this.#parts, {
      transactions: mempool.size,
      fullBlock: mempool.fillsBlock && !this.#tookNothing,
      proofPending: this.#proofPending,
      expectedInMs: this.#expectedInMs(),
    });
    this.#wakeIn(delayMs);
  }

  #wakeIn(delayMs: number): void {
    const { clock } = this.#parts;
    const dueMs = clock.monotonicMs() + delayMs;
    if (this.#timer !== undefined && this.#timerDueMs <= dueMs) return;
    this.#timer?.cancel();
    this.#timerDueMs = dueMs;
    this.#timer = clock.setTimer(() => this.#wake(), delayMs);
  }

  #wake(): void {
    this.#timer = undefined;
    if (!this.#running) return;
    this.#making = this.#dueBlocks();
    this.#go();
  }

  /** Runs until the next yield, or to the end. */
  #go(): void {
    if (this.#making === undefined) return;
    try {
      const { done, value: held } = this.#making.next();
      if (done !== true) {
        this.#timer = this.#parts.clock.setTimer(() => this.#go(), held === undefined ? 0 : HELD_RETRY_MS);
        this.#timerDueMs = -Infinity;
        return;
      }
      this.#making = undefined;
      this.#timer = undefined;
      if (this.#hold === '') this.reschedule();
      else this.#wakeIn(HELD_RETRY_MS);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  *#dueBlocks(): Generator<string | undefined, void> {
    const { chain, mempool, intervalMs } = this.#parts;
    const stale = chain.tip.height === 0 || needsFreshHeader(this.#sinceLastBlockMs(), intervalMs);
    if ((stale || mempool.size === 0) && !(yield* this.#make(false))) return;
    if (mempool.size > 0) yield* this.#make(true);
  }

  /** Makes a block by one reading of the clock. @returns false: none was made, because the clock forbids signing. */
  *#make(withTransactions: boolean): Generator<string | undefined, boolean> {
    const { chain, mempool } = this.#parts;
    const reading = chain.clockGuard.read();
    this.#setHold(this.#whyHeld(reading));
    if (this.#hold !== '') return false;
    const prepared = prepareAndFinalize(
      chain.state,
      withTransactions ? mempool.candidates() : [],
      nextBlockContext(chain.constants, chain.tip),
      BLOCK_LIMITS,
    );
    const { transactions: chosen } = prepared;
    const isLong = chosen.length >= STEPS_TRANSACTIONS_MIN;
    if (isLong) yield undefined;
    const steps = chain.blockInSteps(prepared, reading);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      const { value: held } = step;
      if (held !== undefined) this.#setHold(held);
      if (isLong || held !== undefined) yield held;
    }
    this.#setHold('');
    const block = step.value;
    this.#lastBlockMs = this.#parts.clock.monotonicMs();
    this.#proofPending = block.stateChanged;
    this.#tookNothing = withTransactions && chosen.length === 0;
    mempool.blockExecuted(chain.state, contextOf(chain.tip), chosen);
    this.#parts.onBlock(block);
    return true;
  }

  #whyHeld({ wallNs, aheadMs, isHeld }: ClockReading): string {
    const { chain } = this.#parts;
    const { genesisTimeNs } = chain.constants;
    if (chain.tip.height === 0 && wallNs < genesisTimeNs) {
      // The current time is left out: while the reason stays the same it is logged once.
      return `the genesis time is ${new Date(nsToMs(genesisTimeNs)).toISOString()}, which is later than the clock of this machine: the first block is made then. Set the clock right if it is behind`;
    }
    if (!isHeld) return chain.store.hold?.() ?? '';
    return (
      `the clock jumped ${aheadMs} ms ahead, so no block is signed: header times could never go back. ` +
      'Set the clock right, or restart to accept the new time'
    );
  }

  #setHold(reason: string): void {
    const { logger } = this.#parts;
    if (reason !== '' && this.#hold === '') logger.warn({ reason }, 'block making is held');
    if (reason === '' && this.#hold !== '') logger.info({}, 'block making goes on');
    this.#hold = reason;
  }

  #fail(error: Error): void {
    this.stop();
    this.#failure = `block making failed: ${error.message}`;
    this.#parts.logger.error({ error: error.message, stack: error.stack }, 'block making failed');
    this.#parts.onFatal(error);
  }

  #expectedInMs(): number | undefined {
    const { chain, clock } = this.#parts;
    if (this.#expectedMs === undefined || nsToMs(chain.tip.headerTimeNs) > this.#expectedMs) return undefined;
    // One ms more than the moment that a header has to be later than.
    return this.#expectedMs + 1 - clock.nowMs();
  }

  #sinceLastBlockMs(): number {
    return this.#parts.clock.monotonicMs() - this.#lastBlockMs;
  }
}
