/**
 * The embedded chain: adds blocks in one fixed order of durable steps.
 *
 *   1. the block is stored            (fsync)
 *   2. the signature is recorded      (fsync, PrecommitSigner)
 *   3. the commit is stored           (fsync)
 *   4. the block is executed, its state saved, and only now anything of it is visible
 *
 * After a crash between any two steps `recover` finds which came last and does the rest, with the very signature of
 * step 2. Whoever reversed 3 and 4 would show an execution that a restart could replace by another.
 */
import {
  encodeCommit,
  BLOCK_ID_FLAG_COMMIT,
  NS_PER_MS,
  resultsHash,
  type Commit,
} from '../encoding/index.ts';
import { finalizeBlock, type LedgerState } from '../../ledger/index.ts';
import type { Clock } from '../ports.ts';
import type { ChainConstants } from './chain-constants.ts';
import { ClockGuard } from './clock-guard.ts';
import { nextBlock, type Tip } from './next-block.ts';
import type { PrecommitSigner } from './precommit-signer.ts';
import type { BlockStore, StateStore, StoredBlock, StoredResult } from './stores.ts';

/** Block time strictly increases: a vote is at least this much after its block's header. */
const TIME_STEP_NS = NS_PER_MS;

export interface ChainParts {
  constants: ChainConstants;
  blocks: BlockStore;
  states: StateStore;
  state: LedgerState;
  signer: PrecommitSigner;
  clock: Clock;
}

/** A block that was executed, as its followers see it. */
export interface ExecutedBlock {
  stored: StoredBlock;
  transactions: readonly Uint8Array[];
  results: readonly StoredResult[];
  parentHash: Uint8Array;
  appHash: Uint8Array;
  /** The state after this block differs from the state before it. */
  stateChanged: boolean;
}

export class Chain {
  readonly constants: ChainConstants;
  readonly blocks: BlockStore;
  readonly states: StateStore;
  readonly state: LedgerState;
  readonly clockGuard: ClockGuard;
  readonly #signer: PrecommitSigner;
  readonly #clock: Clock;
  #tip: Tip;

  constructor(parts: ChainParts, tip: Tip) {
    this.constants = parts.constants;
    this.blocks = parts.blocks;
    this.states = parts.states;
    this.state = parts.state;
    this.#signer = parts.signer;
    this.#clock = parts.clock;
    this.#tip = tip;
    this.clockGuard = new ClockGuard(parts.clock, tip.commit.signatures[0]?.timestampNs ?? 0n);
  }

  /** The last block that was executed. */
  get tip(): Tip {
    return this.#tip;
  }

  /** Makes, signs, commits and executes the next block. Throws when a store or the signer fails: then nothing may go on. */
  makeBlock(transactions: readonly Uint8Array[]): ExecutedBlock {
    const { stored } = nextBlock(this.constants, this.#tip, transactions);
    this.blocks.putBlock(stored);
    return this.finishBlock(stored, transactions);
  }

  /** Steps 2 to 4 for a block that is stored. */
  finishBlock(stored: StoredBlock, transactions: readonly Uint8Array[]): ExecutedBlock {
    const commit = this.#sign(stored);
    this.blocks.putCommit(stored.height, encodeCommit(commit));
    return this.execute(stored, transactions, commit);
  }

  /** Step 4 for a block whose commit is stored. */
  execute(stored: StoredBlock, transactions: readonly Uint8Array[], commit: Commit): ExecutedBlock {
    // The commit carries this validator's signature, and this validator verifies every transaction before it signs.
    const finalized = finalizeBlock(this.state, transactions, { signatureVerified: () => true });
    const before = this.#tip;
    const changes = this.state.commit(finalized);
    const results = finalized.results.map(({ code, codespace, log, events }) => ({ code, codespace, log, events }));
    const hashOfResults = resultsHash(finalized.results);
    this.states.save({
      height: stored.height,
      appHash: changes.appHash,
      resultsHash: hashOfResults,
      results,
      transactions,
      accounts: changes.accounts,
      governance: changes.governance,
    });
    this.#tip = {
      height: stored.height,
      id: stored.id,
      headerTimeNs: stored.timeNs,
      commit,
      appHash: changes.appHash,
      resultsHash: hashOfResults,
    };
    return {
      stored,
      transactions,
      results,
      parentHash: before.id.hash,
      appHash: changes.appHash,
      stateChanged: !Buffer.from(before.appHash).equals(changes.appHash),
    };
  }

  #sign(stored: StoredBlock): Commit {
    const now = this.#clock.nowNs();
    const earliest = stored.timeNs + TIME_STEP_NS;
    const { timestampNs, signature } = this.#signer.sign(stored.height, stored.id, now > earliest ? now : earliest);
    this.clockGuard.signedAt(timestampNs);
    return {
      height: stored.height,
      round: 0,
      blockId: stored.id,
      signatures: [
        {
          blockIdFlag: BLOCK_ID_FLAG_COMMIT,
          validatorAddress: this.constants.proposerAddress,
          timestampNs,
          signature,
        },
      ],
    };
  }
}
