/** An embedded engine on real files in a folder of its own, driven by a virtual clock. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEmbeddedEngine,
  enginePaths,
  validatorKeyFromSeed,
  type BlockStore,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
} from '../../../server/engine/embedded/index.ts';
import { parseSignState } from '../../../server/engine/embedded/sign-state.ts';
import { openSqliteBlockStore } from '../../../server/engine/embedded/sqlite-block-store.ts';
import { openSqliteStateStore } from '../../../server/engine/embedded/sqlite-state-store.ts';
import type { LastSigned, StateStore } from '../../../server/engine/embedded/stores.ts';
import type { Logger } from '../../../server/engine/ports.ts';
import { testGenesis, validatorSeed } from '../../ledger/support.ts';
import { VirtualClock } from './virtual-clock.ts';

export const genesis = testGenesis();
export const validatorKey = validatorKeyFromSeed(validatorSeed(0));
export const GENESIS_MS = Date.parse(genesis.genesisTime);
const identity = { chainId: genesis.chainId, genesisHash: genesis.hash };

export interface LogLine {
  level: string;
  fields: object;
  message: string;
}

export class Fixture {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'txledger-engine-'));
  readonly clock = new VirtualClock(GENESIS_MS + 60_000);
  readonly logs: LogLine[] = [];
  readonly fatal: Error[] = [];
  #engine: EmbeddedEngine | undefined;

  get engine(): EmbeddedEngine {
    if (this.#engine === undefined) throw new Error('the engine is not started');
    return this.#engine;
  }

  async start(changes: Partial<EmbeddedEngineOptions> = {}): Promise<EmbeddedEngine> {
    this.#engine = await createEmbeddedEngine({
      genesis,
      dataDir: this.dataDir,
      validatorKey,
      blockIntervalMs: 1000,
      clock: this.clock,
      logger: this.#logger(),
      onFatal: (error) => this.fatal.push(error),
      ...changes,
    });
    return this.#engine;
  }

  async stop(): Promise<void> {
    await this.#engine?.close();
    this.#engine = undefined;
  }

  async restart(changes: Partial<EmbeddedEngineOptions> = {}): Promise<EmbeddedEngine> {
    await this.stop();
    return this.start(changes);
  }

  /** Opens the block store beside a stopped engine. */
  withBlocks<T>(use: (blocks: BlockStore) => T): T {
    const blocks = openSqliteBlockStore(enginePaths(this.dataDir).blocks, identity);
    try {
      return use(blocks);
    } finally {
      blocks.close();
    }
  }

  /** Opens the state store beside a stopped engine. */
  withStates<T>(use: (states: StateStore) => T): T {
    const states = openSqliteStateStore(enginePaths(this.dataDir).ledger, identity);
    try {
      return use(states);
    } finally {
      states.close();
    }
  }

  signState(): LastSigned {
    return parseSignState(readFileSync(enginePaths(this.dataDir).signState, 'utf8'));
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  #logger(): Logger {
    const at = (level: string) => (fields: object, message: string) => void this.logs.push({ level, fields, message });
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }
}
