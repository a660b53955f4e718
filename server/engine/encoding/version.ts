/** The versions in every header (CometBFT v0.38, version.BlockProtocol; the application's own protocol). */
export const BLOCK_PROTOCOL_VERSION = 11;

/**
 * The ledger application's app_version in its answer to ABCI Info; a stock node writes it into headers, so it must never differ between
 * engines.
 */
export const APP_PROTOCOL_VERSION = 1;
