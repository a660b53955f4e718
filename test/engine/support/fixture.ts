/** An embedded engine on real files in a folder of its own, driven by a virtual clock. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEmbeddedEngine,
  enginePaths,
  sqliteChainStore,
  validatorKeyFromSeed,
  type ChainStore,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
} from '../../../server/engine/embedded/index.ts';
import { parseSignState } from '../../../server/engine/embedded/sign-state.ts';
import type { LastSigned } from '../../../server/engine/embedded/stores.ts';
import type { Logger } from '../../../server/engine/ports.ts';
import { testGenesis, validatorSeed } from '../../ledger/support.ts';
import type { ChainConnection } from '../../../server/store/embedded/connection.ts';
import type { CommittedBlock } from '../../../server/engine/port.ts';
import { committedBlocks } from './committed-blocks.ts';
import { openChainFile, withChain, type ChainFile } from './chain-file.ts';
import { VirtualClock } from './virtual-clock.ts';

export const genesis = testGenesis();
export const validatorKey = validatorKeyFromSeed(validatorSeed(0));
export const GENESIS_MS = Date.parse(genesis.genesisTime);

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
  #file: ChainFile | undefined;

  get engine(): EmbeddedEngine {
    if (this.#engine === undefined) throw new Error('the engine is not started');
    return this.#engine;
  }

  async start(changes: Partial<EmbeddedEngineOptions> = {}): Promise<EmbeddedEngine> {
    const { database, settle } = this.open();
    this.#engine = await createEmbeddedEngine({
      genesis,
      dataDir: this.dataDir,
      chain: sqliteChainStore(database),
      settle,
      validatorKey,
      blockIntervalMs: 1000,
      // Virtual seconds are not free: tests that wait for idle blocks wait for more of them.
      idleBlockMs: 10_000,
      clock: this.clock,
      logger: this.#logger(),
      onFatal: (error) => this.fatal.push(error),
      ...changes,
    }).catch((error: unknown) => {
      this.#closeFile();
      throw error;
    });
    return this.#engine;
  }

  async stop(): Promise<void> {
    await this.#engine?.close();
    this.#engine = undefined;
    this.#closeFile();
  }

  async restart(changes: Partial<EmbeddedEngineOptions> = {}): Promise<EmbeddedEngine> {
    await this.stop();
    return this.start(changes);
  }

  /** chain.db, opened for the next engine; before `start` a test may put something between the two. */
  open(): ChainFile {
    return (this.#file ??= openChainFile(this.dataDir));
  }

  /** What is on disk, while the engine runs. */
  blocks(fromHeight: number, limit: number): CommittedBlock[] {
    return committedBlocks(sqliteChainStore(this.open().database), fromHeight, limit);
  }

  /** Reads chain.db beside a stopped engine, or changes it behind the engine's back. */
  withChain<T>(use: (store: ChainStore, sql: ChainConnection) => T): T {
    return withChain(this.dataDir, use);
  }

  /** What was exported when the engine closed. */
  signState(): LastSigned {
    return parseSignState(readFileSync(enginePaths(this.dataDir).signState, 'utf8'));
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  #closeFile(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #logger(): Logger {
    const at = (level: string) => (fields: object, message: string) => void this.logs.push({ level, fields, message });
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }
}
