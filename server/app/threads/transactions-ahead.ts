/**
 * Verifies the transactions of a chain's blocks on the other cores, ahead of the thread that executes them: signatures are most of the
 * work, and do not depend on the state.
 *
 * Only a positive result is used. A transaction that a thread refuses, or did not reach because it died, is verified by the caller's
 * thread, which reports the reason.
 *
 * @module
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { ChainContext } from '../../ledger/index.ts';
import { startJob } from './start-job.ts';

/** One executing thread keeps up with about this many verifying threads. */
const THREADS_MAX = 7;
/** Blocks that are read but not executed yet: enough for every thread, in little memory. A block has 1 MiB at most. */
const BLOCKS_AHEAD_MAX = 64;
/** A shorter chain is verified before a thread has started. */
const BLOCKS_MIN = 64;

export interface AheadOptions {
  chain: ChainContext;
  /** Returns the bytes of a block. */
  read: (height: number) => Uint8Array | undefined;
  from: number;
  to: number;
  /** Only for tests. */
  threads?: number;
  worker?: URL;
}

interface Thread {
  worker: Worker;
  /** Heights of the blocks that were sent to the thread, in the order of its answers. */
  inHand: number[];
}

export class TransactionsAhead {
  readonly #options: AheadOptions;
  readonly #threads: Thread[] = [];
  readonly #verdicts = new Map<number, Uint8Array>();
  #next: number;
  /** Resolves the wait of `ready`. */
  #arrived: (() => void) | undefined;

  constructor(options: AheadOptions) {
    this.#options = options;
    this.#next = options.from;
    const threads = options.threads ?? Math.min(THREADS_MAX, availableParallelism() - 1);
    if (options.to - options.from + 1 < BLOCKS_MIN) return;
    const { addressPrefix, chainId } = options.chain;
    for (let index = 0; index < threads; index += 1) {
      const thread: Thread = {
        worker: startJob('transactions', { addressPrefix, chainId }, {}, options.worker),
        inHand: [],
      };
      thread.worker.on('message', (verdicts: Uint8Array) => {
        this.#verdicts.set(thread.inHand.shift() as number, verdicts);
        this.#arrived?.();
      });
      thread.worker.on('error', () => this.#lost(thread));
      thread.worker.on('exit', () => this.#lost(thread));
      this.#threads.push(thread);
    }
  }

  /** Waits until the results for this block are there, or no thread has it. Call it with each height in turn. */
  async ready(height: number): Promise<void> {
    this.#verdicts.delete(height - 1);
    while (this.#threads.length > 0 && this.#next <= Math.min(this.#options.to, height + BLOCKS_AHEAD_MAX))
      this.#hand(this.#next++);
    while (!this.#verdicts.has(height) && this.#threads.some(({ inHand }) => inHand.includes(height))) {
      await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
  }

  /** True if every signature of a transaction of a block was verified. */
  isVerified(height: number, index: number): boolean {
    return this.#verdicts.get(height)?.[index] === 1;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  /** Sends a block to the thread with the fewest unanswered blocks. */
  #hand(height: number): void {
    const bytes = this.#options.read(height);
    if (bytes === undefined) return;
    const [least] = [...this.#threads].sort((a, b) => a.inHand.length - b.inHand.length);
    if (least === undefined) return;
    least.inHand.push(height);
    least.worker.postMessage(bytes, []);
  }

  #lost(thread: Thread): void {
    const at = this.#threads.indexOf(thread);
    if (at !== -1) this.#threads.splice(at, 1);
    this.#arrived?.();
  }
}
