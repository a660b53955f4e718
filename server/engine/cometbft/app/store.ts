/** Storage of the application, as small interfaces: the state after the last committed block, and snapshots of it for nodes that join. */
import type { AccountRow, AccountTable, ChainContext, GovernanceState, TreeNodes } from '../../../ledger/index.ts';

/** The whole state after one block. */
export interface StoredState {
  readonly chain: ChainContext;
  /** 0 is genesis. */
  readonly height: number;
  readonly appHash: Uint8Array;
  readonly governance: GovernanceState;
  /** In leaf order. */
  readonly accounts: Iterable<AccountRow>;
}

/** The changes of one block. */
export interface StateChange {
  readonly height: number;
  readonly appHash: Uint8Array;
  readonly accounts: readonly AccountRow[];
  readonly governance: GovernanceState | undefined;
}

/** The accounts and the nodes of their tree in the store, instead of in memory. Writes into them become durable with the commit. */
export interface StatePages {
  readonly accounts: AccountTable;
  readonly nodes: TreeNodes;
}

/** A view of the state of one height that later commits do not change. */
export interface StateReader extends Omit<StoredState, 'accounts'> {
  /** At most `count` accounts in leaf order, from a leaf on. */
  page(fromLeaf: number, count: number): readonly AccountRow[];
  close(): void;
}

/**
 * The state of the last committed block. Each write is one atomic step: after a crash it is there whole, or not at all. It need not be on
 * disk when it returns, because the node executes again what an application lost.
 */
export interface AppStore {
  /** undefined before the first `replace`. */
  load(): StoredState | undefined;
  /** Returns the pages of the committed state. Pages returned before, and uncommitted writes into them, are no longer valid. */
  pages(): StatePages;
  /** Replaces the whole state: by genesis, or a restored snapshot. Accounts are read once, in order, and not kept. */
  replace(state: StoredState): void;
  /** Adds the next block, with the nodes that were written into the pages. Throws when it is not the next. */
  commit(change: StateChange): void;
  /** A reader of the state that is committed at this moment; undefined before the first `replace`. The caller closes it. */
  reader(): StateReader | undefined;
  /** Maintenance between two blocks; `idle` says that no work waits for it. */
  maintain(idle: boolean): void;
  close(): void;
}

/** A snapshot in ABCI's terms. */
export interface SnapshotInfo {
  readonly height: number;
  readonly format: number;
  readonly chunks: number;
  readonly hash: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Snapshots for other nodes. They can be lost: the next one is made some blocks later. */
export interface SnapshotStore {
  /** Keeps one chunk of a snapshot that is being taken. */
  putChunk(height: number, index: number, bytes: Uint8Array): void;
  /** Completes a snapshot, and drops all but the newest `keep`. */
  finish(info: SnapshotInfo, keep: number): void;
  /** Drops the chunks of a snapshot that will not be completed, and one of this height that was. */
  discard(height: number): void;
  /** Newest first; complete ones only. */
  list(): SnapshotInfo[];
  /** One chunk of a complete snapshot. */
  chunk(height: number, format: number, index: number): Uint8Array | undefined;
  close(): void;
}
