/**
 * The embedded engine: one process, one validator, real CometBFT blocks in SQLite.
 *
 * `createEmbeddedEngine` puts it on a real disk; `EmbeddedEngine` takes any store, which is what a simulation uses.
 */
export { createEmbeddedEngine, enginePaths, type EmbeddedEngineOptions } from './disk-engine.ts';
export { BLOCK_INTERVAL_MS_DEFAULT, BLOCK_INTERVAL_MS_MIN, EmbeddedEngine, type EngineParts } from './engine.ts';
export type { ExecutedBlock } from './chain.ts';
export { chainConstants } from './chain-constants.ts';
export { recover } from './recover.ts';
export { codesOf, resultsOf } from '../results.ts';
export { consensusParamsJson, GenesisText } from './rpc/genesis-text.ts';
export { formatSignState, isAfter } from './sign-state.ts';
export { diskSignState } from './disk-sign-state.ts';
export { exportFile, exportSignState, type FileExport } from './disk-export.ts';
export { DoubleSignError } from './precommit-signer.ts';
export { EngineStartError } from '../start-error.ts';
export { IDLE_BLOCK_MS_DEFAULT } from './schedule.ts';
export { compareState, Replay, type ReplayedBlock, type ReplayedTransaction } from './replay.ts';
export {
  sqliteChainStore,
  type ChainDatabase,
  type BlockToWrite,
  type SqliteChainStore,
} from './sqlite-chain-store.ts';
export type { Failure, StoredResult } from '../results.ts';
export type { BlockUpdate, ChainStore, LastSigned, SignStateFile, StoredBlock } from './stores.ts';
export { formatValidatorKey, parseValidatorKey, validatorKeyFromSeed, type ValidatorKey } from '../validator-key.ts';
