/** Builds the block that follows the tip of the chain. Pure. */
import {
  APP_PROTOCOL_VERSION,
  BLOCK_PROTOCOL_VERSION,
  blockId,
  commitHash,
  dataHashOfHashes,
  EMPTY_COMMIT,
  EMPTY_ROOT,
  encodeBlock,
  ZERO_BLOCK_ID,
  type Block,
  type BlockId,
  type Commit,
} from '../encoding/index.ts';
import type { BlockContext, VerifiedTransaction } from '../../ledger/index.ts';
import type { ChainConstants } from './chain-constants.ts';
import type { StoredBlock } from './stores.ts';

/** The end of the chain: the last executed block, and what the next header holds of it. */
export interface Tip {
  height: number;
  id: BlockId;
  /** Time in the last header; 0n before the first. */
  headerTimeNs: bigint;
  /** Commit of the last block; empty before the first. */
  commit: Commit;
  /** Application hash after the last block. */
  appHash: Uint8Array;
  resultsHash: Uint8Array;
}

/** The tip before the first block. */
export function genesisTip(appHash: Uint8Array): Tip {
  return { height: 0, id: ZERO_BLOCK_ID, headerTimeNs: 0n, commit: EMPTY_COMMIT, appHash, resultsHash: EMPTY_ROOT };
}

/** Time of the header after the tip: genesis time for the first, then the time at which the tip was signed. */
export function nextHeaderTimeNs(constants: ChainConstants, tip: Tip): bigint {
  return tip.commit.signatures[0]?.timestampNs ?? constants.genesisTimeNs;
}

/** The block at the tip, as the rules see it. */
export function contextOf({ height, headerTimeNs }: Tip): BlockContext {
  return { height, timeNs: headerTimeNs };
}

/** The same for the block after it. */
export function nextBlockContext(constants: ChainConstants, tip: Tip): BlockContext {
  return { height: tip.height + 1, timeNs: nextHeaderTimeNs(constants, tip) };
}

export function nextBlock(
  constants: ChainConstants,
  tip: Tip,
  transactions: readonly VerifiedTransaction[],
): StoredBlock {
  const { height, timeNs } = nextBlockContext(constants, tip);
  const block: Block = {
    header: {
      version: { block: BLOCK_PROTOCOL_VERSION, app: APP_PROTOCOL_VERSION },
      chainId: constants.chainId,
      height,
      timeNs,
      lastBlockId: tip.id,
      lastCommitHash: commitHash(tip.commit),
      // The hash of each is already computed: a block need not hash a thousand transactions once more.
      dataHash: dataHashOfHashes(transactions.map(({ hash }) => Buffer.from(hash, 'hex'))),
      validatorsHash: constants.validatorsHash,
      nextValidatorsHash: constants.validatorsHash,
      consensusHash: constants.consensusHash,
      appHash: tip.appHash,
      lastResultsHash: tip.resultsHash,
      evidenceHash: EMPTY_ROOT,
      proposerAddress: constants.proposerAddress,
    },
    transactions: transactions.map(({ raw }) => raw),
    lastCommit: tip.commit,
  };
  const bytes = encodeBlock(block);
  return {
    height: block.header.height,
    id: blockId(block.header, bytes),
    bytes,
    timeNs: block.header.timeNs,
    transactionCount: transactions.length,
  };
}
