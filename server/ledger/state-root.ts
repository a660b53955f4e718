/**
 * The app hash of a state whose accounts come one after the other, in leaf order, and are not kept: 32 bytes for each level of the tree.
 *
 * For a state from an untrusted sender. Only its end shows whether it is the right one, and until then it must not fill memory.
 */
import type { Account } from './account.ts';
import { sha256 } from './bytes.ts';
import { governanceEntries, leafHashOf, topTree } from './commitment.ts';
import { emptyRoot, HASH_BYTES, INNER_PREFIX } from './merkle.ts';
import { valueLeafHash } from './proof.ts';
import type { GovernanceState } from './state.ts';
import { VectorTree } from './tree.ts';

export class StateRoot {
  /** Roots of full subtrees of 2^height leaves each, from the left, ever smaller: those that the binary form of `#leaves` names. */
  readonly #subtrees: Uint8Array[] = [];
  #leaves = 0;
  readonly #scratch = Buffer.alloc(1 + 2 * HASH_BYTES, INNER_PREFIX);

  /** Accounts so far. */
  get leaves(): number {
    return this.#leaves;
  }

  add(address: string, account: Account): void {
    let node = leafHashOf({ address, account });
    for (let bits = this.#leaves; bits % 2 === 1; bits = Math.floor(bits / 2))
      node = this.#inner(this.#subtrees.pop() as Uint8Array, node);
    this.#subtrees.push(node);
    this.#leaves += 1;
  }

  appHash(governance: GovernanceState): Uint8Array {
    const tree = new VectorTree();
    governanceEntries(governance).forEach(([key, value], leaf) => tree.set(leaf, valueLeafHash(key, value)));
    return topTree({ accounts: this.#accountsRoot(), governance: tree.root() }).root();
  }

  #accountsRoot(): Uint8Array {
    const [last, ...larger] = this.#subtrees.toReversed();
    if (last === undefined) return emptyRoot();
    return larger.reduce((right, left) => this.#inner(left, right), last);
  }

  #inner(left: Uint8Array, right: Uint8Array): Uint8Array {
    this.#scratch.set(left, 1);
    this.#scratch.set(right, 1 + HASH_BYTES);
    return sha256(this.#scratch);
  }
}
