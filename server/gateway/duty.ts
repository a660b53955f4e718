/**
 * What one gateway at a time does for all: follow the chain and dispatch what is pending. It can be taken up and laid
 * down again and again; each time it begins from what the store says.
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

  /** Why no block could be had at the last attempt; undefined when that went well, or when nobody tries here. */
  get engineFault(): string | undefined {
    return this.#follower?.engineFault;
  }

  /** Reads all that is pending and begins, unless `wanted` says no by then. Runs in the write lane. */
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

  /** A call under way ends by itself; nobody waits for its answer. */
  layDown(): void {
    this.#state.active = false;
    this.#follower?.stop();
    this.#follower = undefined;
    this.#state.dispatcher.stop();
  }
}
