/**
 * The embedded chain: makes a block, signs it, executes it and stores all of it, in one durable step.
 *
 * Nothing of a block is visible before that step is on disk, and then everything is: block, commit, signature, accounts, results, and what
 * `settle` writes. A crash before it leaves nothing of the block; the signature that was made for it never left the process.
 *
 * The state in memory advances before the step is on disk, because the step holds the state's hash. When the step fails, memory is ahead of
 * the disk and must not be used further: the process has to end. Until then `tip` is still the last block on disk, and reads by height of
 * the tip are correct.
 */
import { encodeCommit, BLOCK_ID_FLAG_COMMIT, NS_PER_MS, nsToMs, resultsHash, type Commit } from '../encoding/index.ts';
import {
  type AccountRow,
  type GovernanceState,
  type LedgerState,
  type PreparedBlock,
  type VerifiedTransaction,
} from '../../ledger/index.ts';
import type { Clock } from '../ports.ts';
import type { ChainConstants } from './chain-constants.ts';
import { ClockGuard, type ClockReading } from './clock-guard.ts';
import { nextBlock, type Tip } from './next-block.ts';
import type { PrecommitSigner, SignedPrecommit } from './precommit-signer.ts';
import { failuresOf, type StoredResult } from '../results.ts';
import type { ChainStore, StoredBlock } from './stores.ts';

/** Block time strictly increases: a vote is at least this much after its block's header. */
const TIME_STEP_NS = NS_PER_MS;

export interface ChainParts {
  constants: ChainConstants;
  store: ChainStore;
  state: LedgerState;
  signer: PrecommitSigner;
  clock: Clock;
  /** Writes what settles with a block, in the block's own transaction. It must not use the engine. */
  settle: (block: ExecutedBlock) => void;
}

/** An executed block. */
export interface ExecutedBlock {
  stored: StoredBlock;
  /** In block order. */
  transactions: readonly VerifiedTransaction[];
  /** One for each transaction. */
  results: readonly StoredResult[];
  /** Application hash after this block. */
  appHash: Uint8Array;
  /** True when the state after this block differs from the state before it. */
  stateChanged: boolean;
  /** The accounts that changed, as they are after this block, in the order of first write. */
  accounts: readonly AccountRow[];
  /** The governance record, if it changed. */
  governance: GovernanceState | undefined;
  /** The wall clock as it was read for this block, ms since the Unix epoch: one reading for everything that the block decides. */
  readMs: number;
}

export class Chain {
  readonly constants: ChainConstants;
  readonly store: ChainStore;
  readonly state: LedgerState;
  readonly clockGuard: ClockGuard;
  readonly #signer: PrecommitSigner;
  readonly #settle: (block: ExecutedBlock) => void;
  #tip: Tip;
  #held: string | undefined;

  constructor(parts: ChainParts, tip: Tip) {
    this.constants = parts.constants;
    this.store = parts.store;
    this.state = parts.state;
    this.#signer = parts.signer;
    this.#settle = parts.settle;
    this.#tip = tip;
    this.clockGuard = new ClockGuard(parts.clock, tip.commit.signatures[0]?.timestampNs ?? 0n);
  }

  /** The last block that is on disk. */
  get tip(): Tip {
    return this.#tip;
  }

  /**
   * The reason why a block that was made is not stored yet; undefined when no block is held. Meanwhile `state` is that after this block,
   * which must not be shown: only `tip` and the store are of the last block on disk.
   */
  get held(): string | undefined {
    return this.#held;
  }

  /**
   * Makes, signs and stores the next block, and adopts its results, in steps. `reading` is one that the clock guard does not hold. Up to
   * the last step nothing is changed, so the caller may abandon the steps at any of them, and the state must stay as it is meanwhile. A
   * step that yields a sentence is held: the disk had no space for the block, and the next step tries to store the very same one again,
   * because a height is signed once. Throws when the store or the signer fails: the process must then end.
   */
  *blockInSteps(
    { transactions, finalized }: PreparedBlock,
    reading: ClockReading,
  ): Generator<string | undefined, ExecutedBlock> {
    const before = this.#tip;
    const stored = nextBlock(this.constants, before, transactions);
    yield undefined;
    const hashOfResults = resultsHash(finalized.results);
    yield undefined;
    const voteNs = voteTimeNs(stored, reading);
    const signed = this.#signer.sign(stored.height, stored.id, voteNs);
    const commit = this.#commitOf(stored, signed, voteNs);
    const { appHash, accounts, governance } = this.state.commit(finalized);
    const block: ExecutedBlock = {
      stored,
      transactions,
      results: finalized.results,
      appHash,
      stateChanged: !Buffer.from(before.appHash).equals(appHash),
      accounts,
      governance,
      readMs: nsToMs(reading.wallNs),
    };
    const update = {
      block: stored,
      commit: encodeCommit(commit),
      signed,
      appHash,
      resultsHash: hashOfResults,
      failures: failuresOf(finalized.results),
      transactions,
      accounts,
      governance,
    };
    const append = (): string | undefined => this.store.append(update, () => this.#settle(block)) ?? undefined;
    while ((this.#held = append()) !== undefined)
      yield `block ${stored.height} cannot be stored (${this.#held}): trying again until it can`;
    this.clockGuard.signedAt(voteNs, reading);
    this.#tip = {
      height: stored.height,
      id: stored.id,
      headerTimeNs: stored.timeNs,
      commit,
      appHash,
      resultsHash: hashOfResults,
    };
    return block;
  }

  #commitOf(stored: StoredBlock, { round, signature }: SignedPrecommit, timestampNs: bigint): Commit {
    const validatorAddress = this.constants.proposerAddress;
    return {
      height: stored.height,
      round,
      blockId: stored.id,
      signatures: [{ blockIdFlag: BLOCK_ID_FLAG_COMMIT, validatorAddress, timestampNs, signature }],
    };
  }
}

function voteTimeNs({ timeNs }: StoredBlock, { wallNs }: ClockReading): bigint {
  const earliest = timeNs + TIME_STEP_NS;
  return wallNs > earliest ? wallNs : earliest;
}
