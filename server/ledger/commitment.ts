/**
 * What is committed to and how: the keys and values of both stores, and the app hash over them.
 *
 * Values are canonical JSON because they are what `abci_query` answers and proves: a client reads them without a schema of ours.
 */
import type { Account } from './account.ts';
import { latin1Bytes } from './bytes.ts';
import { type ProofOp, valueLeafHash, valueOp } from './proof.ts';
import type { GovernanceState } from './state.ts';
import { VectorTree } from './tree.ts';

export type StoreName = 'accounts' | 'governance';

/** Sorted: the top tree's leaves stand in this order. */
const STORE_NAMES: readonly StoreName[] = ['accounts', 'governance'];

/** The key of an account is its address; everything here is ASCII. */
export function accountKey(address: string): Uint8Array {
  return latin1Bytes(address);
}

/** `void` is the bit map in hex, highest bit first, without leading zeros, empty when no nonce ahead is void. */
export function accountValue({ balance, nonce, voids }: Account): Uint8Array {
  return latin1Bytes(`{"balance":"${balance}","nonce":${nonce},"void":"${voids === 0n ? '' : voids.toString(16)}"}`);
}

/** The governance record as leaves of its store, in leaf order. */
export function governanceEntries(state: GovernanceState): readonly (readonly [key: string, value: Uint8Array])[] {
  const validators = state.validators.map(({ publicKey, power }) => `{"power":${power},"publicKey":"${publicKey}"}`);
  return [
    ['operators', latin1Bytes(`[${state.operators.map((operator) => `"${operator}"`).join(',')}]`)],
    ['sequence', latin1Bytes(String(state.sequence))],
    ['validators', latin1Bytes(`[${validators.join(',')}]`)],
  ];
}

/** The tree over {store name -> store root}; its root is the app hash. */
export function topTree(roots: Readonly<Record<StoreName, Uint8Array>>): VectorTree {
  const tree = new VectorTree();
  STORE_NAMES.forEach((name, index) => tree.set(index, valueLeafHash(latin1Bytes(name), roots[name])));
  return tree;
}

/** The outer operation of every proof: the store's root in the app hash. */
export function storeProofOp(top: VectorTree, name: StoreName): ProofOp {
  const inclusion = top.proof(STORE_NAMES.indexOf(name));
  if (!inclusion) throw new RangeError(`no store ${name}`);
  return valueOp(latin1Bytes(name), inclusion);
}
