/**
 * Settled transfers read from a real standby whose replay is paused and resumed while blocks settle, that dies, hangs or is promoted: a gateway that
 * reads from it answers what one that reads from the primary alone answers.
 */
import { describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClock } from '../../server/app/environment.ts';
import type { Logger } from '../../server/engine/ports.ts';
import { createGatewayCore, createGatewayFront, type Gateway } from '../../server/gateway/index.ts';
import { type Store, openPostgresStore } from '../../server/store/index.ts';
import { type Moment, strangerTo } from '../../server/store/postgres/replica.ts';
import { mergePages } from '../../server/store/transfer-questions.ts';
import { readLog } from '../gateway/support/event-log.ts';
import { ALICE, inputOf } from '../gateway/support/fixture.ts';
import { Random } from '../gateway/support/random.ts';
import { TestEngine } from '../gateway/support/test-engine.ts';
import { devAddress, operatorSeed, signedTransfer, testGenesis } from '../ledger/support.ts';
import { CLUSTER_TIMEOUT_MS, PostgresCluster } from '../support/postgres.ts';
import { onPostgres } from './support/stores.ts';

const LOOK_MS = 20;
const NOTICED_MS_MAX = 20_000;
/** Connecting, setting up and one answer, each with its own limit. */
const HANGING_COSTS_MS_MAX = 15_000;
const STEPS = 60;
const SENDERS = 4;
const SEED = 20_261_123;

const MOMENT: Moment = { standby: true, systemId: '7', timeline: 3, height: 10 };
const PRIMARY: Moment = { ...MOMENT, standby: false };

describe('a server is a replica of the primary', () => {
  test.each([
    ['at another height', { height: 2 }, undefined],
    ['that was promoted', { standby: false, timeline: 4 }, /no standby/],
    ['of another cluster', { systemId: '8' }, /another cluster: its system identifier is 8, expected 7/],
    ['on the timeline before a promotion', { timeline: 2 }, /timeline 2, the primary on 3/],
    ['on a later timeline', { timeline: 4 }, /timeline 4, the primary on 3/],
  ])('%s', (_, changes, why) => {
    const stranger = strangerTo(PRIMARY, { ...MOMENT, ...changes });
    if (why === undefined) expect(stranger).toBeUndefined();
    else expect(stranger).toMatch(why);
  });
});

describe('a page of pending and settled rows', () => {
  const page = (seqs: readonly number[], nextBefore?: number) =>
    ({ transfers: seqs.map((seq) => ({ seq })), ...(nextBefore === undefined ? {} : { nextBefore }) }) as Awaited<
      ReturnType<NonNullable<Store['transfers']>['listTransfers']>
    >;
  test.each([
    ['takes the newest of both', page([9, 7]), page([8, 6]), 3, page([9, 8, 7], 7)],
    ['is the last one when both are at their end', page([9]), page([8]), 2, page([9, 8])],
    ['ends where one of them was not looked at further', page([9, 2]), page([8, 6], 6), 5, page([9, 8, 6], 6)],
    ['may be empty before the end', page([]), page([], 40), 2, page([], 40)],
    ['of nothing', page([]), page([]), 2, page([])],
  ])('%s', (_, pending, settled, limit, merged) => expect(mergePages(pending, settled, limit)).toEqual(merged));
});

interface Member {
  store: Store;
  gateway: Gateway;
  close(): Promise<void>;
}

onPostgres('a gateway that reads settled transfers from a standby', (cluster) => {
  const logged: string[] = [];
  const log = (fields: object, message: string): void =>
    void logged.push(`${message}: ${String((fields as { why?: string }).why)}`);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };

  async function until(what: string, holds: () => unknown): Promise<void> {
    for (const endMs = Date.now() + NOTICED_MS_MAX; !(await holds()); await sleep(LOOK_MS))
      if (Date.now() > endMs) throw new Error(`it did not happen: ${what}; ${logged.join('; ')}`);
  }

  class World {
    readonly clock = createClock();
    readonly engine = new TestEngine(testGenesis(), this.clock);
    readonly nonces = Array.from({ length: SENDERS }, () => 0);
    readonly hashes: string[] = [];
    /** Who reads from the standby, and who from the primary alone. */
    near!: Member;
    plain!: Member;
    standby!: PostgresCluster;
    database = '';

    static async open(): Promise<World> {
      const world = new World();
      logged.length = 0;
      const url = await cluster().database();
      world.standby = await PostgresCluster.copyOf(cluster(), [], { standby: true });
      world.database = new URL(url).pathname.slice(1);
      const readUrl = world.standby.url(world.database);
      world.near = await world.#member('near', { url, readUrl });
      world.plain = await world.#member('plain', { url });
      await world.used();
      return world;
    }

    async #member(gatewayId: string, options: { url: string; readUrl?: string }): Promise<Member> {
      const store = await openPostgresStore({ ...options, logger });
      const core = await createGatewayCore({
        ...{
          store,
          engine: this.engine,
          genesis: this.engine.genesis,
          operatorSeed: operatorSeed(0),
          clock: this.clock,
          gatewayId,
        },
        logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
        onFatal: (error) => {
          throw error;
        },
      });
      const close = async (): Promise<void> => {
        await core.close();
        await store.close();
      };
      return { store, gateway: createGatewayFront(core, { chain: this.engine.genesis, clock: this.clock }), close };
    }

    async close(): Promise<void> {
      this.standby.signal('SIGCONT');
      for (const member of [this.near, this.plain]) await member.close();
      // Wakes what still waits for a block.
      this.engine.block();
      await this.standby.stop();
    }

    get reads() {
      return this.near.store.replicas?.()?.reads ?? { primary: 0, replica: 0 };
    }

    isUsed = (): boolean => this.near.store.replicas?.()?.replicas[0]?.isUsed === true;
    used = (): Promise<void> => until('the standby is used', this.isUsed);
    unused = (): Promise<void> => until('the standby is not used', () => !this.isUsed());
    replay = async (what: 'pause' | 'resume'): Promise<void> =>
      void (await this.standby.query(`select pg_wal_replay_${what}()`));

    /** The standby has what the primary has now. */
    async caughtUp(): Promise<void> {
      const [row] = await cluster().query('select pg_current_wal_lsn()::text as lsn');
      await until(
        'the standby has caught up',
        async () =>
          (await this.standby.query(`select pg_last_wal_replay_lsn() >= '${row.lsn}'::pg_lsn as there`))[0].there,
      );
    }

    async submit(from: number): Promise<string> {
      const nonce = this.nonces[from] as number;
      const transfer = signedTransfer({ from, to: (from + 1 + (nonce % 2)) % SENDERS, nonce });
      const answer = await this.near.gateway.submit(inputOf(transfer), ALICE);
      if (!answer.ok) throw new Error(answer.detail);
      this.nonces[from] = nonce + 1;
      this.hashes.push(transfer.hash);
      return transfer.hash;
    }

    /** Resolves when both gateways have told of it. */
    async block(): Promise<void> {
      this.engine.block();
      for (const { gateway } of [this.near, this.plain])
        await gateway.waitForHeight(this.engine.height, NOTICED_MS_MAX);
    }

    /** So many transfers that a block has decided. */
    async settle(count: number): Promise<void> {
      for (let i = 0; i < count; i++) await this.submit(i % SENDERS);
      const last = this.hashes.at(-1) as string;
      await until('they are settled', async () => {
        await this.block();
        return (await statusOf(this.plain, last)) !== 'pending';
      });
    }
  }

  async function statusOf({ gateway }: Member, hash: string): Promise<string | undefined> {
    const found = await gateway.get(hash);
    return found === undefined ? undefined : 'ok' in found ? found.code : found.status;
  }

  const FILTERS = [
    {},
    { status: 'pending' },
    { status: 'committed' },
    { status: 'cancelled' },
    { account: devAddress(0) },
    { from: devAddress(1) },
    { to: devAddress(2) },
    { from: devAddress(0), to: devAddress(1) },
    { from: devAddress(0), nonce: 1 },
    { account: devAddress(1), status: 'committed' },
  ] as const;
  const LIMIT = 3;

  /** Every page, as the gateway answers it. */
  async function listed(
    { gateway }: Member,
    filter: (typeof FILTERS)[number] = {},
    limit = LIMIT,
  ): Promise<{ txHash: string; status: string }[]> {
    const all: { txHash: string; status: string }[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await gateway.list({ limit, ...filter, ...(cursor === undefined ? {} : { cursor }) });
      if (!page.ok) throw new Error(page.detail);
      all.push(...page.transactions);
      if (page.nextCursor === undefined) return all;
      cursor = page.nextCursor;
    }
  }

  async function compare({ near, plain, hashes }: World): Promise<void> {
    for (const filter of FILTERS)
      expect([filter, await listed(near, filter)]).toEqual([filter, await listed(plain, filter)]);
    for (const hash of hashes.slice(-20))
      expect([hash, await statusOf(near, hash)]).toEqual([hash, await statusOf(plain, hash)]);
    expect(await readLog(near.gateway, { order: 'asc' }, () => 100)).toEqual(
      await readLog(plain.gateway, { order: 'asc' }, () => 100),
    );
  }

  async function withWorld(work: (world: World) => Promise<void>): Promise<void> {
    const world = await World.open();
    try {
      await work(world);
    } finally {
      await world.close();
    }
  }

  test(
    'answers as the primary does at each step, with replay paused and resumed',
    () =>
      withWorld(async (world) => {
        const random = new Random(SEED);
        const over = { is: false };
        const shown = new Map<string, string>();
        // Beside every step: what was acknowledged or shown settled before a read is in it, once, and stays settled.
        const reader = (async () => {
          while (!over.is) {
            const [known, before] = [world.hashes.slice(-50), new Map(shown)];
            const found = await listed(world.near, {}, 100);
            const statuses = new Map(found.map(({ txHash, status }) => [txHash, status]));
            expect(found).toHaveLength(statuses.size);
            for (const hash of known) expect([...statuses.keys()]).toContain(hash);
            for (const [hash, status] of before) expect([hash, statuses.get(hash)]).toEqual([hash, status]);
            for (const [hash, status] of statuses) if (status !== 'pending') shown.set(hash, status);
          }
        })();
        reader.catch(() => undefined);
        try {
          for (let step = 0; step < STEPS; step++) {
            const action = random.below(10);
            if (action < 4) await world.submit(random.below(SENDERS));
            else if (action < 6) await world.block();
            else if (action < 7)
              await world.near.gateway.cancel(
                world.hashes[random.below(world.hashes.length)] ?? '0'.repeat(64),
                ALICE,
                0,
              );
            else if (action < 8) await world.replay('pause');
            else if (action < 9) await world.replay('resume');
            else await compare(world);
          }
          await world.replay('resume');
          await world.block();
          await world.caughtUp();
          await world.used();
          await compare(world);
        } finally {
          over.is = true;
          await reader;
        }
        expect(shown.size).toBeGreaterThan(0);
        expect(world.reads.primary).toBeGreaterThan(0);
        expect(world.reads.replica).toBeGreaterThan(0);
      }),
    CLUSTER_TIMEOUT_MS,
  );

  test(
    'leaves the primary for what is settled, and misses nothing while the standby stands still',
    () =>
      withWorld(async (world) => {
        await world.settle(8);
        await world.caughtUp();
        const before = world.reads;
        await until(
          'a read is answered by the standby',
          async () => (await listed(world.near)) && world.reads.replica > before.replica,
        );
        await world.replay('pause');
        await world.settle(8);
        expect(await listed(world.near)).toHaveLength(16);
        await compare(world);
        await until('its lag shows', () => (world.near.store.replicas?.()?.replicas[0]?.lag ?? 0) > 0);
        await world.replay('resume');
        await world.caughtUp();
        const paused = world.reads.replica;
        await until('it is read again', async () => (await listed(world.near)) && world.reads.replica > paused);
      }),
    CLUSTER_TIMEOUT_MS,
  );

  test(
    'shows no block that the primary does not show yet',
    () =>
      withWorld(async (world) => {
        await world.settle(4);
        await cluster().query("alter system set synchronous_standby_names = 'nobody'");
        try {
          const hash = await world.submit(0);
          await until('the submission is broadcast', () => world.engine.heard.includes(hash));
          await cluster().query('select pg_reload_conf()');
          await until(
            'commits wait',
            async () =>
              (await cluster().query("select setting from pg_settings where name = 'synchronous_standby_names'"))[0]
                .setting === 'nobody',
          );
          world.engine.block();
          const { height } = world.engine;
          await until(
            'the standby is ahead',
            async () => (await world.standby.query('select height from follower', world.database))[0].height >= height,
          );
          // Long enough that it would be asked again.
          for (let i = 0; i < 20; i++) {
            expect(await statusOf(world.plain, hash)).toBe('pending');
            expect(await listed(world.near, { status: 'committed' })).toEqual(
              await listed(world.plain, { status: 'committed' }),
            );
            expect(await listed(world.near)).toEqual(await listed(world.plain));
            await sleep(LOOK_MS);
          }
        } finally {
          await cluster().query('alter system reset synchronous_standby_names');
          await cluster().query('select pg_reload_conf()');
        }
        await world.block();
        await compare(world);
      }),
    CLUSTER_TIMEOUT_MS,
  );

  test(
    'answers from the primary, within a bound, when the standby hangs or dies, and says so once',
    () =>
      withWorld(async (world) => {
        await world.settle(6);
        await world.caughtUp();
        world.standby.signal('SIGSTOP');
        const startedMs = performance.now();
        expect(await listed(world.near, {}, 100)).toHaveLength(6);
        expect(performance.now() - startedMs).toBeLessThan(HANGING_COSTS_MS_MAX);
        await world.unused();
        await compare(world);
        world.standby.signal('SIGCONT');
        await world.used();
        await world.standby.kill9();
        expect(await listed(world.near, {}, 100)).toHaveLength(6);
        await world.unused();
        await world.settle(2);
        await compare(world);
        await world.standby.restart();
        await world.caughtUp();
        await world.used();
        await compare(world);
        expect(logged.filter((line) => line.startsWith('a replica is not used')).length).toBeLessThanOrEqual(3);
        expect(logged.filter((line) => line.startsWith('a replica is used again')).length).toBeGreaterThanOrEqual(2);
      }),
    CLUSTER_TIMEOUT_MS,
  );

  test(
    'never reads from a standby that was promoted, nor from a server of its own, and takes another one without a restart',
    () =>
      withWorld(async (world) => {
        await world.settle(4);
        await world.caughtUp();
        await world.standby.promote();
        await world.unused();
        expect(logged.some((line) => /a replica is not used.*no standby/.test(line))).toBe(true);
        const before = world.reads.replica;
        await world.settle(4);
        await compare(world);
        expect(world.reads.replica).toBe(before);
        const another = await PostgresCluster.start();
        try {
          await world.near.store.useReplicas?.(await another.database());
          await until('the server of its own is looked at', () =>
            logged.some((line) => /a replica is not used.*(no standby|follower)/.test(line)),
          );
          await compare(world);
          await world.near.store.useReplicas?.(undefined);
          expect(world.near.store.replicas?.()).toBeUndefined();
          await compare(world);
        } finally {
          await world.near.store.useReplicas?.(undefined);
          await another.stop();
        }
      }),
    CLUSTER_TIMEOUT_MS,
  );
});
