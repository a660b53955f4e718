/**
 * Batching delays between pieces of work whose cost does not depend on their size: so at most half of the time goes to them, and each does
 * twice as much.
 *
 * They are for a database on a server, where a group of any size is a dozen statements. A file on this machine is written in microseconds
 * and needs no delay.
 */
import type { Clock } from '../engine/ports.ts';
import type { CoreState } from './core-state.ts';
import { GROUP_ENOUGH, REST_MS_MAX } from './limits.ts';

export interface Rest {
  clock: Clock;
  /** Milliseconds. */
  msMax: number;
}

export interface GroupRest extends Rest {
  /** In a group of this size the items cost enough: waiting for more would save little, and the database would be idle meanwhile. */
  enough: number;
}

/** Undefined where no delay is needed. */
export const restOf = ({ store, clock }: Pick<CoreState, 'store' | 'clock'>): GroupRest | undefined =>
  store.sharing === undefined ? undefined : { clock, msMax: REST_MS_MAX, enough: GROUP_ENOUGH };

/** Resolves when as much time has passed as since `beganMs` (by the monotonic clock), or `msMax`. */
export async function restAfter(beganMs: number, { clock, msMax }: Rest): Promise<void> {
  const ms = Math.min(clock.monotonicMs() - beganMs, msMax);
  if (ms > 0) await new Promise<void>((resolve) => clock.setTimer(resolve, ms));
}
