/**
 * What the embedded engine keeps, as one interface: blocks with their commits, what they changed, and what the validator signed last.
 *
 * The engine's logic knows only this, so that a simulation can put a faulty disk behind it. All of it is synchronous on purpose: a block
 * and everything that follows from it is one step, and when the call has returned, the step is on disk.
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

/** What the validator signed last, in CometBFT's terms: (height, round, step) only ever grows. */
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
  /** The accounts that changed, as they are afterwards. */
  accounts: readonly AccountRow[];
  /** The governance record when it changed. */
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
  /** Of the last block; 0 before the first. */
  height: number;
  /** What the last block recorded; undefined before the first. */
  recorded: Executed | undefined;
  /** In leaf order. To be read before anything else is asked of the store. */
  accounts: Iterable<AccountRow>;
  governance: GovernanceState;
}

/** What executing a block gave. */
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
   * Durable (fsynced) when it returns nothing. `within` runs with it, once: what settles with the block. What it returns says why the block is held:
   * nothing of it was written and no one saw anything (a full disk, a lock of another process), so the same update is to be given again later.
   * When this throws, it is not known what was written, or nothing could be: the process has to end.
   */
  append(update: BlockUpdate, within: () => void): string | void;
  /** Why no further block may be made for now; '' when one may. */
  hold?(): string;
  block(height: number): StoredBlock | undefined;
  /** tendermint.types.Commit in protobuf. */
  commit(height: number): Uint8Array | undefined;
  /** Height of the block with this header hash. */
  heightOf(blockHash: Uint8Array): number | undefined;
  executed(height: number): Executed | undefined;
  /** Places at which a transaction with this hash may be: candidates, to be compared with the block's bytes. */
  locate(transactionHash: Uint8Array): { height: number; index: number }[];
}

/** priv_validator_state.json: the last signature as a stock node keeps it, written when the chain starts and stops. */
export interface SignStateFile {
  /** undefined when there is none. Throws when it is unreadable: to go on would be a guess. */
  read(): LastSigned | undefined;
  /** Durable (fsynced, the directory entry too) when it returns. */
  write(last: LastSigned): void;
}
