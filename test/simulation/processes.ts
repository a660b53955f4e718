/** Processes that come and go: how one starts, with which files, what ends it, and what its death leaves. */
import { EngineStartError } from '../../server/engine/embedded/index.ts';
import { ENTRY_FORMAT, entryHash, type LogEntry } from '../../server/log/log.ts';
import { UPTIME } from '../../server/store/embedded/chain-log.ts';
import { StoreDamagedError, StoreOutcomeUnknownError, StoreUnavailableError } from '../../server/store/errors.ts';
import { Killed } from './disk.ts';
import type { DiskFates } from './disk-fates.ts';
import { demand, Violation } from './plain-model.ts';
import { SimulatedProcess } from './process.ts';
import { settle } from './time.ts';
import { genesis, validatorKey, type World } from './world.ts';

/** An orderly end waits for nothing that takes time. */
const STOP_TURNS_MAX = 20;

export class Processes {
  readonly #world: World;
  readonly #fates: DiskFates;
  readonly #onStart: () => void;
  /** chain.db as the last death left it. */
  #chainFile: Buffer;
  deaths = 0;

  /** `onStart` looks at each process that has started. */
  constructor(world: World, fates: DiskFates, onStart: () => void) {
    this.#world = world;
    this.#fates = fates;
    this.#onStart = onStart;
    this.#chainFile = world.disk.afterDeath('kill', undefined);
  }

  /** After a step: what died is buried, and what nobody caught is thrown. */
  look(): void {
    if (this.#world.violation !== undefined) throw this.#world.violation;
    const process = this.#world.process;
    if (process === undefined || process.isRunning) return;
    const { fatal } = process;
    if (fatal !== undefined && !isDeath(fatal)) {
      // A full disk holds, and ends nothing.
      demand(
        fatal instanceof StoreOutcomeUnknownError && this.#world.mayEnd,
        () => `the process ended itself: ${fatal.stack}`,
      );
    }
    this.bury();
  }

  bury(kind: 'kill' | 'power' = this.#world.random.chance(50) ? 'kill' : 'power'): void {
    const process = this.#world.process;
    if (process === undefined) return;
    this.#world.process = undefined;
    this.#world.heldBlock = undefined;
    this.deaths += 1;
    this.#afterDeath(process.bury(), kind);
  }

  #afterDeath(image: { bytes: Buffer; seq: number }, kind: 'kill' | 'power'): void {
    this.#world.coverage.count(kind === 'kill' ? 'left by a kill' : 'left by a power cut');
    this.#chainFile = this.#world.disk.afterDeath(kind, image);
    if (this.#chainFile !== image.bytes && kind === 'power') this.#world.coverage.count('chain.db went back');
    this.#fates.forgetVote();
    this.#world.mayEnd = false;
    // What was not synced and is there all the same was never shown; from now on it counts.
    for (const entry of this.#world.disk.entries) {
      if (entry.seq <= this.#world.model.lastSeq) continue;
      this.#world.coverage.count('un-synced entry survived');
      this.#world.model.apply(entry);
    }
  }

  async whileDown(): Promise<string> {
    const { random } = this.#world;
    if (random.chance(20)) {
      await this.#world.time.advance(random.below(5000));
      return 'time passes';
    }
    if (this.#world.disk.isFull && random.chance(40)) {
      this.#world.disk.isFull = false;
      return 'disk has room';
    }
    if (this.#world.disk.isFull || !this.#world.faultsOn) {
      await this.start();
      return 'start';
    }
    if (random.chance(6)) return await this.#startWithForeignLog();
    if (random.chance(8)) return await this.#startWithOlderChain();
    await this.start();
    return 'start';
  }

  /** Dies on the way or is there; anything else is a fault. */
  async start(): Promise<void> {
    const refused = await this.#tryStart(this.#chainFile);
    if (refused instanceof StoreUnavailableError && this.#world.disk.isFull)
      return this.#world.coverage.count('start refused by a full disk');
    if (refused !== undefined) throw new Violation(`a start was refused: ${refused.stack}`);
  }

  /** @returns what the product says where it does not start. */
  async #tryStart(chainFile: Buffer): Promise<Error | undefined> {
    const found: { image?: { bytes: Buffer; seq: number } } = {};
    try {
      this.#world.process = await SimulatedProcess.open(
        {
          genesis,
          validatorKey,
          time: this.#world.time,
          disk: this.#world.disk,
          chainFile,
          events: this.#fates.events,
          bytes: (n) => Uint8Array.from({ length: n }, () => this.#world.random.below(256)),
        },
        (image) => (found.image = image),
      );
    } catch (error) {
      if (!isDeath(error as Error)) {
        if (this.#world.disk.isFull && found.image !== undefined)
          this.#chainFile = this.#world.disk.afterDeath('kill', found.image);
        return error as Error;
      }
      this.#world.coverage.count('start died');
      this.deaths += 1;
      if (found.image !== undefined) this.#afterDeath(found.image, this.#world.random.chance(50) ? 'kill' : 'power');
      return undefined;
    }
    this.#onStart();
    return undefined;
  }

  /** The log of another history, with as many entries: seen by the hash of the entry that chain.db names. */
  async #startWithForeignLog(): Promise<string> {
    const { entries } = this.#world.disk;
    const held = this.#heldSeq();
    const at = entries.findIndex(({ seq }) => seq === held);
    if (at < 1) {
      await this.start();
      return 'start';
    }
    this.#world.disk.entries = foreign(entries, at);
    const refused = await this.#tryStart(this.#chainFile);
    const isRefused = refused instanceof StoreDamagedError || refused instanceof EngineStartError;
    demand(isRefused, () => `a log of another history was taken: ${refused?.stack ?? 'no error'}`);
    this.#world.disk.entries = entries;
    this.#world.coverage.count('refused a foreign log');
    return 'start with a foreign log';
  }

  #heldSeq(): number {
    return this.#world.disk.seqOf(this.#chainFile);
  }

  async #startWithOlderChain(): Promise<string> {
    const older = this.#world.disk.olderCopy();
    if (older === undefined) {
      await this.start();
      return 'start';
    }
    const isWhole =
      older.seq > 0 && (older.seq + 1 >= this.#world.disk.baseSeq || older.seq >= this.#world.disk.head.seq);
    const takeBack = this.#world.disk.putBack(older);
    const refused = await this.#tryStart(older.bytes);
    if (refused !== undefined) takeBack();
    if (isWhole) {
      demand(refused === undefined, () => `a chain.db whose entries are all there was refused: ${refused?.stack}`);
      this.#world.coverage.count('start with an older chain.db');
      return 'start with an older chain.db';
    }
    if (refused === undefined) return 'start with an older chain.db';
    const isRightly = refused instanceof StoreDamagedError || refused instanceof EngineStartError;
    demand(isRightly, () => `an older chain.db was refused: ${refused.stack}`);
    this.#world.coverage.count('refused an older chain.db');
    return 'start with an older chain.db';
  }

  async stop(process: SimulatedProcess): Promise<void> {
    const stopping = { isDone: false };
    process.stop().then(
      () => void (stopping.isDone = true),
      (error: unknown) => {
        if (!isDeath(error as Error) && !(error instanceof StoreUnavailableError))
          this.#world.violation ??= error as Error;
      },
    );
    for (let turn = 0; turn < STOP_TURNS_MAX && !stopping.isDone && process.isRunning; turn += 1) await settle();
    if (stopping.isDone) this.#world.coverage.count('stopped');
    this.look();
    if (this.#world.process !== undefined) this.bury('kill');
  }

  chainStep(): string {
    const process = this.#world.process as SimulatedProcess;
    if (!process.chain.isDue) return 'chain idle';
    const base = this.#world.disk.baseSeq;
    const { height } = process.commits;
    try {
      const did = process.chain.step(this.#world.random.chance(50));
      if (process.commits.height > height + 1) this.#world.coverage.count('blocks committed together');
      if (this.#world.disk.baseSeq > base) this.#world.coverage.count('entries dropped');
      return `chain ${did}`;
    } catch (error) {
      if (!isDeath(error as Error)) throw new Violation(`chain.db cannot be written: ${(error as Error).stack}`);
      return 'chain dies';
    }
  }
}

/** The same log up to a place, and from there another one, whose hashes are right. */
export function foreign(entries: readonly LogEntry[], at: number): LogEntry[] {
  const made = [...entries];
  for (let index = at; index < made.length; index += 1) {
    const { seq, bytes } = made[index] as LogEntry;
    const other = index === at ? Buffer.concat([Buffer.of(ENTRY_FORMAT, UPTIME), Buffer.from('1')]) : bytes;
    const before = index === at ? (entries[index - 1] as LogEntry).hash : (made[index - 1] as LogEntry).hash;
    made[index] = { seq, bytes: other, hash: entryHash(before, seq, other) };
  }
  return made;
}

/** Of a process that was killed, whatever its parts made of it. */
export function isDeath(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Killed) return true;
  return false;
}
