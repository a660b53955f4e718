/**
 * Distributes the verification of batches over threads: a queue of slices that the verifier threads and the caller's thread share, so that
 * no core waits for another.
 *
 * The threads start with the first large batch, because most deployments have none. Unlike other threads (spawn.ts) a verifier that dies
 * does not end the process: it holds no state, so its unfinished slices go back to the queue for the others.
 *
 * @module
 */
import type { Worker } from 'node:worker_threads';
import type { Clock, Logger } from '../../engine/ports.ts';
import type { SignatureCheck } from '../../gateway/admission.ts';
import { BATCHES, turnsOf } from '../../gateway/turns.ts';
import type { VerifySignatures } from '../../gateway/verification.ts';
import { verifyStrict } from '../../ledger/index.ts';
import { packChecks, READY } from './packed-checks.ts';
import { startJob } from './start-job.ts';

/** Fewer signatures than this are verified by the caller's thread: they take about 3 ms. */
export const SPREAD_CHECKS_MIN = 32;
/** Signatures of one slice: about 5 ms of work, compared with which a message of some 30 us is negligible. */
export const SLICE_CHECKS_MAX = 64;
const SLICE_CHECKS_MIN = 16;
/** Slices for each thread, so that all threads end at about the same time. */
const SLICES_PER_THREAD = 2;
/** Slices that are sent to one thread: the next one is there while it verifies the first. */
const IN_HAND_MAX = 2;
/** Limits of one verifier, which keeps no state, so that its heap stays small. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

export interface VerifiersOptions {
  /** Threads beside the caller's; with 0 the caller's thread does all the work. */
  threads: number;
  clock: Clock;
  logger: Logger;
  /** Only for tests. */
  worker?: URL;
}

interface Slice {
  checks: readonly SignatureCheck[];
  done: (verdicts: ArrayLike<number | boolean>) => void;
}

interface Verifier {
  worker: Worker;
  ready: boolean;
  /** Slices that were sent, in the order of the answers. */
  inHand: Slice[];
}

export class Verifiers {
  readonly #options: VerifiersOptions;
  readonly #verifiers = new Set<Verifier>();
  readonly #waiting: Slice[] = [];
  #started = false;
  #helping = false;
  #closed = false;

  constructor(options: VerifiersOptions) {
    this.#options = options;
  }

  /** The number of living threads. */
  get threads(): number {
    return this.#verifiers.size;
  }

  readonly verify: VerifySignatures = async (checks) => {
    const { threads } = this.#options;
    const verdicts = Array.from<boolean>({ length: checks.length });
    const spread = threads > 0 && checks.length >= SPREAD_CHECKS_MIN && !this.#closed;
    if (spread) this.#start();
    const size = spread
      ? Math.min(
          SLICE_CHECKS_MAX,
          Math.max(SLICE_CHECKS_MIN, Math.ceil(checks.length / ((threads + 1) * SLICES_PER_THREAD))),
        )
      : SLICE_CHECKS_MAX;
    const slices: Promise<void>[] = [];
    for (let from = 0; from < checks.length; from += size) {
      slices.push(
        new Promise((resolve) => {
          this.#waiting.push({
            checks: checks.slice(from, from + size),
            done: (found) => {
              for (let index = 0; index < found.length; index++) verdicts[from + index] = Boolean(found[index]);
              resolve();
            },
          });
        }),
      );
    }
    if (spread) this.#hand();
    void this.#help();
    await Promise.all(slices);
    return verdicts;
  };

  /** Ends the threads; their unfinished slices are verified on the caller's thread. */
  async close(): Promise<void> {
    this.#closed = true;
    const verifiers = [...this.#verifiers];
    for (const verifier of verifiers) this.#takeBack(verifier);
    await Promise.all(verifiers.map(({ worker }) => worker.terminate()));
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    for (let index = 0; index < this.#options.threads; index++) {
      const worker = startJob('verifier', undefined, RESOURCE_LIMITS, this.#options.worker);
      const verifier: Verifier = { worker, ready: false, inHand: [] };
      this.#verifiers.add(verifier);
      worker.on('message', (message: typeof READY | Uint8Array) => {
        if (message === READY) verifier.ready = true;
        else verifier.inHand.shift()?.done(message);
        this.#hand();
      });
      worker.on('error', (error) => this.#lost(verifier, { err: error }));
      worker.on('exit', (exitCode) => this.#lost(verifier, { exitCode }));
      // A verifier must not keep the process alive.
      worker.unref();
    }
  }

  /** Sends slices to every verifier that has room. */
  #hand(): void {
    for (const verifier of this.#verifiers) {
      while (verifier.ready && verifier.inHand.length < IN_HAND_MAX) {
        const slice = this.#waiting.shift();
        if (slice === undefined) return;
        const packed = packChecks(slice.checks);
        // A check that cannot be packed has no well-formed signature.
        if (packed === undefined) slice.done(slice.checks.map(holds));
        else {
          verifier.inHand.push(slice);
          verifier.worker.postMessage(packed, [packed.buffer]);
        }
      }
    }
  }

  /** The caller's thread verifies slices too, and yields in between. */
  async #help(): Promise<void> {
    if (this.#helping) return;
    this.#helping = true;
    const turns = turnsOf(this.#options.clock);
    for (let slice = this.#waiting.shift(); slice !== undefined; slice = this.#waiting.shift()) {
      const verdicts: boolean[] = [];
      for (const check of slice.checks) {
        verdicts.push(holds(check));
        const turn = turns.yield(BATCHES);
        if (turn !== undefined) await turn;
      }
      slice.done(verdicts);
    }
    this.#helping = false;
  }

  #lost(verifier: Verifier, fields: object): void {
    if (!this.#takeBack(verifier)) return;
    const { logger } = this.#options;
    logger.error(
      { deadThread: 'verifier', left: this.#verifiers.size, ...fields },
      'a verifier thread died; signatures of batches are verified without it',
    );
  }

  /** Takes back the slices of a verifier. Returns false if that was done before. */
  #takeBack(verifier: Verifier): boolean {
    if (!this.#verifiers.delete(verifier)) return false;
    this.#waiting.unshift(...verifier.inHand.splice(0));
    this.#hand();
    void this.#help();
    return true;
  }
}

const holds = ({ publicKey, message, signature }: SignatureCheck): boolean =>
  verifyStrict(publicKey, message, signature);
