/** The embedded engine on a real disk, over a store of blocks that its owner opened and closes. */
import { join } from 'node:path';
import type { GenesisDocument } from '../../ledger/index.ts';
import type { Clock, Logger } from '../ports.ts';
import type { SearchStore } from '../search/search-store.ts';
import { openSqliteSearchStore } from '../search/sqlite-search-store.ts';
import type { ValidatorKey } from '../validator-key.ts';
import type { ExecutedBlock } from './chain.ts';
import { chainConstants } from './chain-constants.ts';
import { diskSignState } from './disk-sign-state.ts';
import { EmbeddedEngine } from './engine.ts';
import type { ChainStore, SignStateFile } from './stores.ts';

export interface EmbeddedEngineOptions {
  genesis: GenesisDocument;
  /** Existing directory for search.db and priv_validator_state.json. The caller holds the lock on it. */
  dataDir: string;
  /** In place of search.db. */
  search?: SearchStore | undefined;
  /** In place of priv_validator_state.json. */
  signStateFile?: SignStateFile | undefined;
  /** Store that blocks are written to and read from. */
  chain: ChainStore;
  validatorKey: ValidatorKey;
  blockIntervalMs: number;
  /** See EngineParts. */
  idleBlockMs?: number | undefined;
  clock: Clock;
  logger: Logger;
  /** See EngineParts. */
  settle?: (block: ExecutedBlock) => void;
  /** See EngineParts. */
  applied?: (block: ExecutedBlock) => void;
  /** Called once when no more blocks can be made; the process should end and start again. */
  onFatal?: (error: Error) => void;
}

/** Files of the embedded engine in its data directory. */
export function enginePaths(dataDir: string): { chain: string; search: string; signState: string } {
  return {
    chain: join(dataDir, 'chain.db'),
    search: join(dataDir, 'search.db'),
    signState: join(dataDir, 'priv_validator_state.json'),
  };
}

/** Loads the stored chain and starts making blocks. Rejects with EngineStartError when the files do not belong together. */
export async function createEmbeddedEngine(options: EmbeddedEngineOptions): Promise<EmbeddedEngine> {
  const { dataDir, ...rest } = options;
  const { genesis, validatorKey } = options;
  // A key or genesis that cannot work is refused before any file exists.
  chainConstants(genesis, validatorKey);
  const paths = enginePaths(dataDir);
  const search =
    options.search ??
    openSqliteSearchStore(paths.search, { chainId: genesis.chainId, genesisHash: genesis.hash }, options.logger);
  try {
    return new EmbeddedEngine({
      ...rest,
      search,
      signStateFile: options.signStateFile ?? diskSignState(paths.signState),
    });
  } catch (error) {
    search.close();
    throw error;
  }
}
