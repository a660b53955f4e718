/**
 * What the embedded engine keeps, as small interfaces: blocks, ledger state, and what the validator signed last.
 *
 * The engine's logic knows only these, so that a simulation can stand a faulty disk behind them. All of them are
 * synchronous on purpose: making a block is a fixed order of durable steps, and a step that has returned is on disk.
 */
import type { BlockId } from '../encoding/index.ts';
import type { AccountRow, GovernanceState, LedgerEvent } from '../../ledger/index.ts';

export interface StoredBlock {
  height: number;
  id: BlockId;
  /** tendermint.types.Block in protobuf. */
  bytes: Uint8Array;
  /** Nanoseconds since the Unix epoch, from the header. */
  timeNs: bigint;
  transactionCount: number;
}

/** Blocks and the commits that make them final. Heights run 1, 2, 3, ... without a hole. */
export interface BlockStore {
  /** Height of the last stored block, whether its commit is stored or not; 0 when there is none. */
  blockHeight(): number;
  /** Height of the last block whose commit is stored; 0 when there is none. */
  commitHeight(): number;
  /** Durable (fsynced) when it returns. */
  putBlock(block: StoredBlock): void;
  /** Durable (fsynced) when it returns. `bytes` is tendermint.types.Commit in protobuf. */
  putCommit(height: number, bytes: Uint8Array): void;
  block(height: number): StoredBlock | undefined;
  commit(height: number): Uint8Array | undefined;
  /** Height of the block with this header hash. */
  heightOf(blockHash: Uint8Array): number | undefined;
  /** Housekeeping between two blocks; `idle` says that nothing waits for it. */
  maintain(idle: boolean): void;
  close(): void;
}

/** What one block did to the transactions in it, as block_results shows it. */
export interface StoredResult {
  code: number;
  codespace: string;
  log: string;
  events: readonly LedgerEvent[];
}

/** Everything that executing one block changes; written in one atomic step. */
export interface StateUpdate {
  height: number;
  /** Application hash after this block. */
  appHash: Uint8Array;
  /** Results hash of this block: last_results_hash of the next header. */
  resultsHash: Uint8Array;
  results: readonly StoredResult[];
  /** Raw transactions in block order, for the lookup by hash. */
  transactions: readonly Uint8Array[];
  accounts: readonly AccountRow[];
  governance: GovernanceState | undefined;
}

export interface StateSnapshot {
  height: number;
  appHash: Uint8Array;
  resultsHash: Uint8Array;
  /** In leaf order. */
  accounts: Iterable<AccountRow>;
  governance: GovernanceState;
}

/** The executed state. It can always be made again from the blocks, so a power cut may take its last heights but nothing else. */
export interface StateStore {
  /** The last saved state; undefined when nothing was ever saved. */
  load(): StateSnapshot | undefined;
  /** Atomic: after a crash either all of it is there or nothing. */
  save(update: StateUpdate): void;
  /** Application hash and results of a height; undefined when it was not executed yet. */
  executed(height: number): { appHash: Uint8Array; results: readonly StoredResult[] } | undefined;
  /** The results of a height to be taken one by one, for whoever needs only some; undefined when it was not executed yet. */
  results(height: number): ((index: number) => StoredResult | undefined) | undefined;
  /** Places at which a transaction with this hash may be: candidates, to be compared with the block's bytes. */
  locate(transactionHash: Uint8Array): { height: number; index: number }[];
  maintain(idle: boolean): void;
  close(): void;
}

/** What the validator signed last, in CometBFT's terms: (height, round, step) only ever grows. */
export interface LastSigned {
  height: number;
  round: number;
  /** CometBFT's steps: 0 none, 1 proposal, 2 prevote, 3 precommit. */
  step: number;
  signature: Uint8Array | undefined;
  signBytes: Uint8Array | undefined;
}

export interface SignStateStore {
  /** undefined when nothing was ever signed here. Throws when the record is unreadable: signing on would be a guess. */
  read(): LastSigned | undefined;
  /** Durable (fsynced, the directory entry too) when it returns. */
  write(last: LastSigned): void;
}
