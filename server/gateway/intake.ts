/** Takes submissions in: groups them, has them judged and written, and tells each what became of it. */
import type { StoredAccount } from '../store/index.ts';
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../store/errors.ts';
import type { AcceptContext, AcceptedGroup } from './accept/accept-group.ts';
import { acceptGroup } from './accept/accept-group.ts';
import type { Judgement } from './accept/judge.ts';
import type { Submission } from './core-api.ts';
import type { CoreState } from './core-state.ts';
import type { GapOf } from './gaps.ts';
import { GroupQueue } from './group-queue.ts';
import { GROUP_QUEUE_MAX, GROUP_SIZE_MAX, RETRY_AFTER_S } from './limits.ts';
import { recordOf } from './records.ts';
import type { Reflection } from './reflection.ts';
import { refuse } from './refusals.ts';
import { restOf } from './rest.ts';
import type { Refusal, Sentence, Submitted } from './types.ts';

export class Intake {
  readonly #state: CoreState;
  readonly #reflection: Reflection;
  readonly #context: AcceptContext;
  readonly #queue: GroupQueue<Submission, Submitted | Refusal>;

  constructor(state: CoreState, reflection: Reflection) {
    this.#state = state;
    this.#reflection = reflection;
    const { store, chain, limits, clock, pending } = state;
    const moment: AcceptContext['moment'] = () => ({ nowMs: clock.nowMs(), uptimeMs: state.uptime.nowMs() });
    // Where several gateways share the store, memory knows of what others accepted a moment later.
    const alone = store.sharing === undefined && { takenBy: (account: StoredAccount) => pending.takenBy(account.id) };
    this.#context = { store, chain, limits, moment, ...alone };
    this.#queue = new GroupQueue({ sizeMax: GROUP_SIZE_MAX, commit: (group) => this.#take(group), rest: restOf(state) });
  }

  async submit(submissions: readonly Submission[]): Promise<(Submitted | Refusal)[]> {
    const stopped = this.#state.lifecycle.refusal();
    if (stopped !== undefined) return this.#refuseAll(submissions, stopped);
    if (this.#queue.waiting + submissions.length > GROUP_QUEUE_MAX) {
      const full = refuse('pool_full', 'Too many transfers arrive at once. Wait as long as Retry-After says, then send the transfer again.', { retryAfterS: RETRY_AFTER_S });
      return this.#refuseAll(submissions, full);
    }
    return await this.#queue.push(submissions);
  }

  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  async #take(group: readonly Submission[]): Promise<(Submitted | Refusal)[]> {
    const judged = await this.#state.lane.run(() => this.#commit(group));
    if ('refusal' in judged) return this.#refuseAll(group, judged.refusal);
    const { pending } = this.#state;
    const gapOf = judged.gapOf ?? (({ fromId }) => pending.gapOf(fromId));
    return judged.judgements.map((judgement) => this.#answer(judgement, gapOf));
  }

  async #commit(group: readonly Submission[]): Promise<Pick<AcceptedGroup, 'judgements' | 'gapOf'> | { refusal: Refusal }> {
    const { lifecycle, counts, clock, logger } = this.#state;
    // It may have stopped while the group waited.
    const stopped = lifecycle.fault === undefined ? undefined : lifecycle.refusal();
    if (stopped !== undefined) return { refusal: stopped };
    try {
      const { accepted, ...judged } = await acceptGroup(this.#context, group);
      counts.group(group.length);
      this.#reflection.accepted(accepted);
      return judged;
    } catch (error) {
      lifecycle.watch(error);
      const unknown = error instanceof StoreOutcomeUnknownError;
      const known = unknown || error instanceof StoreUnavailableError || error instanceof StoreConflictError;
      if (!known) throw error;
      counts.groupFailedAtMs = clock.monotonicMs();
      logger.error({ err: error, submissions: group.length }, 'a group of submissions could not be stored');
      const detail: Sentence = unknown
        ? 'It is not known whether the transfer was stored. Send the same transfer again: it is paid at most once.'
        : 'The transfer could not be stored. Wait as long as Retry-After says, then send the same transfer again.';
      return { refusal: refuse('store_unavailable', detail, { retryAfterS: RETRY_AFTER_S }) };
    }
  }

  #answer(judgement: Judgement, gapOf: GapOf): Submitted | Refusal {
    const { counts } = this.#state;
    if (judgement.kind === 'refused') {
      counts.refused += 1;
      return judgement.refusal;
    }
    if (judgement.kind === 'accepted') counts.accepted += 1;
    else counts.replayed += 1;
    return { ok: true, replayed: judgement.kind === 'replayed', transaction: recordOf(judgement.transfer, gapOf) };
  }

  #refuseAll(submissions: readonly Submission[], refusal: Refusal): Refusal[] {
    this.#state.counts.refused += submissions.length;
    return submissions.map(({ txHash }) => ({ ...refusal, txHash }));
  }
}
