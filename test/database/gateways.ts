/** Gateways over one chain in this process, each on the real PostgreSQL servers of DATABASE_URL, and the supervisor that starts one again when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClock } from '../../server/app/environment.ts';
import type { Clock, Logger } from '../../server/engine/ports.ts';
import { createGatewayCore, type FollowingCore } from '../../server/gateway/core.ts';
import type { Gateway } from '../../server/gateway/index.ts';
import { createGatewayFront } from '../../server/gateway/index.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { TestEngine } from '../gateway/support/test-engine.ts';
import { operatorSeed, testGenesis } from '../ledger/support.ts';

const BLOCK_EVERY_MS = 150;
/** As `RestartSec` of the unit. */
const RESTART_MS = 200;

/** A chain that goes on whatever becomes of the database. */
export class Chain {
  readonly clock: Clock = createClock();
  readonly engine = new TestEngine(testGenesis(), this.clock);
  readonly #timer = setInterval(() => void this.engine.block(), BLOCK_EVERY_MS);

  stop(): void {
    clearInterval(this.#timer);
  }
}

export class SupervisedGateway {
  readonly #chain: Chain;
  #url: string;
  readonly #name: string;
  readonly logged: { level: string; fields: object; message: string }[] = [];
  /** Why it ended, each time. */
  readonly ends: string[] = [];
  #running: { store: Store; core: FollowingCore; gateway: Gateway } | undefined;
  #stopped = false;
  #supervisor: Promise<void> = Promise.resolve();

  constructor(name: string, url: string, chain: Chain) {
    this.#name = name;
    this.#url = url;
    this.#chain = chain;
    this.#supervisor = this.#supervise();
  }

  /** Undefined while the process is not there. */
  get gateway(): Gateway | undefined {
    return this.#running?.gateway;
  }

  /** Another address of the database, as SIGHUP asks for it. Rejects, and stays where it is, when that cannot be. */
  async relocate(url: string): Promise<void> {
    const running = this.#running;
    if (running === undefined) throw new Error('it does not run');
    await running.store.relocate?.(url, running.core.place());
    this.#url = url;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#supervisor;
  }

  async #supervise(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#run();
      } catch (error) {
        this.logged.push({ level: 'start', fields: {}, message: (error as Error).message });
      }
      if (!this.#stopped) await sleep(RESTART_MS);
    }
  }

  async #run(): Promise<void> {
    const { clock, engine } = this.#chain;
    const log = (level: string) => (fields: object, message: string) =>
      void this.logged.push({ level, fields, message });
    const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
    const store = await openPostgresStore({ url: this.#url, logger });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let core: FollowingCore | undefined;
    try {
      const onFatal = (error: Error): void => {
        this.ends.push(error.message);
        end();
      };
      core = await createGatewayCore({
        store,
        engine,
        genesis: engine.genesis,
        operatorSeed: operatorSeed(0),
        clock,
        logger,
        onFatal,
        gatewayId: `${this.#name}-${this.ends.length}`,
      });
      this.#running = { store, core, gateway: createGatewayFront(core, { chain: engine.genesis, clock }) };
      while (
        !this.#stopped &&
        (await Promise.race([ended.then(() => true), sleep(RESTART_MS).then(() => false)])) === false
      );
    } finally {
      this.#running = undefined;
      await core?.close().catch(() => undefined);
      await store.close();
    }
  }
}
