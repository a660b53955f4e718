/**
 * Block bytes: tendermint.types.Block as a stock node stores and gossips it.
 *
 * The generated codec is used for whole blocks, in both directions: it skips only `undefined`, so every sub-message is
 * passed, which gives the bytes that gogoproto writes (`12 00` and `1a 00` for empty data and evidence included).
 */
import { Block as BlockMessage } from 'cosmjs-types/tendermint/types/block';
import {
  Commit as CommitMessage,
  type CommitSig as CommitSigMessage,
  type BlockID as BlockIdMessage,
  type Header as HeaderMessage,
} from 'cosmjs-types/tendermint/types/types';
import { joinNs, splitNs } from './time.ts';
import type { Block, BlockId, Commit, Header } from './types.ts';

export function encodeBlock(block: Block): Uint8Array {
  return BlockMessage.encode({
    header: toHeaderMessage(block.header),
    data: { txs: block.transactions as Uint8Array[] },
    evidence: { evidence: [] },
    lastCommit: toCommitMessage(block.lastCommit),
  }).finish();
}

/** Throws when the bytes are not a block; callers read only bytes whose hash they have checked. */
export function decodeBlock(bytes: Uint8Array): Block {
  const decoded = BlockMessage.decode(bytes);
  return {
    header: fromHeaderMessage(decoded.header),
    transactions: decoded.data.txs,
    lastCommit: fromCommitMessage(decoded.lastCommit ?? CommitMessage.fromPartial({})),
  };
}

export function encodeCommit(commit: Commit): Uint8Array {
  return CommitMessage.encode(toCommitMessage(commit)).finish();
}

export function decodeCommit(bytes: Uint8Array): Commit {
  return fromCommitMessage(CommitMessage.decode(bytes));
}

export function toHeaderMessage(header: Header): HeaderMessage {
  return {
    version: { block: BigInt(header.version.block), app: BigInt(header.version.app) },
    chainId: header.chainId,
    height: BigInt(header.height),
    time: splitNs(header.timeNs),
    lastBlockId: toBlockIdMessage(header.lastBlockId),
    lastCommitHash: header.lastCommitHash,
    dataHash: header.dataHash,
    validatorsHash: header.validatorsHash,
    nextValidatorsHash: header.nextValidatorsHash,
    consensusHash: header.consensusHash,
    appHash: header.appHash,
    lastResultsHash: header.lastResultsHash,
    evidenceHash: header.evidenceHash,
    proposerAddress: header.proposerAddress,
  };
}

function fromHeaderMessage(header: HeaderMessage): Header {
  return {
    version: { block: Number(header.version.block), app: Number(header.version.app) },
    chainId: header.chainId,
    height: Number(header.height),
    timeNs: joinNs(header.time.seconds, header.time.nanos),
    lastBlockId: fromBlockIdMessage(header.lastBlockId),
    lastCommitHash: header.lastCommitHash,
    dataHash: header.dataHash,
    validatorsHash: header.validatorsHash,
    nextValidatorsHash: header.nextValidatorsHash,
    consensusHash: header.consensusHash,
    appHash: header.appHash,
    lastResultsHash: header.lastResultsHash,
    evidenceHash: header.evidenceHash,
    proposerAddress: header.proposerAddress,
  };
}

export function toCommitMessage(commit: Commit): CommitMessage {
  return {
    height: BigInt(commit.height),
    round: commit.round,
    blockId: toBlockIdMessage(commit.blockId),
    signatures: commit.signatures.map((sig): CommitSigMessage => ({
      blockIdFlag: sig.blockIdFlag,
      validatorAddress: sig.validatorAddress,
      timestamp: splitNs(sig.timestampNs),
      signature: sig.signature,
    })),
  };
}

function fromCommitMessage(commit: CommitMessage): Commit {
  return {
    height: Number(commit.height),
    round: commit.round,
    blockId: fromBlockIdMessage(commit.blockId),
    signatures: commit.signatures.map((sig) => ({
      blockIdFlag: sig.blockIdFlag,
      validatorAddress: sig.validatorAddress,
      timestampNs: joinNs(sig.timestamp.seconds, sig.timestamp.nanos),
      signature: sig.signature,
    })),
  };
}

export function toBlockIdMessage(id: BlockId): BlockIdMessage {
  return { hash: id.hash, partSetHeader: id.parts };
}

function fromBlockIdMessage(id: BlockIdMessage): BlockId {
  return { hash: id.hash, parts: { total: id.partSetHeader.total, hash: id.partSetHeader.hash } };
}
