/**
 * Delays between pieces of work that cost the same however much they do: so at most half of the time goes to them, and each does twice as
 * much.
 *
 * For a database that is a server of its own, where a group is a dozen statements whatever its size. A file on this machine is written in
 * microseconds and needs no delay.
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
  /** A group of so many costs enough by its items: waiting for more would save little, and the database would be idle meanwhile. */
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
