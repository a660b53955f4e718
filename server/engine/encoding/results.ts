/**
 * Results hash (last_results_hash of the next header): the root over the deterministic part of each result
 * (types/results.go, NewResults and deterministicExecTxResult).
 *
 * Log, info, events and codespace are left out by CometBFT: they may differ between replicas without forking the chain.
 * Encoded by hand because a block has a thousand of them and a generated codec costs more than twice as much.
 */
import { leafHash, MerkleTree, merkleRootOfAlike } from './merkle.ts';
import { bytesField, message, varintField } from './proto.ts';

export interface DeterministicResult {
  code: number;
  data: Uint8Array;
  gasWanted: bigint;
  gasUsed: bigint;
}

export function resultsHash(results: readonly DeterministicResult[]): Uint8Array {
  return merkleRootOfAlike(
    results.map((result) => (isPlainOk(result) ? OK_LEAF_HASH : leafHash(encodeResult(result)))),
  );
}

/** The tree for proofs that one result is among those of a block. */
export function resultsTree(results: readonly DeterministicResult[]): MerkleTree {
  return new MerkleTree(results.map(encodeResult));
}

/** Nearly every result of a block is this one, whose encoding has no byte at all. */
const OK_LEAF_HASH = leafHash(new Uint8Array(0));

function isPlainOk({ code, data, gasWanted, gasUsed }: DeterministicResult): boolean {
  return code === 0 && data.length === 0 && gasWanted === 0n && gasUsed === 0n;
}

function encodeResult(result: DeterministicResult): Buffer {
  return message(
    varintField(1, result.code),
    bytesField(2, result.data),
    varintField(5, result.gasWanted),
    varintField(6, result.gasUsed),
  );
}
