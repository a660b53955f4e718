/**
 * Storage of the embedded engine, as one interface: blocks with their commits, what they changed, and the validator's last signature.
 *
 * The engine's logic uses only this, so that a simulation can put a faulty disk behind it. All of it is synchronous on purpose: a block and
 * everything that follows from it is one step, and when the call has returned, the step is on disk.
 */
import type { BlockId } from '../encoding/index.ts';
import type { AccountRow, GovernanceState, VerifiedTransaction } from '../../ledger/index.ts';
import type { Failure } from '../results.ts';

export interface StoredBlock {
  height: number;
  id: BlockId;
  /** tendermint.types.Block in protobuf. */
  bytes: Uint8Array;
  /** Nanoseconds since the Unix epoch, from the header. */
  timeNs: bigint;
  transactionCount: number;
}

/** The validator's last signature, in CometBFT's terms: (height, round, step) only ever grows. */
export interface LastSigned {
  height: number;
  round: number;
  /** CometBFT's steps: 0 none, 1 proposal, 2 prevote, 3 precommit. */
  step: number;
  signature: Uint8Array | undefined;
  signBytes: Uint8Array | undefined;
}

/** One block with its commit and everything that making and executing it changed: written in one transaction. */
export interface BlockUpdate {
  block: StoredBlock;
  /** tendermint.types.Commit in protobuf. */
  commit: Uint8Array;
  /** The signature in the commit: no other is ever made at this height. */
  signed: LastSigned;
  /** Application hash after this block. */
  appHash: Uint8Array;
  /** Results hash of this block: last_results_hash of the next header. */
  resultsHash: Uint8Array;
  failures: readonly Failure[];
  /** In block order. */
  transactions: readonly VerifiedTransaction[];
  /** The changed accounts, as they are after the block. */
  accounts: readonly AccountRow[];
  /** The governance record, if it changed. */
  governance: GovernanceState | undefined;
}

/** The chain before its first block. */
export interface InitialState {
  chainId: string;
  /** SHA-256 of the genesis file, 64 upper-case hex digits. */
  genesisHash: string;
  genesisTimeMs: number;
  accounts: Iterable<AccountRow>;
  governance: GovernanceState;
}

/** The state after the last block. */
export interface StoredState {
  chainId: string;
  genesisHash: string;
  /** Height of the last block; 0 before the first. */
  height: number;
  /** The results that the last block recorded; undefined before the first. */
  recorded: Executed | undefined;
  /** In leaf order. Read them before any other call to the store. */
  accounts: Iterable<AccountRow>;
  governance: GovernanceState;
}

/** The results of executing a block. */
export interface Executed {
  /** Application hash after the block. */
  appHash: Uint8Array;
  resultsHash: Uint8Array;
  failures: readonly Failure[];
}

/** Blocks run from height 1 without a hole; a block that is here is signed and executed. */
export interface ChainStore {
  /** Height of the last block; 0 before the first. */
  height(): number;
  /** undefined when nothing was ever written. */
  load(): StoredState | undefined;
  /** Writes height 0. Durable (fsynced) when it returns. */
  initialise(state: InitialState): void;
  /** undefined before the first block. */
  lastSigned(): LastSigned | undefined;
  /**
   * Durable (fsynced) when it returns undefined. `within` runs with it, once: it writes what settles with the block. A returned text says
   * why the block is held: nothing of it was written and no one saw anything (a full disk, a lock of another process), so the same update
   * must be passed again later. When it throws, it is not known what was written, or nothing could be: the process has to end.
   */
  append(update: BlockUpdate, within: () => void): string | void;
  /** The reason why no further block may be made for now; '' when one may. */
  hold?(): string;
  block(height: number): StoredBlock | undefined;
  /** tendermint.types.Commit in protobuf. */
  commit(height: number): Uint8Array | undefined;
  /** Height of the block with this header hash. */
  heightOf(blockHash: Uint8Array): number | undefined;
  executed(height: number): Executed | undefined;
  /** Candidate positions of a transaction with this hash, to be compared with the block's bytes. */
  locate(transactionHash: Uint8Array): { height: number; index: number }[];
}

/** priv_validator_state.json: the last signature as a stock node keeps it, written when the chain starts and stops. */
export interface SignStateFile {
  /** undefined when there is none. Throws when it is unreadable: to continue would be a guess. */
  read(): LastSigned | undefined;
  /** Durable (fsynced, the directory entry too) when it returns. */
  write(last: LastSigned): void;
}
