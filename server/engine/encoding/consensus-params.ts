/** Consensus hash: SHA-256 of HashedParams{1 block max_bytes, 2 block max_gas}, no tree (types/params.go, ConsensusParams.Hash). */
import { message, varintField } from './proto.ts';
import { sha256 } from './sha256.ts';

export interface BlockParams {
  /** -1: no limit but CometBFT's own, 104,857,600. */
  maxBytes: number;
  /** -1: no limit. */
  maxGas: number;
}

/** The same for every chain of this ledger: a genesis file with another value is refused. */
export const BLOCK_MAX_GAS = -1;

export function consensusHash(params: BlockParams): Uint8Array {
  return sha256(message(varintField(1, params.maxBytes), varintField(2, params.maxGas)));
}
