/**
 * Changes that other gateways on the same store made durable.
 *
 * Announcements make it quick and may be lost; a poll each second makes it certain. Both only name the rows to read: the facts are in the
 * rows. One read is under way at a time, and a read that failed is repeated.
 */
import type { Timer } from '../../engine/ports.ts';
import type { StoreChange } from '../../store/index.ts';
import type { CoreState } from '../core-state.ts';
import { CANCELS_POLL_EVERY, CANCELS_TOLD_MAX, CHANGES_POLL_MS, REST_MS_MAX, SHARING_RETRY_MS } from '../limits.ts';
import type { Reflection } from '../reflection.ts';
import { restAfter } from '../rest.ts';
import { worthRetrying } from '../store-faults.ts';

interface ToDo {
  everything: boolean;
  standing: boolean;
  accepted: boolean;
  allCancels: boolean;
  cancels: Set<number>;
}

export class Changes {
  readonly #state: CoreState;
  readonly #reflection: Reflection;
  #todo: ToDo = nothing();
  #running = false;
  #stopped = false;
  #polls = 0;
  #poll: Timer | undefined;
  #retry: Timer | undefined;
  #unwatch: () => void = () => {};

  constructor(state: CoreState, reflection: Reflection) {
    this.#state = state;
    this.#reflection = reflection;
  }

  start(): void {
    this.#unwatch = this.#state.store.sharing?.watch((change) => this.told(change)) ?? this.#unwatch;
    this.#schedulePoll();
  }

  stop(): void {
    this.#stopped = true;
    this.#unwatch();
    this.#poll?.cancel();
    this.#retry?.cancel();
  }

  told(change: StoreChange): void {
    const todo = this.#todo;
    if (change.kind === 'accepted') todo.accepted = true;
    else if (change.kind === 'applied') todo.standing = true;
    else if (change.kind === 'missed') todo.everything = true;
    else for (const seq of change.seqs) todo.cancels.add(seq);
    if (todo.cancels.size > CANCELS_TOLD_MAX) todo.everything = true;
    this.#kick();
  }

  /** Memory may have missed a commit of this very gateway. */
  mistrust(): void {
    this.told({ kind: 'missed' });
  }

  #schedulePoll(): void {
    this.#poll = this.#state.clock.setTimer(() => {
      this.#polls += 1;
      this.#todo.standing = true;
      this.#todo.accepted = true;
      if (this.#polls % CANCELS_POLL_EVERY === 0) this.#todo.allCancels = true;
      this.#kick();
      this.#schedulePoll();
    }, CHANGES_POLL_MS);
  }

  #kick(): void {
    if (this.#running || this.#stopped) return;
    this.#running = true;
    this.#retry?.cancel();
    void this.#run();
  }

  async #run(): Promise<void> {
    const { logger, clock, lifecycle } = this.#state;
    while (!this.#stopped && isSomething(this.#todo)) {
      const todo = this.#todo;
      this.#todo = nothing();
      const beganMs = clock.monotonicMs();
      try {
        await this.#look(todo);
        // A read costs the same for one accepted transfer as for a hundred.
        if (isSomething(this.#todo)) await restAfter(beganMs, { clock, msMax: REST_MS_MAX });
      } catch (error) {
        this.#todo = both(todo, this.#todo);
        if (worthRetrying(error)) {
          logger.warn({ err: error }, 'what other gateways changed could not be read; reading again soon');
          if (!this.#stopped) this.#retry = clock.setTimer(() => this.#kick(), SHARING_RETRY_MS);
        } else {
          logger.error({ err: error }, 'what other gateways changed could not be taken over');
          lifecycle.fail('what other gateways changed could not be taken over: a defect, see the log');
          this.stop();
        }
        break;
      }
    }
    this.#running = false;
  }

  async #look(todo: ToDo): Promise<void> {
    const { lane } = this.#state;
    const reflection = this.#reflection;
    if (todo.everything) return await lane.run(() => reflection.reload());
    // The gateway that follows the chain has its own height; what another applied it gets with its next block.
    if (todo.standing && !this.#state.active) await reflection.refresh();
    if (!this.#state.active) return;
    if (todo.accepted) await lane.run(() => reflection.catchUp());
    if (todo.cancels.size > 0) await lane.run(() => reflection.learnCancels([...todo.cancels]));
    if (todo.allCancels) await lane.run(() => reflection.findCancels());
  }
}

const nothing = (): ToDo => ({
  everything: false,
  standing: false,
  accepted: false,
  allCancels: false,
  cancels: new Set(),
});

const isSomething = (todo: ToDo): boolean =>
  todo.everything || todo.standing || todo.accepted || todo.allCancels || todo.cancels.size > 0;

function both(a: ToDo, b: ToDo): ToDo {
  return {
    everything: a.everything || b.everything,
    standing: a.standing || b.standing,
    accepted: a.accepted || b.accepted,
    allCancels: a.allCancels || b.allCancels,
    cancels: new Set([...a.cancels, ...b.cancels]),
  };
}
