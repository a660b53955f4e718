/** One gateway with a store for itself. It dies at any moment and starts again. */
import type { Gateway } from '../../../server/gateway/index.ts';
import type { Store } from '../../../server/store/index.ts';
import type { FaultyStore } from './faulty-store.ts';
import { Fixture } from './fixture.ts';
import { settled } from './manual-clock.ts';
import type { ManualClock } from './manual-clock.ts';
import type { Random } from './random.ts';
import type { BlockOptions, TestEngine } from './test-engine.ts';
import { excuseDeath } from './world.ts';
import type { World, WorldOptions } from './world.ts';

export class LoneWorld implements World {
  readonly #random: Random;
  #fixture!: Fixture;
  readonly excuses = [];
  readonly holdsCalls = false;
  crashes = 0;

  private constructor(random: Random) {
    this.#random = random;
  }

  static async open(random: Random, options: WorldOptions): Promise<LoneWorld> {
    const world = new LoneWorld(random);
    world.#fixture = await Fixture.open({ ...options, core: 'follows', faulty: true });
    return world;
  }

  get engine(): TestEngine {
    return this.#fixture.engine;
  }

  get clock(): ManualClock {
    return this.#fixture.clock;
  }

  get store(): Store {
    return this.#fixture.store;
  }

  get gateways(): Gateway[] {
    return [this.#fixture.gateway];
  }

  get #faults(): FaultyStore {
    return this.#fixture.faultyStore;
  }

  reach(): ReturnType<World['reach']> {
    const faults = this.#faults;
    return { gateway: this.#fixture.gateway, isDead: () => faults.dead };
  }

  disturb(): void {
    if (this.#random.chance(6)) doom(this.#faults, this.#random);
  }

  async recover(): Promise<void> {
    if (this.#faults.dead || this.#random.chance(2)) await this.#reopen();
  }

  async heal(): Promise<void> {
    if (isDoomed(this.#faults)) await this.#reopen();
  }

  excuse(error: unknown): void {
    if (!this.#faults.dead) throw error;
    excuseDeath(error);
  }

  block(options?: BlockOptions): Promise<void> {
    return this.#fixture.block(options);
  }

  dispose(): Promise<void> {
    return this.#fixture.dispose();
  }

  async #reopen(): Promise<void> {
    this.crashes += 1;
    this.#faults.dead = true;
    await this.#fixture.core.close();
    await this.#fixture.bury();
    await this.#fixture.start();
    await settled();
  }
}

/** It will die between two calls of a transaction, or between a commit and its answer. */
export function doom(faults: FaultyStore, random: Random): void {
  if (random.chance(30)) faults.dieAfterCommit = true;
  else faults.callsLeft = random.below(25);
}

export const isDoomed = (faults: FaultyStore): boolean =>
  faults.dead || faults.callsLeft < Number.POSITIVE_INFINITY || faults.dieAfterCommit;
