/** A gateway on a real database over the test engine, in one process and on a clock that the test moves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../../server/engine/ports.ts';
import type { GatewayCore, GatewayCoreOptions, Principal, Refusal, Scope, Submitted, TransactionDetail, TransactionRecord, TransferInput } from '../../../server/gateway/index.ts';
import { createGatewayCore, createGatewayFront } from '../../../server/gateway/index.ts';
import type { Gateway } from '../../../server/gateway/index.ts';
import type { GenesisInput, Transfer, VerifiedTransaction } from '../../../server/ledger/index.ts';
import type { AdminStore, Store } from '../../../server/store/index.ts';
import { operatorSeed, signedTransfer, testGenesis } from '../../ledger/support.ts';
import type { TransferOptions } from '../../ledger/support.ts';
import { DISPATCH_LEASE } from '../../../server/gateway/sharing/lease.ts';
import { openChainCore } from './chain-core.ts';
import { FixtureStore, ON_CHAIN, ON_POSTGRES } from './fixture-store.ts';
import { ManualClock, settled } from './manual-clock.ts';
import { TestEngine } from './test-engine.ts';
import type { BlockOptions } from './test-engine.ts';

export const START_MS = Date.parse('2026-11-21T09:00:00Z');

export interface FixtureOptions {
  genesis?: Partial<GenesisInput>;
  limits?: GatewayCoreOptions['limits'];
  /** Stands between the core and its store, to make it fail or wait. */
  wrapStore?: (store: Store) => Store;
  operatorSeed?: Uint8Array;
  pagesMax?: number;
}

export const ALICE: Principal = principal('alice');
export const BOB: Principal = principal('bob');

export function principal(owner: string, scopes: readonly Scope[] = ['transactions:read', 'transactions:write']): Principal {
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
  core!: GatewayCore;
  gateway!: Gateway;

  private constructor(options: FixtureOptions) {
    this.options = options;
    this.engine = new TestEngine(testGenesis(options.genesis), this.clock);
  }

  static async open(options: FixtureOptions = {}): Promise<Fixture> {
    const fixture = new Fixture(options);
    await fixture.start();
    return fixture;
  }

  /** Opens a gateway on the database; a second call opens a second one beside it. */
  async start(): Promise<void> {
    if (ON_CHAIN) return await this.#startOnChain();
    this.store = await this.database.open(this.options.pagesMax);
    this.core = await createGatewayCore({
      store: this.options.wrapStore?.(this.store) ?? this.store,
      engine: this.engine,
      genesis: this.engine.genesis,
      operatorSeed: this.options.operatorSeed ?? operatorSeed(0),
      clock: this.clock,
      logger: this.logger(),
      onFatal: (error) => this.fatal.push(error),
      limits: this.options.limits ?? {},
      gatewayId: `gateway-${++this.#started}`,
    });
    this.gateway = createGatewayFront(this.core, { chain: this.engine.genesis, clock: this.clock });
    const { store } = this;
    this.admin = store;
    this.#opened.push({ core: this.core, close: () => store.close() });
    await settled();
  }

  async #startOnChain(): Promise<void> {
    const { core, reads, admin, close } = openChainCore({
      folder: this.folder,
      engine: this.engine,
      genesis: this.engine.genesis,
      operatorSeed: this.options.operatorSeed ?? operatorSeed(0),
      clock: this.clock,
      logger: this.logger(),
      onFatal: (error) => this.fatal.push(error),
      limits: this.options.limits ?? {},
      gatewayId: `gateway-${++this.#started}`,
      pagesMax: this.options.pagesMax,
    });
    this.core = core;
    this.admin = admin;
    this.gateway = createGatewayFront(core, { chain: this.engine.genesis, clock: this.clock, reads });
    this.#opened.push({ core, close });
    await settled();
  }

  async stop(): Promise<void> {
    await this.gateway.drain();
    await this.gateway.close();
    const index = this.#opened.findIndex(({ core }) => core === this.core);
    await this.#opened[index]?.close();
    this.#opened.splice(index, 1);
  }

  /** The last gateway's process was killed: a server ends its sessions, and its lease, by a clock that no test can move. */
  async bury(): Promise<void> {
    if (!ON_POSTGRES) return;
    await this.store.sharing?.dropLease(DISPATCH_LEASE, `gateway-${this.#started}`);
    await this.#opened.pop()?.close();
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
    const log = (level: string) => (fields: object, message: string) => void this.logged.push({ level, fields, message });
    return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  }
}

export function inputOf({ tx }: { tx: Transfer }): TransferInput {
  return { from: tx.from, to: tx.to, amount: tx.amount.toString(), nonce: tx.nonce, signature: tx.signature };
}
