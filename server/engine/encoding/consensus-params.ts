/** Consensus hash: SHA-256 of HashedParams{1 block max_bytes, 2 block max_gas}, no tree (types/params.go, ConsensusParams.Hash). */
import { message, varintField } from './proto.ts';
import { sha256 } from './sha256.ts';

export interface BlockParams {
  /** -1: no limit but the built-in one; the application then sees the whole mempool when it prepares a block. */
  maxBytes: number;
  /** -1: no limit. */
  maxGas: number;
}

/** The parameters of every chain of ours; genesis is refused when its block.max_bytes is another. */
export const BLOCK_PARAMS: BlockParams = { maxBytes: -1, maxGas: -1 };

export function consensusHash(params: BlockParams): Uint8Array {
  return sha256(message(varintField(1, params.maxBytes), varintField(2, params.maxGas)));
}
