/** Blocks as values: the fields of CometBFT v0.38's Header, Commit and Block under their usual names. */

export interface BlockId {
  hash: Uint8Array;
  parts: { total: number; hash: Uint8Array };
}

export interface Header {
  version: { block: number; app: number };
  chainId: string;
  height: number;
  timeNs: bigint;
  lastBlockId: BlockId;
  lastCommitHash: Uint8Array;
  dataHash: Uint8Array;
  validatorsHash: Uint8Array;
  nextValidatorsHash: Uint8Array;
  consensusHash: Uint8Array;
  appHash: Uint8Array;
  lastResultsHash: Uint8Array;
  evidenceHash: Uint8Array;
  proposerAddress: Uint8Array;
}

/** BlockIDFlag: no vote of the validator came in time. */
export const BLOCK_ID_FLAG_ABSENT = 1;
/** BlockIDFlag: the validator voted for this very block. The embedded engine has one validator, which always does. */
export const BLOCK_ID_FLAG_COMMIT = 2;
/** BlockIDFlag: the validator voted for no block. */
export const BLOCK_ID_FLAG_NIL = 3;

export interface CommitSig {
  blockIdFlag: number;
  validatorAddress: Uint8Array;
  timestampNs: bigint;
  signature: Uint8Array;
}

export interface Commit {
  height: number;
  round: number;
  blockId: BlockId;
  signatures: readonly CommitSig[];
}

export interface Block {
  header: Header;
  transactions: readonly Uint8Array[];
  /** The commit of the block before this one; at height 1 an empty one. */
  lastCommit: Commit;
}

/** The block id of "no block": what the first header names as its parent. */
export const ZERO_BLOCK_ID: BlockId = { hash: new Uint8Array(0), parts: { total: 0, hash: new Uint8Array(0) } };

/** The commit in the first block. */
export const EMPTY_COMMIT: Commit = { height: 0, round: 0, blockId: ZERO_BLOCK_ID, signatures: [] };
