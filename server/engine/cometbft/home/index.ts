/**
 * The home of a stock CometBFT v0.38.26 node as bytes, for an embedded chain that continues under CometBFT. Pure but for the database
 * folders.
 */
export { blockRows, blockStoreRow, type SignedBlock } from './block-rows.ts';
export { createLevelDatabase, type LevelRow, type LevelWriter } from './disk-level-database.ts';
export { ledgerSettings, settingsText } from './settings.ts';
export { type ChainState, type ConsensusParamsJson, encodeResponse, StateRows } from './state-rows.ts';
export { setToml } from './toml.ts';
export { endOfHeight } from './wal.ts';
