/**
 * State proofs as CometBFT's `simple:v` operations (crypto/merkle/proof_value.go, v0.38), so that stock light clients and proxies verify
 * them without a line of our code.
 */
import { sha256, sha256Into } from './bytes.ts';
import { HASH_BYTES, LEAF_PREFIX } from './merkle.ts';
import type { Inclusion } from './tree.ts';

/** One step of a proof; a list of them runs from the value outwards to the app hash. */
export interface ProofOp {
  readonly type: 'simple:v';
  readonly key: Uint8Array;
  /** Protobuf ValueOp. */
  readonly data: Uint8Array;
}

/** Longest key in any store: a length that a varint holds in one byte. */
const KEY_BYTES_MAX = 127;

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

/** Prefix, length, key, length, hash of the value: kept, because allocating it would cost more than the hash over it. */
const scratch = Buffer.alloc(1 + 1 + KEY_BYTES_MAX + 1 + HASH_BYTES);

/**
 * Hash of the leaf for a key and its value: H(0x00 || lp(key) || lp(H(value))), lp being an unsigned varint length before the bytes. Keys
 * and values are ASCII, and a key is shorter than 128 bytes, so that both lengths are one byte. This runs for every account that a block
 * touches.
 */
export function valueLeafHash(key: string, value: string | Uint8Array): Uint8Array {
  if (key.length > KEY_BYTES_MAX) throw new RangeError(`a key has at most ${KEY_BYTES_MAX} bytes`);
  scratch[0] = LEAF_PREFIX;
  scratch[1] = key.length;
  const end = 2 + scratch.write(key, 2, 'latin1');
  scratch[end] = HASH_BYTES;
  sha256Into(scratch, end + 1, value);
  return sha256(scratch.subarray(0, end + 1 + HASH_BYTES));
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
