/** The path from a leaf of a Merkle tree to its root, step by step (RFC 6962 section 2.1), so that it can be drawn. */
import { upperHex } from '../../../../../client/src/receipt/block.ts';
import { leafHash, nodeHash, split } from '../../../../../client/src/receipt/tree.ts';
import { bytesOf } from './blocks.ts';

export interface Path {
  /** The hash of the leaf. */
  readonly leaf: string;
  readonly steps: readonly PathStep[];
  /** The computed root. */
  readonly root: string;
}

export interface PathStep {
  /** The side of the sibling. */
  readonly side: 'left' | 'right';
  /** The sibling, from the proof. */
  readonly sibling: string;
  /** The hash of both, computed here. */
  readonly parent: string;
}

export interface Proof {
  readonly total: string;
  readonly index: string;
  readonly aunts: readonly string[] | null;
}

/** Undefined if the number of steps in the proof does not match the leaf's place. */
export async function followPath(leaf: Uint8Array, proof: Proof): Promise<Path | undefined> {
  const sides = sidesOf(Number(proof.index), Number(proof.total));
  const aunts = proof.aunts ?? [];
  if (sides?.length !== aunts.length) return undefined;
  const first = await leafHash(leaf);
  let at = first;
  const steps: PathStep[] = [];
  for (const [i, side] of sides.entries()) {
    const aunt = bytesOf(aunts[i] ?? '');
    at = await (side === 'left' ? nodeHash(aunt, at) : nodeHash(at, aunt));
    steps.push({ side, sibling: upperHex(aunt), parent: upperHex(at) });
  }
  return { leaf: upperHex(first), steps, root: upperHex(at) };
}

/** The side of each sibling on the path, from the leaf up. */
function sidesOf(index: number, total: number): PathStep['side'][] | undefined {
  if (!(index >= 0 && index < total)) return undefined;
  if (total === 1) return [];
  const at = split(total);
  return index < at ? [...(sidesOf(index, at) ?? []), 'right'] : [...(sidesOf(index - at, total - at) ?? []), 'left'];
}
