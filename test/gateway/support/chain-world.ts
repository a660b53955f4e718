/**
 * One gateway on the embedded engine's core, engine and core on one chain.db. It dies at any moment, also within the transaction of a
 * block, and goes on from what is in the files: state, journal and rows; the mempool is lost. Sometimes the disk is full.
 */
import Database from 'better-sqlite3';
import type { Gateway } from '../../../server/gateway/index.ts';
import { StoreOutcomeUnknownError, StoreUnavailableError } from '../../../server/store/index.ts';
import type { FaultyDatabase } from './faulty-database.ts';
import { Fixture } from './fixture.ts';
import { settled } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';
import type { Random } from './random.ts';
import type { BlockOptions, TestEngine } from './test-engine.ts';
import { excuseDeath } from './world.ts';
import type { World, WorldOptions } from './world.ts';

/** Statements of a transaction: few in most, many where a block writes what a flood brought. */
const STEPS_OF_MOST = 8;
const STEPS_OF_FLOODS = 150;
/** Small enough for a flood to meet it. */
const PENDING_PER_OWNER_MAX = 25;

export class ChainWorld implements World {
  readonly #random: Random;
  #fixture!: Fixture;
  #isFull = false;
  readonly store = undefined;
  readonly pendingPerOwnerMax = PENDING_PER_OWNER_MAX;
  readonly holdsCalls = false;
  crashes = 0;

  private constructor(random: Random) {
    this.#random = random;
  }

  static async open(random: Random, options: WorldOptions): Promise<ChainWorld> {
    const world = new ChainWorld(random);
    world.#fixture = await Fixture.open({
      ...options,
      limits: { ...options.limits, pendingPerOwnerMax: PENDING_PER_OWNER_MAX },
      core: 'embedded',
      faulty: true,
    });
    return world;
  }

  get engine(): TestEngine {
    return this.#fixture.engine;
  }

  get clock(): ManualClock {
    return this.#fixture.clock;
  }

  get gateways(): Gateway[] {
    return [this.#fixture.gateway];
  }

  get excuses(): string[] {
    return ['too_many_pending', ...(this.#isFull ? ['store_unavailable'] : [])];
  }

  get #faults(): FaultyDatabase {
    return this.#fixture.faults as FaultyDatabase;
  }

  reach(): ReturnType<World['reach']> {
    const faults = this.#faults;
    return { gateway: this.#fixture.gateway, isDead: () => this.#isDead(faults) };
  }

  disturb(): void {
    if (this.#random.chance(8)) this.#doom(this.#faults);
    else if (this.#random.chance(4)) this.#fill(this.#faults);
  }

  async recover(): Promise<void> {
    if (this.#isDead() || this.#random.chance(2)) return await this.#reopen();
    if (this.#random.chance(1)) return await this.#fixture.restart();
    this.#isFull = false;
    this.#faults.beforeCommit = undefined;
  }

  async heal(): Promise<void> {
    const { callsLeft, dieAfterCommit, beforeCommit } = this.#faults;
    // Readiness remembers for some seconds that a group could not be stored.
    if (
      this.#isDead() ||
      this.#isFull ||
      callsLeft < Number.POSITIVE_INFINITY ||
      dieAfterCommit ||
      beforeCommit !== undefined
    )
      await this.#reopen();
    await this.clock.advance(5000);
  }

  excuse(error: unknown): void {
    if (!this.#isDead()) throw error;
    excuseEnd(error);
  }

  /** An engine whose block cannot be written ends its process. */
  async block(options?: BlockOptions): Promise<void> {
    if (this.#isDead()) return;
    try {
      await this.#fixture.block(options);
    } catch (error) {
      excuseEnd(error);
      this.#faults.dead = true;
    }
  }

  dispose(): Promise<void> {
    this.#faults.dead = true;
    return this.#fixture.dispose();
  }

  #isDead(faults = this.#faults): boolean {
    return faults.dead || faults !== this.#faults || this.#fixture.fatal.length > 0;
  }

  /** It will die between two statements of a transaction, between a commit and its answer, or because it cannot know whether a commit was made. */
  #doom(faults: FaultyDatabase): void {
    const random = this.#random;
    const kind = random.below(100);
    if (kind < 30) faults.dieAfterCommit = true;
    else if (kind < 80) faults.callsLeft = random.below(random.chance(50) ? STEPS_OF_MOST : STEPS_OF_FLOODS);
    else {
      const kept = kind < 90;
      let commits = random.below(3);
      faults.beforeCommit = () => {
        if (commits-- > 0) return;
        if (kept)
          throw new StoreOutcomeUnknownError('the disk did not answer', { cause: undefined, rereadable: false });
        throw new Database.SqliteError('the disk did not answer', 'SQLITE_IOERR_WRITE');
      };
    }
  }

  #fill(faults: FaultyDatabase): void {
    this.#isFull = true;
    faults.beforeCommit = () => {
      throw new StoreUnavailableError('the disk is full');
    };
  }

  async #reopen(): Promise<void> {
    this.crashes += 1;
    this.#faults.dead = true;
    await this.#fixture.core.close();
    await this.#fixture.bury();
    this.#fixture.fatal.length = 0;
    this.#isFull = false;
    await this.#fixture.start();
    await settled();
  }
}

/** A process ends when it was killed, and itself when a block cannot be written or it is not known whether a commit was made. */
function excuseEnd(error: unknown): void {
  if (!(error instanceof StoreUnavailableError) && !(error instanceof StoreOutcomeUnknownError)) excuseDeath(error);
}
