/**
 * Checks in the browser that the state after a block holds an account: the value hashes to a leaf, the leaf leads to the root of the accounts,
 * and that root leads to the app hash, which the header of the block after it carries. CometBFT's `simple:v` operations
 * (crypto/merkle/proof_value.go, v0.38), the inner one first.
 */
import type { Bytes } from '../../../../../client/src/crypto/bytes.ts';
import { sha256 } from '../../../../../client/src/crypto/sha256.ts';
import { toHex } from '../../../../../client/src/crypto/hex.ts';
import { leafHash, pathRoot } from '../../../../../client/src/receipt/tree.ts';
import { delimited, join } from '../../../../../client/src/receipt/wire.ts';

/** A proof operation in the form of the RPC: base64. */
export interface ProofOp {
  readonly type: string;
  readonly key: string;
  readonly data: string;
}

export interface StateAnswer {
  /** Base64; null for a key that has no value. */
  readonly value: string | null;
  readonly key: string | null;
  readonly height: string;
  readonly proofOps: { readonly ops: readonly ProofOp[] } | null;
}

/** One step of a proof, for showing. Hashes in upper-case hex. */
export interface ProvenStep {
  readonly key: string;
  readonly index: number;
  readonly total: number;
  readonly leaf: string;
  readonly aunts: readonly string[];
  readonly root: string;
}

export type StateProof =
  | { readonly ok: true; readonly value: string; readonly steps: readonly ProvenStep[] }
  | { readonly ok: false; readonly message: string };

const STORE = 'accounts';
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const hex = (bytes: Uint8Array): string => toHex(bytes).toUpperCase();
const fromBase64 = (base64: string): Bytes => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** `appHash`: of the header of block `height` + 1, in upper-case hex. */
export async function checkStateProof(
  { value, proofOps }: StateAnswer,
  address: string,
  appHash: string,
): Promise<StateProof> {
  const fail = (message: string): StateProof => ({ ok: false, message });
  if (value === null || proofOps === null) return fail('The answer has no proof.');
  const keys = [address, STORE];
  if (proofOps.ops.length !== keys.length)
    return fail(`The proof has ${proofOps.ops.length} steps instead of ${keys.length}.`);
  let proven: Bytes = fromBase64(value);
  const steps: ProvenStep[] = [];
  for (const [i, { type, key, data }] of proofOps.ops.entries()) {
    if (type !== 'simple:v' || text(fromBase64(key)) !== keys[i])
      return fail(`Step ${i + 1} of the proof is of another key.`);
    const op = readValueOp(fromBase64(data));
    if (op === undefined || text(op.key) !== keys[i]) return fail(`Step ${i + 1} of the proof cannot be read.`);
    const leaf = await leafHash(join(delimited(op.key), delimited(await sha256(proven))));
    if (hex(leaf) !== hex(op.leaf))
      return fail(
        i === 0 ? 'The value is not the one that the proof is of.' : 'The accounts are not those that the proof is of.',
      );
    const root = await pathRoot(leaf, op.index, op.total, op.aunts);
    if (root === undefined) return fail(`Step ${i + 1} of the proof leads nowhere.`);
    steps.push({
      key: keys[i] as string,
      index: op.index,
      total: op.total,
      leaf: hex(leaf),
      aunts: op.aunts.map(hex),
      root: hex(root),
    });
    proven = root;
  }
  return hex(proven) === appHash
    ? { ok: true, value: text(fromBase64(value)), steps }
    : fail('The proof does not lead to the app hash of the header.');
}

interface ValueOp {
  key: Uint8Array;
  total: number;
  index: number;
  leaf: Uint8Array;
  aunts: Uint8Array[];
}

/** ValueOp{1 key, 2 Proof{1 total, 2 index, 3 leaf_hash, 4 aunts}}; undefined for any other operator. */
function readValueOp(bytes: Uint8Array): ValueOp | undefined {
  const op = readMessage(bytes);
  const key = op?.find(({ field }) => field === 1)?.value;
  const inner = op?.find(({ field }) => field === 2)?.value;
  const proof = inner instanceof Uint8Array ? readMessage(inner) : undefined;
  if (!(key instanceof Uint8Array) || proof === undefined) return undefined;
  const one = (field: number) => proof.find((each) => each.field === field)?.value;
  const [total, index, leaf] = [one(1) ?? 0, one(2) ?? 0, one(3)];
  const aunts = proof.filter(({ field }) => field === 4).map(({ value }) => value);
  if (typeof total !== 'number' || typeof index !== 'number' || !(leaf instanceof Uint8Array)) return undefined;
  return { key, total, index, leaf, aunts: aunts.filter((aunt) => aunt instanceof Uint8Array) };
}

/** Returns the fields of a protobuf message that has only varints and bytes; undefined for any other message. */
function readMessage(bytes: Uint8Array): { field: number; value: number | Uint8Array }[] | undefined {
  const fields: { field: number; value: number | Uint8Array }[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = varint();
    if (!Number.isSafeInteger(tag) || !Number.isSafeInteger(number) || (tag & 7) === 1 || (tag & 7) > 2)
      return undefined;
    if ((tag & 7) === 2 && at + number > bytes.length) return undefined;
    fields.push({ field: tag >>> 3, value: (tag & 7) === 2 ? bytes.subarray(at, (at += number)) : number });
  }
  return fields;
}
