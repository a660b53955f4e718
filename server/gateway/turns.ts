/**
 * Time slices of one thread: long work, and many short works that come at once, run in short turns. Between two turns the event loop goes
 * around, so that the thread does other things, such as answering whether it is alive.
 *
 * The main job (payments and cancels) comes first and is never held back. Other work is of a kind with a weight: kinds that wait get
 * processor time in proportion to their weights, one turn each time the event loop goes around. A kind with a `share` gets no more than
 * that share of the thread while there is a main job, and all that is left otherwise. Within a kind, the main job too, the owners of the
 * work take turns, so that an owner with much work delays another by one turn.
 *
 * Time is measured where it was spent, never estimated.
 */
import type { Clock, Timer } from '../engine/ports.ts';

import {
  MAIN_JOB_PRESENT_MS,
  OTHER_TURN_MS_MAX,
  SHARE_BURST_MS,
  SHARE_DEBT_MS_MAX,
  TURN_MS_MAX,
  WORKS_OF_A_TURN_MAX,
} from './limits.ts';
import { RoundRobin } from './round-robin.ts';

/** Calls a function once the event loop has gone around. */
export const soonOf = (clock: Clock): ((fn: () => void) => void) => clock.soon ?? ((fn) => void clock.setTimer(fn, 0));

/** A sort of work. Compared by identity: each sort is one constant. */
export interface Kind {
  /** Processor time that it gets beside other kinds that wait, as a ratio. */
  readonly weight: number;
  /** Part of the thread's time that it gets while there is a main job, above 0; 1: all that the main job leaves. */
  readonly share: number;
}

/** Payments and cancels, one by one. */
export const MAIN_JOB: Kind = { weight: Number.POSITIVE_INFINITY, share: 1 };
/** Payments by the thousand: before everything else that waits, but a single payment does not wait for the next piece of one. */
export const BATCHES: Kind = { weight: 16, share: 1 };

interface KindState {
  readonly kind: Kind;
  readonly waiting: RoundRobin<() => void>;
  /** Time that it had, over its weight: of the kinds that wait, the one with the least is next. */
  passMs: number;
  /** Monotonic moment at which its share has paid for the time that it had. */
  paidMs: number;
}

export class Turns {
  readonly #clock: Clock;
  readonly #soon: (fn: () => void) => void;
  readonly #main = new RoundRobin<() => void>();
  readonly #kinds = new Map<Kind, KindState>();
  /** The last time that the event loop went around, as far as calls of this class show. */
  #roundMs = 0;
  /** True while the event loop has not gone around since the round began. */
  #open = false;
  /** The kind that runs now; undefined for the main job. */
  #running: KindState | undefined;
  /** Start of the running turn, and the moment up to which it was charged. */
  #turnMs = 0;
  #countedMs = 0;
  #mainMs = Number.NEGATIVE_INFINITY;
  #passMs = 0;
  /** Number of waiting pieces of work, without the main job. */
  #waiting = 0;
  #isResuming = false;
  /** Start of the first of the pieces of work that share a turn. */
  #resumedMs: number | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#soon = soonOf(clock);
  }

  /** For work that begins: it comes after the waiting work of its kind. Await it only when it returns a promise. */
  enter(kind = MAIN_JOB, owner = ''): Promise<void> | undefined {
    if (kind === MAIN_JOB || kind === BATCHES) this.mainJobCame();
    return this.#ask(kind, owner, false);
  }

  /** For work that goes on: ends its turn when that has taken long enough. Await it only when it returns a promise. */
  yield(kind = MAIN_JOB, owner = ''): Promise<void> | undefined {
    return this.#ask(kind, owner, true);
  }

  /** Counts time that work of a kind had somewhere else too: its share is of the machine. */
  charge(kind: Kind, ms: number): void {
    this.#charge(this.#stateOf(kind), ms, this.#clock.monotonicMs());
  }

  /**
   * For payments and cancels that take no turn here. Called only for clients that may send them: a flood of others holds nothing else back.
   */
  mainJobCame(): void {
    // The running work, such as a read that the event loop has not gone around after, ends here.
    this.#mainMs = this.#endTurn();
  }

  /** True when payments or cancels came a moment ago. */
  get isMainJobThere(): boolean {
    return this.#isMainThere(this.#clock.monotonicMs());
  }

  /** Milliseconds until a kind may run again; 0: now. */
  restMs(kind: Kind): number {
    return this.#restMs(this.#stateOf(kind), this.#clock.monotonicMs());
  }

  #ask(kind: Kind, owner: string, goesOn: boolean): Promise<void> | undefined {
    const isOn = goesOn && this.#running?.kind === kind;
    const nowMs = this.#endTurn();
    if (kind === MAIN_JOB)
      return (goesOn || this.#main.size === 0) && !this.#isRoundOver(nowMs) ? undefined : this.#waitAsMain(owner);
    const state = this.#stateOf(kind);
    const beganMs = isOn ? this.#turnMs : nowMs;
    if (!this.#mayHave(state, goesOn, isOn, nowMs) || this.#isRoundOver(nowMs)) return this.#wait(state, owner);
    this.#begin(state, nowMs, beganMs);
    return undefined;
  }

  /** True when work may run before anything that waits. */
  #mayHave(state: KindState, goesOn: boolean, isOn: boolean, nowMs: number): boolean {
    // The rest of the round is the main job's.
    if (this.#main.size > 0) return false;
    // Nothing else waits whose time could be compared, and there is no share to keep to.
    if (this.#waiting === 0 && state.kind.share === 1) return !isOn || nowMs - this.#turnMs < TURN_MS_MAX;
    if (this.#restMs(state, nowMs) > 0) return false;
    return goesOn ? isOn && nowMs - this.#turnMs < OTHER_TURN_MS_MAX : this.#next(nowMs) === undefined;
  }

  #stateOf(kind: Kind): KindState {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const made: KindState = { kind, waiting: new RoundRobin(), passMs: this.#passMs, paidMs: 0 };
    this.#kinds.set(kind, made);
    return made;
  }

  /** Begins a round where none is open. */
  #isRoundOver(nowMs: number): boolean {
    if (this.#open) return nowMs - this.#roundMs >= TURN_MS_MAX;
    this.#open = true;
    this.#roundMs = nowMs;
    this.#soon(this.#goneAround);
    return false;
  }

  #begin(state: KindState, nowMs: number, beganMs = nowMs): void {
    this.#running = state;
    this.#turnMs = beganMs;
    this.#countedMs = nowMs;
  }

  /** Charges the time since the last charge. @returns now. */
  #endTurn(): number {
    const nowMs = this.#clock.monotonicMs();
    const state = this.#running;
    if (state === undefined) return nowMs;
    this.#running = undefined;
    this.#charge(state, nowMs - this.#countedMs, nowMs);
    return nowMs;
  }

  #charge(state: KindState, ms: number, nowMs: number): void {
    const { weight, share } = state.kind;
    state.passMs += ms / weight;
    // Time that no other kind wanted is not counted against it.
    if (share === 1 || !this.#isMainThere(nowMs)) return;
    state.paidMs = Math.min(Math.max(state.paidMs, nowMs) + ms / share, nowMs + SHARE_DEBT_MS_MAX);
  }

  #isMainThere(nowMs: number): boolean {
    return nowMs - this.#mainMs < MAIN_JOB_PRESENT_MS;
  }

  #restMs({ kind, paidMs }: KindState, nowMs: number): number {
    if (kind.share === 1) return 0;
    return Math.max(0, Math.min(paidMs - SHARE_BURST_MS, this.#mainMs + MAIN_JOB_PRESENT_MS) - nowMs);
  }

  #waitAsMain(owner: string): Promise<void> {
    return new Promise((resolve) => {
      this.#main.add(owner, resolve);
      this.#soon(this.#resumeMain);
    });
  }

  #wait(state: KindState, owner: string): Promise<void> {
    // A kind that comes back does not get the time that it did not use meanwhile, and does not pay for time that no other kind wanted.
    if (state.waiting.size === 0)
      state.passMs = Math.min(Math.max(state.passMs, this.#passMs), this.#passMs + OTHER_TURN_MS_MAX);
    this.#waiting += 1;
    return new Promise((resolve) => {
      state.waiting.add(owner, resolve);
      this.#resumeSoon();
    });
  }

  /** Runs before all waiting work. */
  readonly #goneAround = (): void => {
    this.#endTurn();
    this.#open = this.#main.size > 0;
    if (!this.#open) return;
    this.#roundMs = this.#clock.monotonicMs();
    this.#soon(this.#goneAround);
  };

  /**
   * Called once for each piece of waiting work: one runs before the next is called, and one whose turn ends comes after all others of its
   * owner.
   */
  readonly #resumeMain = (): void => {
    const nowMs = this.#endTurn();
    if (nowMs - this.#roundMs < TURN_MS_MAX) this.#main.next()?.();
    else this.#soon(this.#resumeMain);
  };

  #resumeSoon(): void {
    if (this.#isResuming) return;
    this.#isResuming = true;
    this.#timer?.cancel();
    this.#resumedMs = undefined;
    for (let works = Math.min(this.#waiting, WORKS_OF_A_TURN_MAX); works > 0; works -= 1) {
      this.#soon(this.#resumeOther);
      // Runs right after the resumed work, before the event loop does anything else: the turn is charged exactly its time.
      this.#soon(works > 1 ? this.#endShort : this.#endOther);
    }
  }

  readonly #endShort = (): void => void this.#endTurn();

  /** One turn, each time the event loop goes around. Short works share it: to go around for each costs a list of ten a fifth more. */
  readonly #resumeOther = (): void => {
    const nowMs = this.#endTurn();
    const isFirst = this.#resumedMs === undefined;
    this.#resumedMs ??= nowMs;
    if (!isFirst && (this.#main.size > 0 || nowMs - this.#resumedMs >= OTHER_TURN_MS_MAX)) return;
    const next = this.#next(nowMs);
    if (next === undefined) return;
    this.#passMs = next.passMs;
    this.#begin(next, nowMs);
    this.#waiting -= 1;
    next.waiting.next()?.();
  };

  readonly #endOther = (): void => {
    const nowMs = this.#endTurn();
    this.#isResuming = false;
    if (this.#waiting === 0) return;
    let restMs = Number.POSITIVE_INFINITY;
    for (const state of this.#kinds.values())
      if (state.waiting.size > 0) restMs = Math.min(restMs, this.#restMs(state, nowMs));
    if (restMs === 0) this.#resumeSoon();
    else this.#timer = this.#clock.setTimer(() => this.#resumeSoon(), restMs);
  };

  #next(nowMs: number): KindState | undefined {
    let next: KindState | undefined;
    for (const state of this.#kinds.values()) {
      if (state.waiting.size === 0 || this.#restMs(state, nowMs) > 0) continue;
      if (next === undefined || state.passMs < next.passMs) next = state;
    }
    return next;
  }
}

const turns = new WeakMap<Clock, Turns>();

/** The turns of the thread that the clock is of. */
export function turnsOf(clock: Clock): Turns {
  const known = turns.get(clock);
  if (known !== undefined) return known;
  const made = new Turns(clock);
  turns.set(clock, made);
  return made;
}
