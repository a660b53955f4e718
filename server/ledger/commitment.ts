/**
 * Commitment of the state: the keys and values of both stores, and the app hash over them.
 *
 * The key of an account is its address. Values are canonical JSON because they are what `abci_query` answers and proves: a client reads
 * them without a schema of ours. Keys and values are ASCII, and text until they are hashed or returned.
 */
import type { Account, AccountRow } from './account.ts';
import { latin1Bytes } from './bytes.ts';
import { type ProofOp, valueLeafHash, valueOp } from './proof.ts';
import type { GovernanceState } from './state.ts';
import { VectorTree } from './tree.ts';

export type StoreName = 'accounts' | 'governance';

/** Sorted: the leaves of the top tree are in this order. */
const STORE_NAMES: readonly StoreName[] = ['accounts', 'governance'];

/** The key under which an account is proved. */
export function accountKey(address: string): Uint8Array {
  return latin1Bytes(address);
}

/** `void` is the bit map in hex, highest bit first, without leading zeros, empty when no nonce ahead is void. */
export function accountValue({ balance, nonce, voids }: Account): string {
  return `{"balance":"${balance}","nonce":${nonce},"void":"${voids === 0n ? '' : voids.toString(16)}"}`;
}

/** The leaf of an account in the tree of its store. */
export function leafHashOf({ address, account }: Pick<AccountRow, 'address' | 'account'>): Uint8Array {
  return valueLeafHash(address, accountValue(account));
}

function list(values: readonly string[]): string {
  return `[${values.join(',')}]`;
}

/**
 * The governance record as leaves of its store, in leaf order: sorted by key. The constants of genesis are in it too, because a state from
 * an untrusted source (a snapshot) is checked by its app hash alone, and rules read them.
 */
export function governanceEntries(state: GovernanceState): readonly (readonly [key: string, value: string])[] {
  const { cancellers, currency, governors, openingMinimum, rules, sequence, threshold, validators } = state;
  const texts = (values: readonly string[]) => list(values.map((value) => `"${value}"`));
  return [
    ['cancellers', texts(cancellers)],
    ['currency', `{"code":"${currency.code}","scale":${currency.scale}}`],
    ['governors', texts(governors)],
    ['openingMinimum', `"${openingMinimum}"`],
    ['rules', list(rules.map(({ version, height }) => `{"height":${height},"version":${version}}`))],
    ['sequence', String(sequence)],
    ['threshold', String(threshold)],
    ['validators', list(validators.map(({ publicKey, power }) => `{"power":${power},"publicKey":"${publicKey}"}`))],
  ];
}

/** The tree over {store name -> store root}; its root is the app hash. */
export function topTree(roots: Readonly<Record<StoreName, Uint8Array>>): VectorTree {
  const tree = new VectorTree();
  STORE_NAMES.forEach((name, index) => tree.set(index, valueLeafHash(name, roots[name])));
  return tree;
}

/** The outer operation of every proof: the store's root in the app hash. */
export function storeProofOp(top: VectorTree, name: StoreName): ProofOp {
  const inclusion = top.proof(STORE_NAMES.indexOf(name));
  if (!inclusion) throw new RangeError(`no store ${name}`);
  return valueOp(latin1Bytes(name), inclusion);
}
