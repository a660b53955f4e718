/**
 * Leader tasks, which one gateway at a time does for all: follow the chain and dispatch what is pending. They can be started and stopped
 * again and again; each start begins from the state of the store.
 */
import type { CoreState } from './core-state.ts';
import type { FollowerParts } from './follow/follower.ts';
import { Follower } from './follow/follower.ts';
import type { Reflection } from './reflection.ts';

export class Duty {
  readonly #state: CoreState;
  readonly #reflection: Reflection;
  readonly #follows: Omit<FollowerParts, 'height'>;
  #follower: Follower | undefined;

  constructor(state: CoreState, reflection: Reflection, follows: Omit<FollowerParts, 'height'>) {
    this.#state = state;
    this.#reflection = reflection;
    this.#follows = follows;
  }

  /** The reason why the last attempt got no block; undefined when it got one, or when this gateway is not the leader. */
  get engineFault(): string | undefined {
    return this.#follower?.engineFault;
  }

  /** Reads all that is pending and begins, unless `wanted` returns false by then. Runs in the serial queue of writes. */
  async takeUp(wanted: () => boolean): Promise<void> {
    const state = this.#state;
    if (state.active) return;
    await this.#reflection.reload(wanted);
    if (!wanted()) return;
    state.active = true;
    this.#follower = new Follower({ ...this.#follows, height: state.follower.height });
    this.#follower.start();
    state.dispatcher.start();
  }

  /** A call under way ends by itself; its answer is not used. */
  layDown(): void {
    this.#state.active = false;
    this.#follower?.stop();
    this.#follower = undefined;
    this.#state.dispatcher.stop();
  }
}
