/** Applies blocks to the store and then to memory, and wakes the callers that waited for what they settled. */
import type { CommittedBlock, Engine, ValidatorSetAt } from '../engine/port.ts';
import { txHash, UnknownRulesError } from '../ledger/index.ts';
import { StoreOutcomeUnknownError } from '../store/errors.ts';
import type { CoreState } from './core-state.ts';
import type { AppliedBlock } from './follow/apply-block.ts';
import { applyBlock, NotNextError, prepareBlock } from './follow/apply-block.ts';
import { ContradictionError } from './follow/block-effects.ts';
import type { ApplyOutcome } from './follow/follower.ts';
import type { BlockReading } from './follow/read-block.ts';
import { ResultsContradictionError } from './follow/read-block.ts';
import type { Reflection } from './reflection.ts';
import { worthRetrying } from './store-faults.ts';

export class Settler {
  readonly #state: CoreState;
  readonly #engine: Pick<Engine, 'validatorSets' | 'rejectResults'>;
  readonly #reflection: Reflection;
  readonly #onGovernance: () => void;

  /** `onGovernance` is called when a block changed the governance record. */
  constructor(
    state: CoreState,
    engine: Pick<Engine, 'validatorSets' | 'rejectResults'>,
    reflection: Reflection,
    onGovernance: () => void,
  ) {
    this.#state = state;
    this.#engine = engine;
    this.#reflection = reflection;
    this.#onGovernance = onGovernance;
  }

  async apply(block: CommittedBlock): Promise<ApplyOutcome> {
    const { chain, lane, pending } = this.#state;
    if (block.chainId !== chain.chainId) {
      return { kind: 'fault', detail: `the engine answers blocks of chain ${block.chainId}, this is ${chain.chainId}` };
    }
    let ahead: BlockReading | undefined;
    try {
      ahead = await prepareBlock(this.#state, block, (accountId, nonce) => pending.at(accountId, nonce));
    } catch (error) {
      return await lane.run(() => this.#failure(block, error));
    }
    return await lane.run(() => this.#apply(block, ahead));
  }

  async #apply(block: CommittedBlock, ahead: BlockReading | undefined): Promise<ApplyOutcome> {
    const { store, chain, limits, clock, pending, logger, actor } = this.#state;
    const startedMs = clock.monotonicMs();
    let validatorSets: ValidatorSetAt[] | undefined;
    try {
      validatorSets = await this.#missingSets(block.height);
    } catch (error) {
      logger.warn(
        { err: error, height: block.height },
        'the engine could not say which validators there were; trying again',
      );
      return { kind: 'retry' };
    }
    try {
      const broadcastAtMs = (seq: number): number | undefined => pending.get(seq)?.transfer.broadcastAtMs;
      const context = {
        store,
        chain,
        actor,
        pendingTtlMs: limits.pendingTtlMs,
        nowMs: clock.nowMs(),
        uptimeMs: this.#state.uptime.nowMs(),
        broadcastAtMs,
        validatorSets,
      };
      const applied = await applyBlock(context, block, ahead);
      this.#remember(block, applied, context.uptimeMs, validatorSets !== undefined);
      this.#trace(block, applied, startedMs);
      return { kind: 'at', height: block.height };
    } catch (error) {
      return await this.#failure(block, error);
    }
  }

  /** All sets so far, when an older version applied the blocks in the store; undefined when the store has the sets. */
  async #missingSets(height: number): Promise<ValidatorSetAt[] | undefined> {
    const { follower, logger } = this.#state;
    if (follower.height !== height - 1 || follower.verifiedHeight === follower.height) return undefined;
    const sets = await this.#engine.validatorSets(follower.height);
    logger.info(
      { height: follower.height, sets: sets.length },
      'the chain was verified from genesis to the last block in the store: storing its validator sets',
    );
    return sets;
  }

  #remember(block: CommittedBlock, applied: AppliedBlock, uptimeMs: number, isVerified: boolean): void {
    const { pending, schedule, waiters, counts, dispatcher, follower } = this.#state;
    const verifiedHeight =
      isVerified || follower.verifiedHeight === block.height - 1 ? block.height : follower.verifiedHeight;
    for (const { transfer, settlement } of applied.settled) {
      pending.remove(transfer.seq);
      counts.settled[settlement.status] += 1;
    }
    for (const account of applied.accounts) {
      pending.moveAccount(account.id, account);
      schedule.accountMoved(account.id);
    }
    for (const seq of applied.expiring) {
      const entry = pending.requestCancel(seq);
      if (entry !== undefined) schedule.changed(entry);
    }
    for (const { transfer } of applied.settled) waiters.settled(transfer.hash);
    this.#reflection.applied({
      ...this.#state.follower,
      height: block.height,
      hash: block.hash,
      blockTimeMs: block.timeMs,
      uptimeMs,
      verifiedHeight,
    });
    if (applied.governanceChanged) this.#onGovernance();
    dispatcher.kick();
  }

  #trace(block: CommittedBlock, { settled }: AppliedBlock, startedMs: number): void {
    const { traces } = this.#state;
    if (traces === undefined || settled.length === 0) return;
    const codes = new Map(block.transactions.map((raw, index) => [txHash(raw), block.codes[index]]));
    traces.settled(
      { ...block, startedMs },
      settled.map(({ transfer, settlement }) => ({
        hash: transfer.hash,
        status: settlement.status,
        code: codes.get(settlement.executedAs ?? transfer.hash),
      })),
    );
  }

  async #failure(block: CommittedBlock, error: unknown): Promise<ApplyOutcome> {
    const { logger, lifecycle } = this.#state;
    lifecycle.watch(error);
    if (error instanceof NotNextError) return await this.#afterOthers(block);
    if (error instanceof ResultsContradictionError && (await this.#isDoubted(block, error))) return { kind: 'retry' };
    if (worthRetrying(error)) {
      logger.error({ err: error, height: block.height }, 'a block could not be stored; trying again');
      return { kind: 'retry' };
    }
    logger.error({ err: error, height: block.height }, 'a block could not be applied');
    const told =
      error instanceof ContradictionError ||
      error instanceof StoreOutcomeUnknownError ||
      error instanceof UnknownRulesError;
    return {
      kind: 'fault',
      detail: told ? error.message : `block ${block.height} could not be applied: a defect, see the log`,
    };
  }

  /** Results that no later block commits to may be false answers of a node: they are requested again. */
  async #isDoubted(block: CommittedBlock, contradiction: Error): Promise<boolean> {
    try {
      if (!(await this.#engine.rejectResults(block.height))) return false;
    } catch (error) {
      this.#state.logger.warn({ err: error, height: block.height }, 'the results of a block could not be rejected');
    }
    this.#state.logger.warn(
      { height: block.height, reason: contradiction.message },
      'the results of a block are not those that the ledger gives: nothing is settled by them, asking again',
    );
    return true;
  }

  /** The compare-and-set found another height or parent: either another holder was faster, or this is another history. */
  async #afterOthers(block: CommittedBlock): Promise<ApplyOutcome> {
    try {
      await this.#reflection.reload();
    } catch (error) {
      return await this.#failure(block, error);
    }
    const { height, hash } = this.#state.follower;
    const sameHistory = height > block.height || (height === block.height && hash === block.hash);
    if (sameHistory) return { kind: 'at', height };
    return {
      kind: 'fault',
      detail: `block ${block.height} with parent ${block.parentHash} does not follow block ${height} ${hash}: the store contradicts the chain`,
    };
  }
}
