/** Data hash and inclusion proofs. A leaf is the transaction's SHA-256, which the tree then hashes once more (types/tx.go, Txs.Hash). */
import { merkleProof, merkleRoot, type MerkleProof } from './merkle.ts';
import { sha256 } from './sha256.ts';

export function dataHash(transactions: readonly Uint8Array[]): Uint8Array {
  return merkleRoot(transactions.map(sha256));
}

/** The same from the hashes of the transactions, which the maker of a block has already. */
export function dataHashOfHashes(hashes: readonly Uint8Array[]): Uint8Array {
  return merkleRoot(hashes);
}

/** Proves that the transaction at `index` is in a block with this data hash. Throws a RangeError when there is no such transaction. */
export function transactionProof(transactions: readonly Uint8Array[], index: number): MerkleProof {
  return merkleProof(transactions.map(sha256), index);
}
