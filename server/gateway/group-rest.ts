import type { CoreState } from './core-state.ts';
import type { GroupQueueOptions } from './group-queue.ts';
import { GROUP_REST_MS_MAX } from './limits.ts';

/** A file on this machine is written in microseconds: only a shared database is spared. */
export const restOf = ({ store, clock }: Pick<CoreState, 'store' | 'clock'>): GroupQueueOptions<never, never>['rest'] =>
  store.sharing === undefined ? undefined : { clock, msMax: GROUP_REST_MS_MAX };
