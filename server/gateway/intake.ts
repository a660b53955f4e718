/** Submit queue: groups submissions, has them checked and written, and answers each caller. The same for both engines. */
import type { Clock, Logger } from '../engine/ports.ts';
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../store/errors.ts';
import type { Judgement } from './accept/judge.ts';
import type { Submission } from './core-api.ts';
import type { Counts } from './counts.ts';
import type { GapOf } from './gaps.ts';
import { GroupQueue } from './group-queue.ts';
import type { Lifecycle } from './lifecycle.ts';
import { GROUP_ENOUGH, GROUP_QUEUE_MAX, GROUP_SIZE_MAX, RETRY_AFTER_S } from './limits.ts';
import { recordOf } from './records.ts';
import { refuse } from './refusals.ts';
import type { GroupRest } from './rest.ts';
import type { TransferTraces } from './transfer-traces.ts';
import { soonOf } from './turns.ts';
import type { Refusal, Sentence, Submitted } from './types.ts';

export interface IntakeParts {
  lifecycle: Lifecycle;
  counts: Counts;
  clock: Clock;
  logger: Logger;
  /**
   * Checks a group and makes what is accepted durable: one result for each, in order, and undefined for one that it would have to wait for
   * and leaves; unless it `waits`. Throws as `Store.write` does: then nothing was accepted.
   */
  accept(group: readonly Submission[], waits: boolean): Judged | Promise<Judged>;
  /** Runs the commit in the serial queue of writes, where there is other work that writes. */
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
  rest?: GroupRest | undefined;
  /** Threads that submit; 1 when absent. */
  fronts?: number | undefined;
  /** Absent where nothing is traced. */
  traces?: TransferTraces | undefined;
}

export interface Judged {
  judgements: readonly (Judgement | undefined)[];
  gapOf: GapOf;
}

export class Intake {
  readonly #parts: IntakeParts;
  readonly #queue: GroupQueue<Submission, Submitted | Refusal>;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    const { inTurn = (work) => work(), rest, fronts = 1, clock } = parts;
    // One HTTP thread has one call under way, so there is nothing to let in.
    const gather = fronts > 1 ? { letIn: () => new Promise<void>(soonOf(clock)), enough: GROUP_ENOUGH } : undefined;
    this.#queue = new GroupQueue({
      sizeMax: GROUP_SIZE_MAX,
      commit: (group, waits) => inTurn(() => this.#take(group, waits)),
      rest,
      gather,
    });
  }

  async submit(submissions: readonly Submission[]): Promise<(Submitted | Refusal)[]> {
    const stopped = this.#parts.lifecycle.refusal();
    if (stopped !== undefined) return this.#refuseAll(submissions, stopped);
    if (this.#queue.waiting + submissions.length > GROUP_QUEUE_MAX) {
      const full = refuse(
        'pool_full',
        'Too many transfers arrive at once. Wait as long as Retry-After says, then send the transfer again.',
        { retryAfterS: RETRY_AFTER_S },
      );
      return this.#refuseAll(submissions, full);
    }
    return await this.#queue.push(submissions);
  }

  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  async #take(group: readonly Submission[], waits: boolean): Promise<(Submitted | Refusal | undefined)[]> {
    const { lifecycle, counts, accept, traces } = this.#parts;
    // It may have stopped while the group waited.
    const stopped = lifecycle.fault === undefined ? undefined : lifecycle.refusal();
    if (stopped !== undefined) return this.#refuseAll(group, stopped);
    try {
      const startedMs = traces?.nowMs() ?? 0;
      const { judgements, gapOf } = await accept(group, waits);
      traces?.accepted(group, judgements, startedMs);
      counts.group(judgements.filter((judgement) => judgement !== undefined).length);
      return judgements.map((judgement) => judgement && this.#answer(judgement, gapOf));
    } catch (error) {
      return this.#refuseAll(group, this.#refusalOf(error, group.length));
    }
  }

  /** Throws an error that is not a failure of the store. */
  #refusalOf(error: unknown, submissions: number): Refusal {
    const { lifecycle, counts, clock, logger } = this.#parts;
    lifecycle.watch(error);
    const unknown = error instanceof StoreOutcomeUnknownError;
    if (!unknown && !(error instanceof StoreUnavailableError) && !(error instanceof StoreConflictError)) throw error;
    counts.groupFailedAtMs = clock.monotonicMs();
    logger.error({ err: error, submissions }, 'a group of submissions could not be stored');
    const detail: Sentence = unknown
      ? 'It is not known whether the transfer was stored. Send the same transfer again: it is paid at most once.'
      : 'The transfer could not be stored. Wait as long as Retry-After says, then send the same transfer again.';
    return refuse('store_unavailable', detail, { retryAfterS: RETRY_AFTER_S });
  }

  #answer(judgement: Judgement, gapOf: GapOf): Submitted | Refusal {
    const { counts } = this.#parts;
    if (judgement.kind === 'refused') {
      counts.refused += 1;
      return judgement.refusal;
    }
    if (judgement.kind === 'accepted') counts.accepted += 1;
    else counts.replayed += 1;
    return { ok: true, replayed: judgement.kind === 'replayed', transaction: recordOf(judgement.transfer, gapOf) };
  }

  #refuseAll(submissions: readonly Submission[], refusal: Refusal): Refusal[] {
    this.#parts.counts.refused += submissions.length;
    return submissions.map(({ txHash }) => ({ ...refusal, txHash }));
  }
}
