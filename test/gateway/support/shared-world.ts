/**
 * Several gateways on one database. They die, are paused past the end of their lease, lose the database, the engine and
 * each other's announcements, and commits end without an answer. In some lives the lease itself lies: everybody is
 * told to have it, and everything that is promised holds all the same.
 */
import { expect } from '@jest/globals';
import type { Gateway } from '../../../server/gateway/index.ts';
import { CANCELS_POLL_EVERY, CHANGES_POLL_MS, LEASE_RENEW_MS, LEASE_TTL_MS } from '../../../server/gateway/index.ts';
import type { Store } from '../../../server/store/index.ts';
import type { Member } from './gateways.ts';
import { Gateways } from './gateways.ts';
import { doom, isDoomed } from './lone-world.ts';
import type { ManualClock } from './manual-clock.ts';
import { settled } from './manual-clock.ts';
import type { Random } from './random.ts';
import type { BlockOptions, TestEngine } from './test-engine.ts';
import { excuseDeath } from './world.ts';
import type { World, WorldOptions } from './world.ts';

/** After this time one of them is active and knows all that was announced in vain. */
const HEALING_MS = LEASE_TTL_MS + LEASE_RENEW_MS + CHANGES_POLL_MS * (CANCELS_POLL_EVERY + 1);
const LATE_MS_MAX = 3000;
/** Steps of the simulation that a pause lasts. */
const PAUSE_STEPS_MAX = 6;

export class SharedWorld implements World {
  readonly #random: Random;
  readonly #gateways: Gateways;
  readonly #pauses = new Map<Member, number>();
  readonly excuses = ['store_unavailable'];
  crashes = 0;

  private constructor(random: Random, gateways: Gateways) {
    this.#random = random;
    this.#gateways = gateways;
    gateways.database.delivery = () => {
      if (random.chance(60)) return 'now';
      return random.chance(50) ? 'lost' : random.below(LATE_MS_MAX);
    };
    gateways.database.isFree = () => random.chance(80);
  }

  static async open(random: Random, options: WorldOptions): Promise<SharedWorld> {
    return new SharedWorld(
      random,
      await Gateways.open({ ...options, count: 2 + random.below(2), leasesLie: random.chance(25) }),
    );
  }

  get engine(): TestEngine {
    return this.#gateways.engine;
  }

  get clock(): ManualClock {
    return this.#gateways.clock;
  }

  get store(): Store {
    return this.#gateways.store;
  }

  get gateways(): Gateway[] {
    return this.#members.map(({ gateway }) => gateway);
  }

  get holdsCalls(): boolean {
    return this.#members.some(({ freezer }) => freezer.frozen);
  }

  get #members(): readonly Member[] {
    return this.#gateways.members;
  }

  reach(): ReturnType<World['reach']> {
    const { gateway, faults } =
      this.#random.pick(this.#members.filter(({ freezer }) => !freezer.frozen)) ?? this.#members[0]!;
    return { gateway, isDead: () => faults.dead };
  }

  disturb(): void {
    const random = this.#random;
    const member = random.pick(this.#members)!;
    this.#gateways.database.away = random.chance(4);
    for (const { engine } of this.#members) engine.reachable = !random.chance(4);
    if (random.chance(8)) doom(member.faults, random);
    if (random.chance(8)) member.shared.unknown = random.chance(50) ? 'made' : 'undone';
    if (random.chance(8) && this.#members.filter(({ freezer }) => !freezer.frozen).length > 1) {
      member.freezer.freeze();
      this.#pauses.set(member, 1 + random.below(PAUSE_STEPS_MAX));
    }
  }

  async recover(): Promise<void> {
    for (const [member, steps] of this.#pauses) {
      if (steps > 1) this.#pauses.set(member, steps - 1);
      else this.#thaw(member);
    }
    await settled();
    for (const member of [...this.#members])
      if (member.faults.dead || this.#random.chance(1)) await this.#restart(member);
  }

  async heal(): Promise<void> {
    this.#gateways.database.away = false;
    for (const member of this.#members) this.#thaw(member);
    await settled();
    for (const member of [...this.#members]) if (isDoomed(member.faults)) await this.#restart(member);
    for (const { engine, shared } of this.#members) {
      engine.reachable = true;
      shared.unknown = undefined;
    }
    await this.clock.advance(HEALING_MS);
    if (!this.#gateways.database.leasesLie) expect(await this.#gateways.active()).toHaveLength(1);
    expect(this.#members.flatMap(({ fatal }) => fatal)).toEqual([]);
  }

  excuse(error: unknown): void {
    excuseDeath(error);
  }

  block(options?: BlockOptions): Promise<void> {
    return this.#gateways.block(options);
  }

  dispose(): Promise<void> {
    return this.#gateways.dispose();
  }

  #thaw(member: Member): void {
    this.#pauses.delete(member);
    member.freezer.thaw();
  }

  async #restart(member: Member): Promise<void> {
    this.crashes += 1;
    this.#pauses.delete(member);
    // Its successor needs the database to start.
    this.#gateways.database.away = false;
    await this.#gateways.restart(member);
  }
}
