/** A gateway on a real database over the test engine, in one process and on a clock that the test moves. */
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger, Tracer } from '../../../server/engine/ports.ts';
import type {
  GatewayCore,
  GatewayCoreOptions,
  Principal,
  Refusal,
  Scope,
  Submitted,
  TransactionDetail,
  TransactionRecord,
  TransferInput,
} from '../../../server/gateway/index.ts';
import { createGatewayCore, createGatewayFront } from '../../../server/gateway/index.ts';
import type { Gateway } from '../../../server/gateway/index.ts';
import type { GenesisInput, Transfer, VerifiedTransaction } from '../../../server/ledger/index.ts';
import { paymentMembers } from '../../../server/ledger/index.ts';
import type { AdminStore, Store } from '../../../server/store/index.ts';
import { operatorSeed, signedTransfer, testGenesis } from '../../ledger/support.ts';
import type { TransferOptions } from '../../ledger/support.ts';
import { DISPATCH_LEASE } from '../../../server/gateway/sharing/lease.ts';
import { chainFile, openChainCore } from './chain-core.ts';
import { FaultyDatabase } from './faulty-database.ts';
import { FaultyStore } from './faulty-store.ts';
import type { Faults } from './faults.ts';
import { FixtureStore, ON_CHAIN, ON_POSTGRES } from './fixture-store.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { TestEngine } from './test-engine.ts';
import type { BlockOptions } from './test-engine.ts';

export const START_MS = Date.parse('2026-11-21T09:00:00Z');

export interface FixtureOptions {
  genesis?: Partial<GenesisInput>;
  limits?: GatewayCoreOptions['limits'];
  /** Put between a core that follows and its store. */
  wrapStore?: (store: Store) => Store;
  /** The database fails and dies as `faults` says. */
  faulty?: boolean;
  /** Which core, whatever the variable STORE says. */
  core?: 'follows' | 'embedded';
  operatorSeed?: Uint8Array;
  pagesMax?: number;
  tracer?: Tracer;
}

export const ALICE: Principal = principal('alice');
export const BOB: Principal = principal('bob');

export function principal(
  owner: string,
  scopes: readonly Scope[] = ['transactions:read', 'transactions:write'],
): Principal {
  return { tokenId: `token-of-${owner}`, owner, scopes };
}

export class Fixture {
  readonly folder = mkdtempSync(join(tmpdir(), 'txledger-gateway-'));
  readonly database = new FixtureStore(this.folder);
  readonly clock = new ManualClock(START_MS);
  readonly engine: TestEngine;
  readonly options: FixtureOptions;
  readonly fatal: Error[] = [];
  readonly logged: { level: string; fields: object; message: string }[] = [];
  #started = 0;
  readonly #opened: { core: GatewayCore; close(): Promise<void> | void }[] = [];
  /** Not with the embedded engine's core, which has chain.db. */
  store!: Store;
  /** Tokens, bindings and the audit trail of whichever database it is. */
  admin!: AdminStore;
  /** The same with the faults, as the gateway itself asks it. */
  faultyAdmin!: AdminStore;
  /** Of the last gateway that was opened; with `faulty` only. */
  faults!: Faults;
  core!: GatewayCore;
  gateway!: Gateway;

  private constructor(options: FixtureOptions) {
    this.options = options;
    this.engine = new TestEngine(testGenesis(options.genesis), this.clock);
  }

  get #isEmbedded(): boolean {
    const { core } = this.options;
    return core === undefined ? ON_CHAIN : core === 'embedded';
  }

  static async open(options: FixtureOptions = {}): Promise<Fixture> {
    const fixture = new Fixture(options);
    await fixture.start();
    return fixture;
  }

  /** Opens a gateway on the database; a second call opens a second one beside it. */
  async start(): Promise<void> {
    if (this.#isEmbedded) return await this.#startOnChain();
    this.store = await this.database.open(this.options.pagesMax);
    const faulty = new FaultyStore(this.store);
    this.faults = faulty;
    this.faultyAdmin = faulty;
    this.core = await createGatewayCore({
      store: this.options.faulty === true ? faulty : (this.options.wrapStore?.(this.store) ?? this.store),
      engine: this.engine,
      genesis: this.engine.genesis,
      operatorSeed: this.options.operatorSeed ?? operatorSeed(0),
      clock: this.clock,
      logger: this.logger(),
      onFatal: (error) => this.fatal.push(error),
      limits: this.options.limits ?? {},
      gatewayId: `gateway-${++this.#started}`,
      tracer: this.options.tracer,
    });
    this.gateway = createGatewayFront(this.core, {
      chain: this.engine.genesis,
      clock: this.clock,
      tracer: this.options.tracer,
    });
    const { store } = this;
    this.admin = store;
    this.#opened.push({ core: this.core, close: () => store.close() });
    await settled();
  }

  async #startOnChain(): Promise<void> {
    const faults = new FaultyDatabase();
    this.faults = faults;
    const { core, reads, admin, writerAdmin, close } = openChainCore({
      folder: this.folder,
      faults,
      engine: this.engine,
      genesis: this.engine.genesis,
      operatorSeed: this.options.operatorSeed ?? operatorSeed(0),
      clock: this.clock,
      logger: this.logger(),
      onFatal: (error) => this.fatal.push(error),
      limits: this.options.limits ?? {},
      gatewayId: `gateway-${++this.#started}`,
      pagesMax: this.options.pagesMax,
      tracer: this.options.tracer,
    });
    this.core = core;
    this.admin = admin;
    this.faultyAdmin = writerAdmin;
    this.gateway = createGatewayFront(core, {
      chain: this.engine.genesis,
      clock: this.clock,
      reads,
      tracer: this.options.tracer,
    });
    this.#opened.push({ core, close });
    await settled();
  }

  /** As a command line has it beside the gateway: a connection of its own, or what the gateway does for it. */
  async openAdmin(): Promise<AdminStore> {
    return this.#isEmbedded ? this.admin : await this.database.open();
  }

  async stop(): Promise<void> {
    await this.gateway.drain();
    await this.gateway.close();
    const index = this.#opened.findIndex(({ core }) => core === this.core);
    await this.#opened[index]?.close();
    this.#opened.splice(index, 1);
  }

  /** The FaultyStore of a gateway that follows. */
  get faultyStore(): FaultyStore {
    if (!(this.faults instanceof FaultyStore)) throw new Error("the embedded engine's core has no store");
    return this.faults;
  }

  /**
   * The last gateway's process was killed. A database server ends its sessions, and its lease, by a clock that no test can move. Of chain.db
   * stays what is in its files at this moment: closing a connection would tidy them up.
   */
  async bury(): Promise<void> {
    if (this.#isEmbedded) return await this.#buryOnChain();
    if (!ON_POSTGRES) return;
    await this.store.sharing?.dropLease(DISPATCH_LEASE, `gateway-${this.#started}`);
    await this.#opened.pop()?.close();
  }

  async #buryOnChain(): Promise<void> {
    this.faults.dead = true;
    const files = ['', '-wal'].map((suffix) => `${chainFile(this.folder)}${suffix}`).filter((file) => existsSync(file));
    for (const file of files) copyFileSync(file, `${file}.kept`);
    await this.#opened.pop()?.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${chainFile(this.folder)}${suffix}`, { force: true });
    for (const file of files) renameSync(`${file}.kept`, file);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async dispose(): Promise<void> {
    for (const { core, close } of this.#opened) {
      await core.close();
      await close();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Makes a block and waits until it is applied. */
  async block(options: BlockOptions = {}): Promise<void> {
    await settled();
    this.engine.block(options);
    await settled();
  }

  /** Blocks until nothing of what the mempool holds is left out. */
  async blocks(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.block();
  }

  submit(transfer: VerifiedTransaction & { tx: Transfer }, who: Principal = ALICE): Promise<Submitted | Refusal> {
    return this.gateway.submit(inputOf(transfer), who);
  }

  /** Submits and expects acceptance. */
  async accept(options: TransferOptions, who: Principal = ALICE): Promise<TransactionRecord> {
    const answer = await this.submit(signedTransfer(options), who);
    if (!answer.ok) throw new Error(`${answer.code}: ${answer.detail}`);
    return answer.transaction;
  }

  async refusal(options: TransferOptions, who: Principal = ALICE): Promise<Refusal> {
    const answer = await this.submit(signedTransfer(options), who);
    if (answer.ok) throw new Error('it was accepted');
    return answer;
  }

  async status(txHash: string): Promise<string | undefined> {
    return (await this.detail(txHash))?.status;
  }

  /** The transfer with its history; throws when it is refused. */
  async detail(txHash: string): Promise<TransactionDetail | undefined> {
    const found = await this.gateway.get(txHash);
    if (found !== undefined && 'ok' in found) throw new Error(`${found.code}: ${found.detail}`);
    return found;
  }

  async principal(token: string): Promise<Principal> {
    const found = await this.gateway.authenticate(token);
    if (found === undefined || 'ok' in found) throw new Error('the token stands for nobody');
    return found;
  }

  logger(): Logger {
    const log = (level: string) => (fields: object, message: string) =>
      void this.logged.push({ level, fields, message });
    return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  }
}

export function inputOf({ tx }: { tx: Transfer }): TransferInput {
  return {
    from: tx.from,
    to: tx.to,
    amount: tx.amount.toString(),
    nonce: tx.nonce,
    ...paymentMembers(tx),
    signature: tx.signature,
  };
}
