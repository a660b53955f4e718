/**
 * The engine ports: everything that the gateway uses of the chain below it.
 *
 * `Engine` is a network of CometBFT nodes. It runs in another thread, so everything that crosses the port is structured-cloneable data,
 * every call is asynchronous, and new blocks are awaited by long poll: that works over any transport and needs no subscription that could
 * be lost. `LocalEngine` is the embedded one (one process, one validator), on the gateway's own thread.
 *
 * The chain's RPC (its methods, its events, its query language) is part of the port and has files of its own.
 */
import type {
  AccountRow,
  GovernanceState,
  Misbehavior,
  StateView,
  ValidatorPower,
  VerifiedTransaction,
} from '../ledger/index.ts';
import type { Receipt } from './receipt.ts';
import type { RpcEngine } from './rpc/port.ts';

export type { Receipt } from './receipt.ts';
export * from './rpc/port.ts';
export * from './rpc/query.ts';
export { matchesQuery, type CompositeEvents } from './rpc/query-match.ts';
export { PAGE_BYTES_MAX } from './rpc/pages.ts';

/** One final block, with the outcome of each of its transactions. */
export interface CommittedBlock {
  chainId: string;
  height: number;
  /** Block (header) hash, 64 upper-case hex digits. */
  hash: string;
  /** Hash of the block before it; '' at height 1. */
  parentHash: string;
  /** Header time, RFC 3339 with up to nine fractional digits, UTC. */
  time: string;
  /** Header time in whole milliseconds since the Unix epoch, rounded down. */
  timeMs: number;
  /** Header time in nanoseconds since the Unix epoch: the time that the rules use. */
  timeNs: bigint;
  /** Misbehavior in its evidence; absent where there is none. */
  misbehavior?: Misbehavior[];
  /** Raw transactions, in the order of execution. */
  transactions: Uint8Array[];
  /**
   * Result code of each transaction, in the same order. Those of the last committed block may come from one node unconfirmed: see
   * `rejectResults`.
   */
  codes: number[];
  /** Human-readable outcome of each transaction, in the same order; not covered by any hash. */
  logs: string[];
  /** Application hash after this block (the header of the next one has it), upper-case hex. */
  appHash: string;
}

/** The validators that sign the blocks from a height on, until a later set takes over. */
export interface ValidatorSetAt {
  height: number;
  /** Sorted by public key. */
  validators: readonly ValidatorPower[];
}

/** A height up to which a chain was followed, and the facts needed to verify it from there. */
export interface Checkpoint {
  /** The last block that was followed; 0 before the first. */
  height: number;
  /** Upper-case hex; '' at height 0. */
  hash: string;
  /** Its header time, ms since the Unix epoch; genesis time at height 0. */
  timeMs: number;
  /** Governance after that block. */
  governance: GovernanceState;
  /** Every set since genesis, by height, the first one at height 1; the last one may begin two blocks after this one. */
  validatorSets: readonly ValidatorSetAt[];
}

export interface BroadcastItem {
  raw: Uint8Array;
  /** Set only for bytes whose signature this very process verified before. It is never set for bytes read from a database. */
  signatureVerified?: boolean;
  /** The transaction's owner, so that owners can take turns; absent when it is not known. The chain has accounts only. */
  owner?: string;
  /**
   * The account whose nonce it uses or voids, and its hash (64 upper-case hex digits), where the caller has them: the bytes are then not
   * decoded.
   */
  account?: string;
  hash?: string;
  /**
   * The decoded transaction, where the engine runs on the caller's thread and the caller verified it: nothing is then decoded or hashed
   * again.
   */
  transaction?: VerifiedTransaction;
}

/** The mempool's answer. It is advice only: a block settles a transaction, nothing else does. */
export interface BroadcastResult {
  code: number;
  log: string;
}

export interface EngineStatus {
  chainId: string;
  /** Height of the last committed block; 0 before the first. */
  height: number;
  /** Upper-case hex; '' before the first block. */
  lastBlockHash: string;
  /** Header time of the last block, ms since the Unix epoch; 0 before the first. */
  lastBlockTimeMs: number;
  /** Monotonic time since the last block was committed (or since the start), ms. */
  lastBlockAgeMs: number;
  blockIntervalMs: number;
  /** The interval at which an idle chain makes an empty block. */
  idleBlockMs: number;
  /** Transactions waiting for a block. */
  mempoolSize: number;
  /** The engine refuses to sign because of the wall clock: it jumped ahead, or genesis time is still to come. */
  clockHeld: boolean;
  healthy: boolean;
  /** One sentence for the operator: why it is not healthy, or that it is. */
  detail: string;
}

/** A receipt, or why there is none now: the next block does not exist yet, or no node has the data that it is made from. */
export type ReceiptOutcome =
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'no_next_block' }
  | { kind: 'unavailable' };

/** Plain numbers by name, for example height or mempool_transactions. */
export type EngineMetrics = Record<string, number>;

export interface Engine extends RpcEngine {
  /**
   * Sets the checkpoint from which the chain is verified; called once, before anything else but `status`. Its blocks come from untrusted
   * nodes, so the engine returns none before.
   */
  startFrom(checkpoint: Checkpoint): Promise<void>;
  /**
   * The sets that the blocks up to a height decided, in the form of `Checkpoint`. The height is at most that of the last committed block.
   */
  validatorSets(height: number): Promise<ValidatorSetAt[]>;
  /**
   * Reports that the ledger's rules give other codes for a block than `blocks` answered. False when a later block commits to those codes:
   * then the caller contradicts the chain. True when the node that answered may be wrong: the block can be requested again.
   */
  rejectResults(height: number): Promise<boolean>;
  status(): Promise<EngineStatus>;
  /** One result for each item, in order. */
  broadcast(items: readonly BroadcastItem[]): Promise<BroadcastResult[]>;
  /** Committed blocks from a height on, in order; [] when there is none yet. May return fewer than `limit`. */
  blocks(fromHeight: number, limit: number): Promise<CommittedBlock[]>;
  /** Proves a transaction of a block to third parties. The caller has seen in that block that it is there. */
  receipt(height: number, txHash: string): Promise<ReceiptOutcome>;
  /** Resolves with the latest height as soon as it is at least `height`, or at the timeout. */
  waitForHeight(height: number, timeoutMs: number): Promise<number>;
  close(): Promise<void>;
}

/** A block that the engine on this thread has executed: what settles with it is written in the same transaction. */
export interface ExecutedTransactions {
  height: number;
  /** 64 upper-case hex digits. */
  hash: string;
  /** Header time, ms since the Unix epoch. */
  timeMs: number;
  /** The same in nanoseconds. */
  timeNs: bigint;
  transactions: readonly VerifiedTransaction[];
  /** Result code of each transaction, in the same order. */
  codes: readonly number[];
  /** The accounts that the block changed, as they are after it. */
  accounts: readonly AccountRow[];
  governance: GovernanceState | undefined;
  /** The wall clock as it was read for this block, ms since the Unix epoch. */
  readMs: number;
}

/** A state whose accounts have numbers, which never change. */
export interface LocalState extends StateView {
  /** The leaf of an account in the tree; undefined for an address that has none. */
  leafOf(address: string): number | undefined;
}

/** An engine on the caller's own thread, whose state can be read at once, and whose blocks the caller settles as they are made. */
export interface LocalEngine extends Omit<
  Engine,
  'startFrom' | 'validatorSets' | 'rejectResults' | 'blocks' | 'close'
> {
  /** The state after the last block. */
  readonly state: LocalState;
  /** The last block; hash '' and genesis time before the first. */
  readonly tip: { height: number; hash: string; timeMs: number };
  /** The wall clock, milliseconds since 1970; while it is too far ahead to sign by, its expected value. */
  readonly clockMs: number;
  /**
   * Makes a block soon after this moment (milliseconds since 1970), with a header later than it, though no transaction waits; undefined
   * cancels this.
   */
  expectTime(ms: number | undefined): void;
}
