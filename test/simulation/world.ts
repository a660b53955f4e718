/** What a life is made of: its randomness, its clock, its disk, the model of its log, the process that runs, and what is noted of all that. */
import { createHash } from 'node:crypto';
import { validatorKeyFromSeed } from '../../server/engine/embedded/index.ts';
import type { Random } from '../gateway/support/random.ts';
import { devAddress, testGenesis, validatorSeed } from '../ledger/support.ts';
import type { Coverage } from './coverage.ts';
import { Disk } from './disk.ts';
import { PlainModel } from './plain-model.ts';
import { ACCOUNTS, addresses, BALANCE, START_MS } from './prepared.ts';
import type { SimulatedProcess } from './process.ts';
import { VirtualTime } from './time.ts';

export const MS = 1_000_000n;

export const genesis = testGenesis({
  accounts: Array.from({ length: ACCOUNTS }, (_, i) => ({ address: devAddress(i), balance: BALANCE })),
});
export const validatorKey = validatorKeyFromSeed(validatorSeed(0));

export class World {
  readonly random: Random;
  readonly coverage: Coverage;
  readonly time = new VirtualTime(START_MS);
  readonly disk: Disk;
  readonly model: PlainModel;
  process: SimulatedProcess | undefined;
  faultsOn = true;
  /** The last append or commit of this process met a fault that lets it end. */
  mayEnd = false;
  step = 0;
  /** A block that the log has had no place for so far. */
  heldBlock: { signedMs: number } | undefined;
  heldUntilStep = -Infinity;
  /** A fault that showed where nobody could catch it. */
  violation: Error | undefined;
  readonly #trace = createHash('sha256');
  readonly #onTrace: ((line: string) => void) | undefined;

  constructor(random: Random, coverage: Coverage, onTrace: ((line: string) => void) | undefined) {
    this.random = random;
    this.coverage = coverage;
    this.#onTrace = onTrace;
    this.disk = new Disk(random, { chainId: genesis.chainId, genesisHash: genesis.hash });
    this.model = new PlainModel(
      this.disk.head,
      new Map(addresses.slice(0, ACCOUNTS).map((address) => [address, BALANCE])),
    );
  }

  note(line: string): void {
    this.#trace.update(`${line}\n`);
    this.#onTrace?.(line);
  }

  /** Of everything that was noted. */
  traceHash(): string {
    return this.#trace.digest('hex');
  }

  /** The log takes nothing, or did not a moment ago. */
  mayHold(): boolean {
    return this.disk.isFull || this.mayEnd || this.heldBlock !== undefined || this.heldUntilStep >= this.step - 1;
  }

  /** An answer of a process that died meanwhile never comes. */
  ask<T>(process: SimulatedProcess, asked: Promise<T>, told: (answer: T) => void): void {
    asked.then(
      (answer) => {
        if (!process.isRunning || process !== this.process) return this.coverage.count('answer lost');
        try {
          told(answer);
        } catch (error) {
          this.violation ??= error as Error;
        }
      },
      (error: unknown) => {
        if (process.isRunning && process === this.process) this.violation ??= error as Error;
      },
    );
  }
}

export const text = (value: unknown): string => JSON.stringify(value);
export const same = (one: unknown, other: unknown): boolean => text(one) === text(other);
