/**
 * The committed state with its commitment, in memory or over storage that keeps accounts and nodes of the tree elsewhere.
 *
 * In memory it is rebuilt at start from the rows that commit() returns, which is why each row carries the leaf index: the order of leaves
 * is part of the app hash and cannot be recovered from the accounts alone.
 */
import type { Account, AccountRow } from './account.ts';
import type { AccountTable } from './account-table.ts';
import { ownText } from './bytes.ts';
import type { ChainContext } from './chain.ts';
import { governanceEntries, leafHashOf, type StoreName } from './commitment.ts';
import type { FinalizedBlock } from './finalize.ts';
import type { GenesisDocument } from './genesis.ts';
import { genesisGovernance } from './governance-after.ts';
import { type ProofOp, valueLeafHash } from './proof.ts';
import { StateHistory } from './state-history.ts';
import { StateVersion, type VersionUndo } from './state-version.ts';
import type { GovernanceState, StateView } from './state.ts';
import { HeapNodes, type TreeNodes } from './tree-nodes.ts';
import { VectorTree } from './tree.ts';

export interface StateSnapshot {
  /** In any order. */
  readonly accounts: Iterable<AccountRow>;
  readonly governance: GovernanceState;
  /** Height of the last block that is in it; 0 is genesis. */
  readonly height: number;
}

/** A state that is kept elsewhere: `nodes` are those of the tree over all of `accounts`. */
export interface StateStorage {
  readonly accounts: AccountTable;
  readonly nodes: TreeNodes;
  readonly governance: GovernanceState;
  readonly height: number;
}

/** Changes of a block that a store must write, in one atomic step with the height. */
export interface CommittedState {
  readonly appHash: Uint8Array;
  readonly accounts: readonly AccountRow[];
  readonly governance?: GovernanceState;
}

export class LedgerState implements StateView {
  readonly chain: ChainContext;
  readonly #rows: AccountTable;
  readonly #accountTree: VectorTree;
  readonly #governanceTree = new VectorTree();
  readonly #history = new StateHistory();
  #governance: GovernanceState;
  #height: number;
  #now: StateVersion;

  private constructor(chain: ChainContext, { accounts, nodes, governance, height }: StateStorage) {
    this.chain = { chainId: chain.chainId, addressPrefix: chain.addressPrefix };
    this.#rows = accounts;
    this.#accountTree = new VectorTree(nodes, accounts.size);
    this.#governance = governance;
    this.#writeGovernance(governance);
    this.#height = height;
    this.#now = this.#version([]);
  }

  /** The state that every replica starts from, at height 0. */
  static fromGenesis(genesis: GenesisDocument): LedgerState {
    return LedgerState.restore(genesis, {
      accounts: genesis.accounts.map(({ address, balance }, leaf) => ({
        address,
        leaf,
        account: { balance, nonce: 0, voids: 0n },
      })),
      governance: genesisGovernance(genesis),
      height: 0,
    });
  }

  /** The state that was persisted. Throws if rows are missing or doubled: going on would mean another app hash than every other replica. */
  static restore(chain: ChainContext, snapshot: StateSnapshot): LedgerState {
    const storage = {
      accounts: new Map<string, AccountRow>(),
      nodes: new HeapNodes(),
      governance: snapshot.governance,
      height: snapshot.height,
    };
    const rows = [...snapshot.accounts].sort((a, b) => a.leaf - b.leaf);
    const tree = new VectorTree(storage.nodes);
    for (const [leaf, row] of rows.entries()) {
      // A missing or doubled leaf means a damaged store, and another app hash.
      if (row.leaf !== leaf || storage.accounts.has(row.address))
        throw new Error(`the stored accounts are damaged at leaf ${leaf}`);
      storage.accounts.set(row.address, row);
      tree.set(leaf, leafHashOf(row));
    }
    tree.root();
    return new LedgerState(chain, storage);
  }

  /**
   * Opens the state whose accounts and nodes are in this storage; it reads only the root. Commits go into the storage, which persists them:
   * the caller compares `appHash` with the recorded one, and opens another state after a block that was not committed.
   */
  static open(chain: ChainContext, storage: StateStorage): LedgerState {
    return new LedgerState(chain, storage);
  }

  /** Height of the last committed block; 0 is genesis. */
  get height(): number {
    return this.#height;
  }

  get accountCount(): number {
    return this.#rows.size;
  }

  /** 32 bytes; the app hash in the header of the block after this one. */
  get appHash(): Uint8Array {
    return this.#now.appHash;
  }

  account(address: string): Account | undefined {
    return this.#rows.get(address)?.account;
  }

  governance(): GovernanceState {
    return this.#governance;
  }

  /** The leaf of an account in the tree, which it keeps forever; undefined for an address that has none. */
  leafOf(address: string): number | undefined {
    return this.#rows.get(address)?.leaf;
  }

  /** This is the state between two blocks. */
  governanceBefore(): GovernanceState {
    return this.#governance;
  }

  /** Applies an executed block, the next height, and returns what to persist. */
  commit(block: FinalizedBlock): CommittedState {
    const rows: AccountRow[] = [];
    const rowsBefore = new Map<string, AccountRow | undefined>();
    const governanceBefore = this.#governance;
    for (const [address, account] of block.accounts) {
      const before = this.#rows.get(address);
      // A permanent string must not keep the text of the transfer that it was cut from in memory.
      const own = before?.address ?? ownText(address);
      const row = { address: own, leaf: before?.leaf ?? this.#rows.size, account };
      rowsBefore.set(own, before);
      this.#write(row);
      rows.push(row);
    }
    if (block.governance) this.#writeGovernance(block.governance);
    this.#history.push({
      accounts: rowsBefore,
      governance: governanceBefore,
      accountTree: this.#accountTree.checkpoint(),
      governanceTree: this.#governanceTree.checkpoint(),
    });
    this.#height += 1;
    this.#now = this.#version([]);
    return { appHash: this.appHash, accounts: rows, ...(block.governance ? { governance: block.governance } : {}) };
  }

  /** Sum of all balances, added up again. */
  supply(): bigint {
    let sum = 0n;
    for (const { account } of this.#rows.values()) sum += account.balance;
    return sum;
  }

  /** Every account in the order of its leaf. */
  leaves(): Iterable<AccountRow> {
    // A Map, too, keeps the order of first insertion, which is the order in which leaves were given.
    return this.#rows.values();
  }

  /** The value under a key and the operations that lead from it to appHash; undefined when the key does not exist. */
  prove(store: StoreName, key: Uint8Array): { value: Uint8Array; ops: ProofOp[] } | undefined {
    return this.#now.prove(store, key);
  }

  /** Lowest height that `at` still answers. Since a restart there are only the blocks made since. */
  get oldestHeight(): number {
    return this.#height - this.#history.length;
  }

  /** The state after this block; undefined when it is not kept or not there yet. Valid until the next commit. */
  at(height: number): StateVersion | undefined {
    const since = this.#history.last(this.#height - height);
    return since && this.#version(since, height);
  }

  #write(row: AccountRow): void {
    this.#rows.set(row.address, row);
    this.#accountTree.set(row.leaf, leafHashOf(row));
  }

  #writeGovernance(governance: GovernanceState): void {
    this.#governance = governance;
    governanceEntries(governance).forEach(([key, value], leaf) => {
      this.#governanceTree.set(leaf, valueLeafHash(key, value));
    });
  }

  #version(since: readonly VersionUndo[], height = this.#height): StateVersion {
    const current = {
      rows: this.#rows,
      governance: this.#governance,
      accountTree: this.#accountTree,
      governanceTree: this.#governanceTree,
    };
    return new StateVersion(height, current, since);
  }
}
