/**
 * A random life of one process: clients, outsiders, a disk and a clock that fail, and a process that dies between any two steps. One seed gives one
 * life. What the product answers is compared with a plain model of what its log says; what was promised is kept to the end.
 */
import { CLOCK_AHEAD_MS_MAX } from '../../server/engine/ports.ts';
import { Random } from '../gateway/support/random.ts';
import { Access } from './access.ts';
import type { Coverage } from './coverage.ts';
import { DiskFates } from './disk-fates.ts';
import { Payments } from './payments.ts';
import { demand } from './plain-model.ts';
import { START_MS } from './prepared.ts';
import { type SimulatedProcess, TTL_MS } from './process.ts';
import { foreign, Processes } from './processes.ts';
import { Readers } from './readers.ts';
import { settle } from './time.ts';
import { Webhooks } from './webhooks.ts';
import { MS, text, World } from './world.ts';

export const STEPS = 200;
/** Of virtual time behind the last fault, after which everything has to be settled. */
const SETTLED_MS_MAX = 30 * 60_000;
const JUMP_MS_MIN = 15_000;
const JUMP_MS_MAX = 600_000;
const JUMPS_MAX = 8;
/** One life of so many has a flood: it costs as much as the rest of it. */
const LIVES_FOR_FLOOD = 16;

export interface LifeResult {
  seed: number;
  /** Undefined: nothing was wrong. */
  fault: Error | undefined;
  /** Of everything that happened. */
  traceHash: string;
  steps: number;
  promises: number;
  blocks: number;
  deaths: number;
}

/** One life in some thousand has nine promises in 200 steps, because its disk was full or its clock held most of the time. */
const STEPS_OF_PROMISE_MAX = 40;
/** And one in a thousand has three blocks in 200 steps, because its server was down or its log full most of the time. */
const STEPS_OF_BLOCK_MAX = 100;

/** Why a life proves nothing, which is a fault of the generator. */
export function stoodStill({ promises, blocks, deaths, steps }: LifeResult): string | undefined {
  if (promises < steps / STEPS_OF_PROMISE_MAX) return `it has ${promises} promises in ${steps} steps`;
  if (blocks < steps / STEPS_OF_BLOCK_MAX) return `it has ${blocks} blocks in ${steps} steps`;
  if (deaths === 0) return 'no process died in it';
  return undefined;
}

export interface LifeOptions {
  seed: number;
  coverage: Coverage;
  steps?: number;
  /** Each step as a line. */
  onTrace?: (line: string) => void;
}

export async function runLife(options: LifeOptions): Promise<LifeResult> {
  const life = new Life(options);
  let fault: Error | undefined;
  try {
    await life.run();
  } catch (error) {
    fault = error as Error;
  }
  life.dispose();
  return life.result(fault);
}

class Life {
  readonly #seed: number;
  readonly #steps: number;
  readonly #floodAt: number;
  /** In some lives chain.db is written at once, and in some it is far behind. */
  readonly #chainPercent: number;
  readonly #world: World;
  readonly #processes: Processes;
  readonly #payments: Payments;
  readonly #access: Access;
  readonly #webhooks: Webhooks;
  readonly #readers: Readers;

  constructor({ seed, coverage, steps = STEPS, onTrace }: LifeOptions) {
    this.#seed = seed;
    this.#steps = steps;
    const random = new Random(seed);
    this.#floodAt = random.below(LIVES_FOR_FLOOD) === 0 ? random.below(steps) : -1;
    this.#chainPercent = random.pick([0, 20, 60]) as number;
    this.#world = new World(random, coverage, onTrace);
    this.#payments = new Payments(this.#world);
    this.#access = new Access(this.#world);
    this.#webhooks = new Webhooks(this.#world);
    this.#readers = new Readers(this.#world, this.#payments);
    this.#processes = new Processes(this.#world, new DiskFates(this.#world), () => this.#webhooks.checkRows());
  }

  result(fault: Error | undefined): LifeResult {
    return {
      seed: this.#seed,
      fault,
      traceHash: this.#world.traceHash(),
      steps: this.#world.step,
      promises: this.#payments.fresh.size,
      blocks: this.#world.model.height,
      deaths: this.#processes.deaths,
    };
  }

  dispose(): void {
    this.#world.faultsOn = false;
    if (this.#world.process !== undefined) this.#world.process.bury();
    this.#world.disk.close();
  }

  async run(): Promise<void> {
    for (; this.#world.step < this.#steps; this.#world.step += 1) {
      const before = this.#state();
      const name = this.#world.process === undefined ? await this.#processes.whileDown() : await this.#act();
      await settle();
      this.#processes.look();
      if (this.#world.process !== undefined) {
        this.#readers.check();
        await this.#access.check();
      }
      this.#world.coverage.move(before, name, this.#state());
      this.#world.note(
        `${this.#world.step} ${name} ${this.#world.time.monotonicMs} ${this.#world.model.lastSeq} ${this.#world.model.height}`,
      );
    }
    await this.#end();
  }

  /** What a state is, for the count of states. */
  #state(): string {
    const few = (count: number): string => (count === 0 ? '0' : count < 3 ? 'few' : 'many');
    const aheadMs = this.#world.time.wallAheadMs - START_MS;
    const process = this.#world.process;
    return [
      process === undefined ? 'down' : 'up',
      this.#world.disk.isFull ? 'full' : 'room',
      aheadMs > CLOCK_AHEAD_MS_MAX ? 'ahead' : aheadMs < -CLOCK_AHEAD_MS_MAX ? 'behind' : 'right',
      `blocks behind ${few(process === undefined ? 0 : this.#world.model.height - process.commits.height)}`,
      `pending ${few(this.#world.model.pending.length)}`,
      `log ${few(this.#world.disk.entries.length - 2)}`,
    ].join(', ');
  }

  async #act(): Promise<string> {
    const { random } = this.#world;
    const process = this.#world.process as SimulatedProcess;
    if (this.#world.disk.isFull && random.chance(6)) {
      this.#world.disk.isFull = false;
      return 'disk has room';
    }
    const isRight = Math.abs(this.#world.time.wallAheadMs - START_MS) <= CLOCK_AHEAD_MS_MAX;
    if (!isRight && random.chance(5)) {
      this.#world.time.wallAheadMs = START_MS;
      return 'clock set right';
    }
    if (this.#world.step === this.#floodAt) return this.#payments.flood();
    if (process.chain.isDue && random.chance(this.#chainPercent)) return this.#processes.chainStep();
    const kind = random.below(1000);
    if (kind < 30) return this.#access.change();
    if (kind < 60) return this.#webhooks.change();
    if (kind < 85) return this.#webhooks.deliver();
    if (kind < 250) return this.#payments.submitSome();
    if (kind < 330) return this.#payments.submitAgain();
    if (kind < 430) return this.#payments.cancelOne();
    if (kind < 490) return this.#payments.outsider();
    if (kind < 690) {
      const timersMax = random.chance(40) ? 1 + random.below(3) : Infinity;
      await this.#world.time.advance(random.chance(10) ? random.below(20_000) : random.below(900), timersMax);
      return timersMax === Infinity ? 'time passes' : 'some timers';
    }
    if (kind < 850) return this.#processes.chainStep();
    if (kind < 900) return this.#readers.read();
    if (kind < 930) return this.#readers.readLater();
    if (kind < 945) return this.#payments.follow();
    if (kind < 961) return this.#setClock();
    if (kind < 965) {
      this.#world.disk.isFull = true;
      return 'disk full';
    }
    if (kind < 970) return await this.#exchangeLog();
    if (kind < 974) {
      await this.#processes.stop(process);
      return 'stop';
    }
    if (kind < 978) {
      process.kill();
      this.#world.coverage.count('killed');
      return 'kill';
    }
    return this.#processes.chainStep();
  }

  #setClock(): string {
    const { random } = this.#world;
    const byMs = (JUMP_MS_MIN + random.below(JUMP_MS_MAX)) * (random.chance(60) ? 1 : -1);
    if (random.chance(25)) {
      this.#world.time.wallAheadMs += byMs;
      this.#world.coverage.count('clock set');
      return 'clock set';
    }
    this.#world.time.jumps = [];
    for (let left = 1 + random.below(JUMPS_MAX); left > 0; left -= 1) {
      this.#world.time.jumps.push({ left: 1 + random.below(12), byMs: Math.abs(byMs) });
      this.#world.time.jumps.push({ left: 1 + random.below(4), byMs: -Math.abs(byMs) });
    }
    // Mostly it is put right again, so that it is another one between two readings only.
    if (random.chance(20)) this.#world.time.jumps.pop();
    this.#world.coverage.count('clock set between two readings');
    return 'clock set soon';
  }

  /** Somebody puts another log in the place of the one that is in use: the next append is refused, and the process ends. */
  async #exchangeLog(): Promise<string> {
    const { entries } = this.#world.disk;
    if (entries.length < 2 || this.#world.disk.isFull) return 'nothing';
    const process = this.#world.process as SimulatedProcess;
    this.#world.disk.entries = foreign(entries, entries.length - 1);
    this.#world.mayEnd = true;
    const fates = this.#world.faultsOn;
    this.#world.faultsOn = false;
    this.#payments.submit(this.#payments.newPayment(), this.#payments.pickClient(), undefined);
    await settle();
    this.#world.faultsOn = fates;
    if (!process.isRunning) this.#world.coverage.count('ended at a foreign log');
    demand(
      this.#world.disk.entries.length === entries.length,
      () => `entry ${this.#world.disk.head.seq} was appended behind an entry that the process never applied`,
    );
    this.#world.disk.entries = entries;
    this.#world.mayEnd = !process.isRunning;
    return 'log exchanged';
  }

  /** No more faults: everything that was promised has to come to its end. */
  async #end(): Promise<void> {
    this.#world.faultsOn = false;
    this.#world.disk.isFull = false;
    this.#world.time.jumps = [];
    this.#processes.look();
    this.#world.time.wallAheadMs = START_MS;
    if (this.#world.process === undefined) await this.#processes.start();
    // A start takes the clock as it is, so blocks may be of later; then no block is of now before the clock has come to that.
    const aheadMs = Math.max(0, Number(this.#world.model.timeNs / MS) - this.#world.time.wallMs);
    const endMs = this.#world.time.monotonicMs + aheadMs + SETTLED_MS_MAX;
    const isOpen = (): boolean => this.#world.model.pending.length > 0;
    for (let round = 0; isOpen() || (this.#world.process?.chain.isDue ?? false); round += 1) {
      demand(this.#world.time.monotonicMs < endMs, () => {
        const left = this.#world.model.pending.map(({ hash }) => hash);
        return `behind the last fault nothing settles ${text(left)}`;
      });
      await this.#world.time.advance(round < 20 ? 1000 : TTL_MS / 4);
      this.#processes.look();
      demand(this.#world.process !== undefined, () => 'a process ends without a fault');
      for (let step = 0; step < 1000 && this.#world.process.chain.isDue; step += 1) this.#processes.chainStep();
      await settle();
      this.#processes.look();
      // A clock that was set right is one that jumped, for a process that began with it behind: it says that it wants to be started again.
      if (!(await this.#world.process.ledger.engine.status()).clockHeld) continue;
      this.#world.coverage.count('clock held');
      await this.#processes.stop(this.#world.process);
      await this.#processes.start();
    }
    this.#checkEnd();
    await this.#processes.stop(this.#world.process as SimulatedProcess);
    // What a start reads is what was there.
    await this.#processes.start();
    this.#checkEnd();
    this.#world.note(`end ${this.#world.model.lastSeq} ${this.#world.model.height}`);
  }

  #checkEnd(): void {
    const { model } = this.#world;
    for (const reads of (this.#world.process as SimulatedProcess).reads) {
      for (const hash of this.#payments.fresh) {
        const known = model.byHash.get(hash);
        demand(known !== undefined, () => `${hash} was acknowledged and is lost`);
        demand(known.status !== 'pending', () => `${hash} never comes to its end`);
      }
      for (const known of model.transfers) {
        this.#readers.checkTransfer(reads, known);
        this.#world.coverage.count(`ended ${known.status}`);
        if (known.executedAs !== undefined) this.#world.coverage.count('ended under another signature');
        if (known.owner === undefined) this.#world.coverage.count('seen on the chain');
      }
      this.#readers.checkMoney(reads);
    }
    this.#access.checkRows();
    this.#webhooks.checkRows();
  }
}
