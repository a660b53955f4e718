/** Takes submissions in: groups them, has them judged and written, and tells each what became of it. */
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../store/index.ts';
import type { AcceptContext } from './accept/accept-group.ts';
import { acceptGroup } from './accept/accept-group.ts';
import { GroupQueue } from './accept/group-queue.ts';
import type { Judgement } from './accept/judge.ts';
import type { Submission } from './core-api.ts';
import type { CoreState } from './core-state.ts';
import { GROUP_QUEUE_MAX, GROUP_SIZE_MAX, RETRY_AFTER_S } from './limits.ts';
import { recordOf } from './records.ts';
import { refuse } from './refusals.ts';
import type { Refusal, Submitted } from './types.ts';

export class Intake {
  readonly #state: CoreState;
  readonly #context: AcceptContext;
  readonly #queue: GroupQueue<Submission, Submitted | Refusal>;

  constructor(state: CoreState) {
    this.#state = state;
    const { store, chain, limits, clock } = state;
    this.#context = { store, chain, limits, moment: () => ({ nowMs: clock.nowMs(), uptimeMs: state.uptimeMs() }) };
    this.#queue = new GroupQueue(GROUP_SIZE_MAX, (group) => state.lane.run(() => this.#commit(group)));
  }

  async submit(submissions: readonly Submission[]): Promise<(Submitted | Refusal)[]> {
    const stopped = this.#state.lifecycle.refusal();
    if (stopped !== undefined) return this.#refuseAll(submissions, stopped);
    if (this.#queue.waiting + submissions.length > GROUP_QUEUE_MAX) {
      const full = refuse('pool_full', 'too many transfers arrive at once', { retryAfterS: RETRY_AFTER_S });
      return this.#refuseAll(submissions, full);
    }
    return await this.#queue.push(submissions);
  }

  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  async #commit(group: readonly Submission[]): Promise<(Submitted | Refusal)[]> {
    // It may have stopped while the group waited.
    const stopped = this.#state.lifecycle.fault === undefined ? undefined : this.#state.lifecycle.refusal();
    if (stopped !== undefined) return this.#refuseAll(group, stopped);
    const { pending, schedule, dispatcher, counts } = this.#state;
    try {
      const { judgements, accepted } = await acceptGroup(this.#context, group);
      counts.group(group.length);
      for (const { transfer, sender } of accepted) schedule.changed(pending.add(transfer, sender));
      if (accepted.length > 0) dispatcher.kick();
      return judgements.map((judgement) => this.#answer(judgement));
    } catch (error) {
      this.#state.lifecycle.watch(error);
      const known = error instanceof StoreUnavailableError || error instanceof StoreConflictError || error instanceof StoreOutcomeUnknownError;
      if (!known) throw error;
      this.#state.counts.groupFailedAtMs = this.#state.clock.monotonicMs();
      this.#state.logger.error({ err: error, submissions: group.length }, 'a group of submissions could not be stored');
      return this.#refuseAll(group, refuse('store_unavailable', 'the transfer could not be stored', { retryAfterS: RETRY_AFTER_S }));
    }
  }

  #answer(judgement: Judgement): Submitted | Refusal {
    const { counts, pending } = this.#state;
    if (judgement.kind === 'refused') {
      counts.refused += 1;
      return judgement.refusal;
    }
    if (judgement.kind === 'accepted') counts.accepted += 1;
    else counts.replayed += 1;
    return { ok: true, replayed: judgement.kind === 'replayed', transaction: recordOf(judgement.transfer, pending) };
  }

  #refuseAll(submissions: readonly Submission[], refusal: Refusal): Refusal[] {
    this.#state.counts.refused += submissions.length;
    return submissions.map(({ txHash }) => ({ ...refusal, txHash }));
  }
}
