/** Queue of cancels: groups them as submissions are grouped, has them written, and passes each to the dispatcher. */
import type { CoreState } from './core-state.ts';
import { GroupQueue } from './group-queue.ts';
import { CANCELS_PER_GROUP_MAX } from './limits.ts';
import type { CancelJudgement, CancelRequest } from './request-cancels.ts';
import { requestCancels } from './request-cancels.ts';
import { restOf } from './rest.ts';
import type { Changes } from './sharing/changes.ts';

export class Cancelling {
  readonly #state: CoreState;
  readonly #changes: Pick<Changes, 'told'>;
  readonly #queue: GroupQueue<CancelRequest, CancelJudgement>;

  constructor(state: CoreState, changes: Pick<Changes, 'told'>) {
    this.#state = state;
    this.#changes = changes;
    this.#queue = new GroupQueue({
      sizeMax: CANCELS_PER_GROUP_MAX,
      commit: (group) => state.lane.run(() => this.#commit(group)),
      rest: restOf(state),
    });
  }

  /** Resolves when the requests are durable. Throws what the store throws. */
  async request(request: CancelRequest): Promise<CancelJudgement> {
    const [judgement] = await this.#queue.push([request]);
    return judgement as CancelJudgement;
  }

  /** Resolves when nothing is waiting or under way. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  async #commit(group: readonly CancelRequest[]): Promise<CancelJudgement[]> {
    const { store, clock, lifecycle } = this.#state;
    try {
      const judgements = await requestCancels(store, group, clock.nowMs());
      for (const judgement of judgements) if (judgement.kind === 'requested') this.#learn(judgement.transfer.seq);
      return judgements;
    } catch (error) {
      lifecycle.watch(error);
      throw error;
    }
  }

  #learn(seq: number): void {
    const { active, pending, schedule, dispatcher } = this.#state;
    if (!active) return;
    // Accepted elsewhere, and not yet in the memory of this gateway.
    if (pending.get(seq) === undefined) return this.#changes.told({ kind: 'cancel_requested', seqs: [seq] });
    const entry = pending.requestCancel(seq);
    if (entry !== undefined) schedule.changed(entry);
    dispatcher.kick();
  }
}
