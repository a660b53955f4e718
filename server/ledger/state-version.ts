/**
 * The committed state as it was at some height, seen through the undo records of everything since.
 *
 * The application hash after a block is in the header of the next one, so a client that wants to verify a value needs a state that is at
 * least one block old.
 */
import type { Account, AccountRow } from './account.ts';
import type { AccountTable } from './account-table.ts';
import { latin1Bytes, latin1Text } from './bytes.ts';
import { accountValue, governanceEntries, type StoreName, storeProofOp, topTree } from './commitment.ts';
import { type ProofOp, valueOp } from './proof.ts';
import type { GovernanceState } from './state.ts';
import type { TreeUndo } from './tree-undo.ts';
import type { VectorTree } from './tree.ts';

/** State that one block overwrote. */
export interface VersionUndo {
  /** Rows as they were; undefined for an account that did not exist. */
  readonly accounts: ReadonlyMap<string, AccountRow | undefined>;
  readonly governance: GovernanceState;
  readonly accountTree: TreeUndo;
  readonly governanceTree: TreeUndo;
}

/** The state of now, by reference. */
export interface CurrentState {
  readonly rows: Pick<AccountTable, 'get'>;
  readonly governance: GovernanceState;
  readonly accountTree: VectorTree;
  readonly governanceTree: VectorTree;
}

/** Valid until the next block is committed: make a new one then. */
export class StateVersion {
  readonly height: number;
  readonly #current: CurrentState;
  /** Oldest first. */
  readonly #since: readonly VersionUndo[];
  readonly #top: VectorTree;

  constructor(height: number, current: CurrentState, since: readonly VersionUndo[]) {
    this.height = height;
    this.#current = current;
    this.#since = since;
    this.#top = topTree({
      accounts: current.accountTree.root(this.#treeUndos('accountTree')),
      governance: current.governanceTree.root(this.#treeUndos('governanceTree')),
    });
  }

  /** 32 bytes; the app hash in the header of the block after this height. */
  get appHash(): Uint8Array {
    return this.#top.root();
  }

  account(address: string): Account | undefined {
    return this.#row(address)?.account;
  }

  governance(): GovernanceState {
    return this.#since[0]?.governance ?? this.#current.governance;
  }

  /** The value under a key and the operations that lead from it to appHash; undefined when there was no such key. */
  prove(store: StoreName, key: Uint8Array): { value: Uint8Array; ops: ProofOp[] } | undefined {
    const found = store === 'accounts' ? this.#findAccount(key) : this.#findGovernance(key);
    if (!found) return undefined;
    const { name, leaf, value } = found;
    const inclusion = this.#current[name].proof(leaf, this.#treeUndos(name));
    return inclusion && { value: latin1Bytes(value), ops: [valueOp(key, inclusion), storeProofOp(this.#top, store)] };
  }

  #findAccount(key: Uint8Array) {
    const row = this.#row(latin1Text(key));
    return row && { name: 'accountTree' as const, leaf: row.leaf, value: accountValue(row.account) };
  }

  #findGovernance(key: Uint8Array) {
    const name = latin1Text(key);
    const entries = governanceEntries(this.governance());
    const leaf = entries.findIndex(([entry]) => entry === name);
    const entry = entries[leaf];
    return entry && { name: 'governanceTree' as const, leaf, value: entry[1] };
  }

  #row(address: string): AccountRow | undefined {
    for (const { accounts } of this.#since) if (accounts.has(address)) return accounts.get(address);
    return this.#current.rows.get(address);
  }

  #treeUndos(name: 'accountTree' | 'governanceTree'): TreeUndo[] {
    return this.#since.map((undo) => undo[name]);
  }
}
