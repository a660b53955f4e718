/**
 * The ABCI application: the ledger as stock CometBFT nodes run it.
 *
 * Pure logic; the socket and the databases are the adapters beside this folder.
 */
export { answerRequest } from './answer.ts';
export { Application, type ApplicationParts } from './application.ts';
export { BLOCK_BYTES_MAX, BLOCK_TRANSACTIONS_MAX } from './block-limits.ts';
export { FRAME_BYTES_MAX, FrameError, FrameReader } from './frames.ts';
export { AbciRefusal } from './refusal.ts';
export { CHUNK_BYTES_MAX, CHUNKS_MAX, SNAPSHOT_FORMAT } from './snapshot-format.ts';
export { SNAPSHOTS_KEPT } from './snapshot-taker.ts';
export type { VerifySignatures } from './verified-transactions.ts';
export type { AppStore, SnapshotInfo, SnapshotStore, StateChange, StateReader, StoredState } from './store.ts';
