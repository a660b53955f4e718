/** The embedded engine on a real disk. */
import { join } from 'node:path';
import type { GenesisDocument } from '../../ledger/index.ts';
import type { Clock, Logger } from '../ports.ts';
import { openSqliteSearchStore } from '../search/sqlite-search-store.ts';
import type { ValidatorKey } from '../validator-key.ts';
import { chainConstants } from './chain-constants.ts';
import { openDiskSignState } from './disk-sign-state.ts';
import { EmbeddedEngine } from './engine.ts';
import { openSqliteBlockStore } from './sqlite-block-store.ts';
import { openSqliteStateStore } from './sqlite-state-store.ts';

export interface EmbeddedEngineOptions {
  genesis: GenesisDocument;
  /** Existing directory for blocks.db, ledger.db, search.db and priv_validator_state.json. The caller holds the lock on it. */
  dataDir: string;
  validatorKey: ValidatorKey;
  blockIntervalMs: number;
  clock: Clock;
  logger: Logger;
  /** Called once when no more blocks can be made; the process should end and start again. */
  onFatal?: (error: Error) => void;
}

/** Files of the embedded engine in its data directory. */
export function enginePaths(dataDir: string): { blocks: string; ledger: string; search: string; signState: string } {
  return {
    blocks: join(dataDir, 'blocks.db'),
    ledger: join(dataDir, 'ledger.db'),
    search: join(dataDir, 'search.db'),
    signState: join(dataDir, 'priv_validator_state.json'),
  };
}

/** Recovers what is there and starts making blocks. Rejects with EngineStartError when the files do not fit together. */
export async function createEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { dataDir, ...rest } = options;
  // A key or genesis that cannot work is refused before any file exists.
  chainConstants(options.genesis, options.validatorKey);
  const paths = enginePaths(dataDir);
  const identity = { chainId: options.genesis.chainId, genesisHash: options.genesis.hash };
  const opened: { close(): void }[] = [];
  const keep = <Store extends { close(): void }>(store: Store): Store => {
    opened.push(store);
    return store;
  };
  try {
    return new EmbeddedEngine({
      ...rest,
      blocks: keep(openSqliteBlockStore(paths.blocks, identity)),
      states: keep(openSqliteStateStore(paths.ledger, identity)),
      search: keep(openSqliteSearchStore(paths.search, identity)),
      signState: openDiskSignState(paths.signState),
    });
  } catch (error) {
    for (const store of opened) store.close();
    throw error;
  }
}
