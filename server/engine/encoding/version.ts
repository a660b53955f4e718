/** The versions that stand in every header (CometBFT v0.38, version.BlockProtocol; the application's own protocol). */
export const BLOCK_PROTOCOL_VERSION = 11;

/** What our application answers as app_version to ABCI Info; a stock node writes it into headers, so it must never differ between engines. */
export const APP_PROTOCOL_VERSION = 1;
