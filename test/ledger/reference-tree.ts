/**
 * RFC 6962 section 2.1 to the letter (the same text in RFC 9162): recursion, split at the largest power of two below n, and the audit path
 * verified by RFC 9162 section 2.1.3.2. Slow and independent of the tree under test.
 */
import { createHash } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
export const leaf = (data: Uint8Array) => sha256(Buffer.of(0), data);
const inner = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.of(1), left, right);

/** MTH over the hashes of leaves. */
export function rootOf(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return Buffer.from(leaves[0]!);
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return inner(rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
}

/** The root that an audit path leads to, or undefined when the path cannot belong to that place. */
export function rootFromPath(
  index: number,
  total: number,
  leafHash: Uint8Array,
  path: readonly Uint8Array[],
): Buffer | undefined {
  if (index >= total) return undefined;
  let fn = index;
  let sn = total - 1;
  let r: Buffer = Buffer.from(leafHash);
  for (const p of path) {
    if (sn === 0) return undefined;
    if (fn % 2 === 1 || fn === sn) {
      r = inner(p, r);
      while (fn % 2 === 0 && fn !== 0) {
        fn >>= 1;
        sn >>= 1;
      }
    } else {
      r = inner(r, p);
    }
    fn >>= 1;
    sn >>= 1;
  }
  return sn === 0 ? r : undefined;
}

interface DecodedField {
  readonly field: number;
  readonly value: number | Uint8Array;
}

/** Protobuf by its wire format: varints and length-delimited fields, nothing else. */
function fieldsOf(message: Uint8Array): DecodedField[] {
  const fields: DecodedField[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++]!;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    if (tag % 8 === 0) fields.push({ field: tag >> 3, value: varint() });
    else {
      const length = varint();
      if (tag % 8 !== 2 || at + length > message.length) throw new Error('the operation is no protobuf message');
      fields.push({ field: tag >> 3, value: message.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

/** What a light client does with `simple:v` operations (CometBFT crypto/merkle, ValueOp.Run): the app hash they lead to. */
export function runProofOps(
  value: Uint8Array,
  ops: readonly { type: string; key: Uint8Array; data: Uint8Array }[],
): Buffer {
  let current: Buffer = Buffer.from(value);
  for (const op of ops) {
    const [key, proof] = fieldsOf(op.data).map(({ value }) => value as Uint8Array);
    const fields = fieldsOf(proof!);
    const number = (field: number) => (fields.find((f) => f.field === field)?.value as number | undefined) ?? 0;
    const bytes = (field: number) => fields.filter((f) => f.field === field).map(({ value }) => value as Uint8Array);
    const valueHash = sha256(current);
    const expected = leaf(Buffer.concat([Buffer.of(op.key.length), op.key, Buffer.of(32), valueHash]));
    if (op.type !== 'simple:v' || !Buffer.from(key!).equals(op.key))
      throw new Error('the operation is for another key');
    if (!expected.equals(bytes(3)[0]!)) throw new Error('the leaf is not of this key and value');
    const root = rootFromPath(number(2), number(1), bytes(3)[0]!, bytes(4));
    if (!root) throw new Error('the path does not fit its place');
    current = root;
  }
  return current;
}
