/**
 * Rows of a stock node's blockstore.db, as CometBFT v0.38.26 writes them when it stores a block (store/store.go, SaveBlock).
 */
import { BlockMeta, Part } from 'cosmjs-types/tendermint/types/types';
import {
  type Block,
  type BlockId,
  blockParts,
  encodeCommit,
  MerkleTree,
  toBlockIdMessage,
  toHeaderMessage,
} from '../../encoding/index.ts';
import { message, varintField } from '../../encoding/proto.ts';
import type { LevelRow } from './disk-level-database.ts';

export interface SignedBlock {
  readonly id: BlockId;
  /** tendermint.types.Block in protobuf. */
  readonly bytes: Uint8Array;
  /** The same block, decoded. */
  readonly block: Block;
  /** tendermint.types.Commit of this very block in protobuf: the next block will hold it. */
  readonly commit: Uint8Array;
}

export function blockRows({ id, bytes, block, commit }: SignedBlock): LevelRow[] {
  const { height } = block.header;
  const meta = BlockMeta.encode({
    blockId: toBlockIdMessage(id),
    blockSize: BigInt(bytes.length),
    header: toHeaderMessage(block.header),
    numTxs: BigInt(block.transactions.length),
  }).finish();
  return [
    ...partRows(height, bytes),
    [`H:${height}`, meta],
    [`BH:${Buffer.from(id.hash).toString('hex')}`, Buffer.from(String(height))],
    [`C:${height - 1}`, encodeCommit(block.lastCommit)],
    [`SC:${height}`, commit],
  ];
}

function partRows(height: number, bytes: Uint8Array): LevelRow[] {
  const parts = blockParts(bytes);
  const tree = new MerkleTree(parts);
  return parts.map((part, index): LevelRow => {
    const { total, leafHash, aunts } = tree.proof(index);
    const proof = { total: BigInt(total), index: BigInt(index), leafHash, aunts };
    return [`P:${height}:${index}`, Part.encode({ index, bytes: part, proof }).finish()];
  });
}

/** The range of stored heights: written with the last block. */
export function blockStoreRow(height: number): LevelRow {
  return ['blockStore', message(varintField(1, 1), varintField(2, height))];
}
