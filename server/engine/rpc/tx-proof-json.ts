/** The proof that a transaction is in a block, in CometBFT's JSON (types/tx.go, TxProof, v0.38). */
import { upperHex, type MerkleProof } from '../encoding/index.ts';
import { base64 } from './go-json.ts';

export function txProofJson(dataHash: Uint8Array, raw: Uint8Array, proof: MerkleProof) {
  return {
    root_hash: upperHex(dataHash),
    data: base64(raw),
    proof: {
      total: String(proof.total),
      index: String(proof.index),
      leaf_hash: base64(proof.leafHash),
      aunts: proof.aunts.map(base64),
    },
  };
}
