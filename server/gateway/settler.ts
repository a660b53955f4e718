/** Applies blocks to the store and then to memory, and wakes whoever waited for what they settled. */
import type { CommittedBlock } from '../engine/port.ts';
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../store/index.ts';
import type { CoreState } from './core-state.ts';
import type { AppliedBlock } from './follow/apply-block.ts';
import { applyBlock, NotNextError } from './follow/apply-block.ts';
import { ContradictionError } from './follow/block-effects.ts';
import type { ApplyOutcome } from './follow/follower.ts';

export class Settler {
  readonly #state: CoreState;
  readonly #onGovernance: () => void;

  /** `onGovernance` is told when a block changed who the operators are. */
  constructor(state: CoreState, onGovernance: () => void) {
    this.#state = state;
    this.#onGovernance = onGovernance;
  }

  apply(block: CommittedBlock): Promise<ApplyOutcome> {
    return this.#state.lane.run(() => this.#apply(block));
  }

  /** Reads all that memory holds from the store again. */
  async reload(): Promise<void> {
    const state = this.#state;
    const { follower, transfers, senders } = await state.store.read(async (tx) => {
      const transfers = await tx.pendingTransfers();
      const senders = await tx.accountsById([...new Set(transfers.map((transfer) => transfer.fromId))]);
      return { follower: await tx.follower(), transfers, senders };
    });
    if (follower === undefined) throw new ContradictionError('the store has lost its follower state');
    state.follower = follower;
    state.heights.reached(follower.height);
    const byId = new Map(senders.map((sender) => [sender.id, sender]));
    state.pending.clear();
    for (const transfer of transfers) {
      const sender = byId.get(transfer.fromId);
      if (sender !== undefined) state.pending.add(transfer, sender);
    }
    state.schedule.reset();
    const stillPending = new Set(transfers.map((transfer) => transfer.hash));
    for (const hash of state.waiters.hashes) if (!stillPending.has(hash)) state.waiters.settled(hash);
    state.dispatcher.kick();
  }

  async #apply(block: CommittedBlock): Promise<ApplyOutcome> {
    const { store, chain, limits, clock, marks } = this.#state;
    if (block.chainId !== chain.chainId) {
      return { kind: 'fault', detail: `the engine answers blocks of chain ${block.chainId}, this is ${chain.chainId}` };
    }
    const broadcastSeqs = marks.take();
    const context = { store, chain, pendingTtlMs: limits.pendingTtlMs, nowMs: clock.nowMs(), uptimeMs: this.#state.uptimeMs(), broadcastSeqs };
    try {
      const applied = await applyBlock(context, block);
      this.#remember(block, applied, context.uptimeMs);
      return { kind: 'at', height: block.height };
    } catch (error) {
      marks.add(broadcastSeqs);
      return await this.#failure(block, error);
    }
  }

  #remember(block: CommittedBlock, applied: AppliedBlock, uptimeMs: number): void {
    const { pending, schedule, waiters, heights, counts, dispatcher } = this.#state;
    this.#state.follower = { ...this.#state.follower, height: block.height, hash: block.hash, blockTimeMs: block.timeMs, uptimeMs };
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
    heights.reached(block.height);
    if (applied.governanceChanged) this.#onGovernance();
    dispatcher.kick();
  }

  async #failure(block: CommittedBlock, error: unknown): Promise<ApplyOutcome> {
    const { logger, lifecycle } = this.#state;
    lifecycle.watch(error);
    if (error instanceof StoreOutcomeUnknownError) return { kind: 'fault', detail: error.message };
    if (error instanceof NotNextError) return await this.#afterOthers(block);
    if (error instanceof StoreUnavailableError || error instanceof StoreConflictError) {
      logger.error({ err: error, height: block.height }, 'a block could not be stored; trying again');
      return { kind: 'retry' };
    }
    logger.error({ err: error, height: block.height }, 'a block could not be applied');
    return { kind: 'fault', detail: error instanceof ContradictionError ? error.message : `block ${block.height} could not be applied: a defect, see the log` };
  }

  /** The compare-and-set found another height or parent: either another holder was faster, or this is another history. */
  async #afterOthers(block: CommittedBlock): Promise<ApplyOutcome> {
    await this.reload();
    const { height, hash } = this.#state.follower;
    const sameHistory = height > block.height || (height === block.height && hash === block.hash);
    if (sameHistory) return { kind: 'at', height };
    return { kind: 'fault', detail: `block ${block.height} with parent ${block.parentHash} does not follow block ${height} ${hash}: another history` };
  }
}
