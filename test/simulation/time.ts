/**
 * The one time of a simulated life: every process has its own view of it, which ends with the process. Time passes only when the life says so, or
 * within an append to a slow disk; and the wall clock may be set by hand at any reading of it.
 */
import type { Clock, Timer } from '../../server/engine/ports.ts';

interface Pending {
  dueMs: number;
  order: number;
  owner: ProcessClock;
  fn: () => void;
}

/** Promise callbacks that run after a step: what is still open then goes on after the next step, in the same order in each run. */
const CALLBACKS_PER_STEP = 40;

/** Lets everything run that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < CALLBACKS_PER_STEP; turn += 1) await undefined;
}

export class VirtualTime {
  monotonicMs = 0;
  /** The wall clock shows the monotonic one and this. */
  wallAheadMs: number;
  /** After so many more readings the wall clock is set by so much, each in its turn. */
  jumps: { left: number; byMs: number }[] = [];
  /** The latest that anyone read. */
  wallMsMax = 0;
  #order = 0;
  readonly #timers = new Set<Pending>();

  constructor(wallMs: number) {
    this.wallAheadMs = wallMs;
  }

  get wallMs(): number {
    return this.wallAheadMs + this.monotonicMs;
  }

  /** A disk was slow: nothing else ran meanwhile. */
  pass(ms: number): void {
    this.monotonicMs += ms;
  }

  read(): void {
    const [jump] = this.jumps;
    if (jump !== undefined) {
      jump.left -= 1;
      if (jump.left <= 0) {
        this.jumps.shift();
        this.wallAheadMs += jump.byMs;
      }
    }
    this.wallMsMax = Math.max(this.wallMsMax, this.wallMs);
  }

  add(owner: ProcessClock, fn: () => void, delayMs: number): Timer {
    const pending = { dueMs: this.monotonicMs + Math.max(0, delayMs), order: this.#order++, owner, fn };
    this.#timers.add(pending);
    return { cancel: () => void this.#timers.delete(pending) };
  }

  /** Timers of a process that died. */
  drop(owner: ProcessClock): void {
    for (const pending of this.#timers) if (pending.owner === owner) this.#timers.delete(pending);
  }

  /** Each timer fires at its moment, and what it makes ready runs before the next. Time stops behind `timersMax` of them. */
  async advance(ms: number, timersMax = Infinity): Promise<void> {
    const endMs = this.monotonicMs + ms;
    let fired = 0;
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      if (fired === timersMax) return;
      fired += 1;
      this.monotonicMs = Math.max(this.monotonicMs, next.dueMs);
      this.#timers.delete(next);
      next.fn();
      await settle();
    }
    this.monotonicMs = Math.max(this.monotonicMs, endMs);
    await settle();
  }

  #next(endMs: number): Pending | undefined {
    let first: Pending | undefined;
    for (const pending of this.#timers) {
      if (pending.dueMs > endMs) continue;
      const isEarlier =
        first === undefined ||
        pending.dueMs < first.dueMs ||
        (pending.dueMs === first.dueMs && pending.order < first.order);
      if (isEarlier) first = pending;
    }
    return first;
  }
}

export class ProcessClock implements Clock {
  readonly #time: VirtualTime;
  #isStopped = false;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  nowMs(): number {
    this.#time.read();
    return this.#time.wallMs;
  }

  nowNs(): bigint {
    return BigInt(this.nowMs()) * 1_000_000n;
  }

  monotonicMs(): number {
    this.#time.read();
    return this.#time.monotonicMs;
  }

  setTimer(fn: () => void, delayMs: number): Timer {
    if (this.#isStopped) return { cancel: () => undefined };
    return this.#time.add(this, fn, delayMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#time.drop(this);
  }
}
