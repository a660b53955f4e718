/** Several gateways on one database over the test engine, in one process and on a clock that the test moves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../../server/engine/port.ts';
import type { Gateway, GatewayCore, GatewayCoreOptions } from '../../../server/gateway/index.ts';
import { createGatewayCore, createGatewayFront } from '../../../server/gateway/index.ts';
import type { GenesisInput } from '../../../server/ledger/index.ts';
import type { Store } from '../../../server/store/index.ts';
import { operatorSeed, testGenesis } from '../../ledger/support.ts';
import { FaultyStore } from './faulty-store.ts';
import { START_MS } from './fixture.ts';
import { Freezer } from './freezer.ts';
import { ManualClock, settled } from './manual-clock.ts';
import type { SharedStore } from './shared-database.ts';
import { SharedDatabase } from './shared-database.ts';
import type { BlockOptions } from './test-engine.ts';
import { TestEngine } from './test-engine.ts';

export interface GatewaysOptions {
  count: number;
  genesis?: Partial<GenesisInput>;
  limits?: GatewayCoreOptions['limits'];
  leasesLie?: boolean;
}

export interface Member {
  readonly id: string;
  readonly core: GatewayCore;
  readonly gateway: Gateway;
  readonly faults: FaultyStore;
  readonly shared: SharedStore;
  readonly engine: MemberEngine;
  readonly freezer: Freezer;
  readonly fatal: Error[];
}

/** One gateway's way to the chain. */
export class MemberEngine {
  reachable = true;
  readonly #engine: TestEngine;

  constructor(engine: TestEngine) {
    this.#engine = engine;
  }

  // Not over the way to the chain: it is told, not asked.
  startFrom: Engine['startFrom'] = async (checkpoint) => await this.#engine.startFrom(checkpoint);
  validatorSets: Engine['validatorSets'] = async (height) => await this.#reach().validatorSets(height);
  rejectResults: Engine['rejectResults'] = async (height) => await this.#reach().rejectResults(height);
  status: Engine['status'] = async () => await this.#reach().status();
  broadcast: Engine['broadcast'] = async (items) => await this.#reach().broadcast(items);
  blocks: Engine['blocks'] = async (from, limit) => await this.#reach().blocks(from, limit);
  receipt: Engine['receipt'] = async (height, txHash) => await this.#reach().receipt(height, txHash);
  waitForHeight: Engine['waitForHeight'] = async (height, timeoutMs) =>
    await this.#reach().waitForHeight(height, timeoutMs);
  rpc: Engine['rpc'] = async (method, args) => await this.#reach().rpc(method, args);
  events: Engine['events'] = async (request) => await this.#reach().events(request);

  #reach(): TestEngine {
    if (!this.reachable) throw new Error('connection refused');
    return this.#engine;
  }
}

export class Gateways {
  readonly folder = mkdtempSync(join(tmpdir(), 'txledger-gateways-'));
  readonly clock = new ManualClock(START_MS);
  readonly engine: TestEngine;
  readonly database: SharedDatabase;
  readonly members: Member[] = [];
  readonly logged: { level: string; fields: object; message: string }[] = [];
  /** For the test's own look at the rows. */
  store!: Store;
  readonly #options: GatewaysOptions;
  #started = 0;

  private constructor(options: GatewaysOptions) {
    this.#options = options;
    this.engine = new TestEngine(testGenesis(options.genesis), this.clock);
    this.database = new SharedDatabase(join(this.folder, 'gateway.db'), this.clock);
    this.database.leasesLie = options.leasesLie ?? false;
  }

  static async open(options: GatewaysOptions): Promise<Gateways> {
    const gateways = new Gateways(options);
    gateways.store = await gateways.database.open();
    for (let i = 0; i < options.count; i++) gateways.members.push(await gateways.start());
    return gateways;
  }

  /** A new process on the same database. */
  async start(): Promise<Member> {
    const id = `gateway-${++this.#started}`;
    const shared = await this.database.open();
    const faults = new FaultyStore(shared);
    const freezer = new Freezer();
    const engine = new MemberEngine(this.engine);
    const clock = freezer.clock(this.clock);
    const fatal: Error[] = [];
    const core = await createGatewayCore({
      store: freezer.store(faults),
      engine: freezer.around(engine),
      genesis: this.engine.genesis,
      operatorSeed: operatorSeed(0),
      clock,
      logger: this.#logger(id),
      onFatal: (error) => fatal.push(error),
      limits: this.#options.limits ?? {},
      gatewayId: id,
    });
    const gateway = createGatewayFront(core, { chain: this.engine.genesis, clock });
    await settled();
    return { id, core, gateway, faults, shared, engine, freezer, fatal };
  }

  /** As kill -9 does, and a new process in its place. */
  async restart(member: Member): Promise<Member> {
    await this.kill(member);
    const next = await this.start();
    this.members[this.members.indexOf(member)] = next;
    return next;
  }

  async kill(member: Member): Promise<void> {
    member.faults.dead = true;
    member.engine.reachable = false;
    member.freezer.thaw();
    // Ends its timers; nothing of it reaches the database any more.
    await member.core.close();
    await member.shared.close();
  }

  async active(): Promise<Member[]> {
    const states = await Promise.all(
      this.members.map(async (member) => ({ member, active: (await member.gateway.metrics()).active })),
    );
    return states.filter(({ active }) => active === 1).map(({ member }) => member);
  }

  /** Makes a block and waits until it is applied. */
  async block(options: BlockOptions = {}): Promise<void> {
    await settled();
    this.engine.block(options);
    await settled();
  }

  async dispose(): Promise<void> {
    for (const member of this.members) if (!member.faults.dead) await this.kill(member);
    await this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #logger(id: string): GatewayCoreOptions['logger'] {
    const log = (level: string) => (fields: object, message: string) =>
      void this.logged.push({ level, fields: { gateway: id, ...fields }, message });
    return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  }
}
