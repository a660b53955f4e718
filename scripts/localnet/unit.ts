/**
 * Supervises parts that are started and restarted together: a node and its application, or one part alone.
 *
 * They are started in order and ended in the opposite one; a part that takes longer than its grace time is killed. When one of them dies,
 * all are ended and started again. A node does not survive its application, and an application waits forever for a node that is gone, so
 * only restarting the pair is always correct.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT_NOT_STARTED, type Child, type Exit } from './launch.ts';

export interface PartSpec {
  name: string;
  /** Maximum time to end after `stopSignal`. */
  graceMs: number;
  stopSignal: NodeJS.Signals;
  launch(): Child;
}

export interface UnitEvents {
  started(part: string, pid: number | undefined): void;
  ended(part: string): void;
  /** A part died by itself; `failures` is the number of such deaths in a row. */
  died(part: string, exit: Exit, failures: number): void;
}

/** A unit that ran for this long had started successfully: its next death is the first in a row. */
export const STABLE_MS = 10_000;
/** From the second restart on; the first comes at once, because a part that was killed has nothing to wait for. */
const RESTART_DELAY_MS_MIN = 100;
export const RESTART_DELAY_MS_MAX = 3000;

/** @param failures deaths in a row, this one included. */
export function restartDelayMs(failures: number): number {
  return failures <= 1 ? 0 : Math.min(RESTART_DELAY_MS_MIN * 2 ** (failures - 2), RESTART_DELAY_MS_MAX);
}

/** @param ms time to wait; never negative. @returns which of the two came first. */
export const waitOr = (ms: number, other: Promise<unknown>): Promise<'time' | 'other'> => {
  const given = new AbortController();
  const time = sleep(ms, 'time' as const, { signal: given.signal }).catch(() => 'other' as const);
  return Promise.race([time, other.then(() => 'other' as const)]).finally(() => given.abort());
};

/** A part that cannot be launched, because its log cannot be opened for example, counts as dead: a later try may succeed. */
function launched(spec: PartSpec): Child {
  try {
    return spec.launch();
  } catch {
    return {
      pid: undefined,
      exited: Promise.resolve({ code: EXIT_NOT_STARTED, signal: null }),
      signal: () => undefined,
    };
  }
}

export class Unit {
  readonly #parts: readonly PartSpec[];
  readonly #events: UnitEvents;
  #running: { spec: PartSpec; child: Child }[] = [];
  #stopping = false;
  readonly #stopRequest = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: readonly PartSpec[], events: UnitEvents) {
    this.#parts = parts;
    this.#events = events;
  }

  start(): void {
    this.#loop = this.#supervise();
  }

  /** Ends all parts, last started first. Resolves when they are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopRequest.resolve();
    await this.#loop;
  }

  /** Ends all parts at once and starts none again. */
  kill(): void {
    this.#stopping = true;
    this.#stopRequest.resolve();
    for (const { child } of this.#running) child.signal('SIGKILL');
  }

  async #supervise(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      const startedMs = performance.now();
      const deaths = this.#parts.map((spec) => this.#launch(spec));
      const death = await Promise.race([...deaths, this.#stopRequest.promise]);
      await this.#endAll();
      if (this.#stopping || !death) return;
      failures = performance.now() - startedMs >= STABLE_MS ? 1 : failures + 1;
      this.#events.died(death.part, death.exit, failures);
      await waitOr(restartDelayMs(failures), this.#stopRequest.promise);
    }
  }

  async #launch(spec: PartSpec): Promise<{ part: string; exit: Exit }> {
    const child = launched(spec);
    this.#running.push({ spec, child });
    this.#events.started(spec.name, child.pid);
    const exit = await child.exited;
    this.#running = this.#running.filter((other) => other.child !== child);
    this.#events.ended(spec.name);
    return { part: spec.name, exit };
  }

  async #endAll(): Promise<void> {
    for (const { spec, child } of this.#running.toReversed()) {
      child.signal(spec.stopSignal);
      if ((await waitOr(spec.graceMs, child.exited)) === 'other') continue;
      child.signal('SIGKILL');
      await child.exited;
    }
  }
}
