/**
 * State proofs as CometBFT's `simple:v` operations (crypto/merkle/proof_value.go, v0.38), so that stock light clients and proxies verify them
 * without a line of our code.
 */
import { sha256 } from './bytes.ts';
import { leafHash } from './merkle.ts';
import type { Inclusion } from './tree.ts';

/** One step of a proof; a list of them runs from the value outwards to the app hash. */
export interface ProofOp {
  readonly type: 'simple:v';
  readonly key: Uint8Array;
  /** Protobuf ValueOp. */
  readonly data: Uint8Array;
}

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;

function uvarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function tag(field: number, wire: number): Uint8Array {
  return Uint8Array.of((field << 3) | wire);
}

function bytesField(field: number, value: Uint8Array): Uint8Array[] {
  return [tag(field, WIRE_BYTES), uvarint(value.length), value];
}

/** proto3 leaves a zero out. */
function integerField(field: number, value: number): Uint8Array[] {
  return value === 0 ? [] : [tag(field, WIRE_VARINT), uvarint(value)];
}

/** Hash of the leaf for a key and its value: H(0x00 || lp(key) || lp(H(value))), lp being an unsigned varint length before the bytes. */
export function valueLeafHash(key: Uint8Array, value: Uint8Array): Uint8Array {
  const valueHash = sha256(value);
  return leafHash(Buffer.concat([uvarint(key.length), key, uvarint(valueHash.length), valueHash]));
}

/** ValueOp{1 key, 2 Proof{1 total, 2 index, 3 leaf_hash, 4 aunts}}. */
export function valueOp(key: Uint8Array, inclusion: Inclusion): ProofOp {
  const proof = Buffer.concat([
    ...integerField(1, inclusion.total),
    ...integerField(2, inclusion.index),
    ...bytesField(3, inclusion.leafHash),
    ...inclusion.aunts.flatMap((aunt) => bytesField(4, aunt)),
  ]);
  return { type: 'simple:v', key, data: Buffer.concat([...bytesField(1, key), ...bytesField(2, proof)]) };
}
