/** Merkle proofs in CometBFT's JSON (crypto/merkle/proof.go, and types/tx.go, TxProof, v0.38). */
import { upperHex, type MerkleProof } from '../encoding/index.ts';
import { base64 } from './go-json.ts';

export function proofJson({ total, index, leafHash, aunts }: MerkleProof) {
  return { total: String(total), index: String(index), leaf_hash: base64(leafHash), aunts: aunts.map(base64) };
}

export function txProofJson(dataHash: Uint8Array, raw: Uint8Array, proof: MerkleProof) {
  return {
    root_hash: upperHex(dataHash),
    data: base64(raw),
    proof: proofJson(proof),
  };
}
