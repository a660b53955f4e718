/**
 * A primary and its standby that keep a log, in memory: every answer takes a turn, and a seed decides which one comes next, which is lost, whose session ends while
 * its commit waits for the standby, and when the standby is promoted without what it lacks.
 */
import { Random } from '../../gateway/support/random.ts';
import {
  type Appended,
  entryHash,
  type LogEntry,
  type LogPlace,
  LogSteppedBackError,
  LogUnavailableError,
  type RemoteLog,
  samePlace,
} from '../../../server/log/log.ts';

/** Whatever waits, and which of it goes on next. */
export class Turns {
  readonly #random: Random;
  #waiting: (() => void)[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  chance(percent: number): boolean {
    return this.#random.chance(percent);
  }

  readonly wait = (): Promise<void> => new Promise((resolve) => void this.#waiting.push(resolve));

  /** Until all is done that anyone waits for, or `stepsMax` turns were taken. @returns whether all is done. */
  async run(stepsMax: number, between: () => void): Promise<boolean> {
    for (let step = 0; step < stepsMax; step += 1) {
      // What was let go reaches its next wait.
      for (let settle = 0; settle < 20; settle += 1) await Promise.resolve();
      if (this.#waiting.length === 0) return true;
      const [next] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1);
      between();
      next?.();
    }
    return false;
  }
}

export interface Faults {
  /** Of an append, in percent: those that do not arrive, and whose answer is lost. */
  unsent: number;
  unanswered: number;
  /** Of commits that wait for the standby: the session is ended, and all see the entry. */
  ended: number;
}

export class FailingServers {
  readonly #turns: Turns;
  readonly #isSynchronous: boolean;
  faults: Faults = { unsent: 5, unanswered: 5, ended: 5 };
  /** What the primary has; what other sessions see; what the standby has. */
  #entries: LogEntry[];
  #visible = 1;
  #copied = 1;
  /** After a fail-over, until all that hold more had time to append it again. */
  #isSettling = false;
  readonly #first: LogEntry;

  constructor(turns: Turns, first: LogEntry, isSynchronous: boolean) {
    this.#turns = turns;
    this.#isSynchronous = isSynchronous;
    this.#entries = [first];
    this.#first = first;
  }

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  /** The standby gets one more entry. */
  copy(): void {
    this.#copied = Math.min(this.#copied + 1, this.#entries.length);
  }

  /** The standby is the primary from now on, with another one that copies from it. */
  failOver(): void {
    this.#entries = this.#entries.slice(0, this.#copied);
    this.#visible = this.#entries.length;
    this.#isSettling = true;
  }

  settled(): void {
    this.#isSettling = false;
  }

  /** As one process sees them. */
  session(): RemoteLog & { head(): Promise<LogPlace> } {
    /** Sent once without an answer. */
    let doubt: Uint8Array | undefined;
    const wait = (): Promise<void> => this.#turns.wait();
    const isThere = (place: LogPlace): boolean => {
      const there = this.#entries[place.seq];
      return there !== undefined && place.seq < this.#visible && samePlace(there, place);
    };
    const committed = async (length: number, entries: LogEntry[]): Promise<boolean> => {
      // While it waits, nobody sees the entry.
      while (this.#isSynchronous && this.#copied < length && entries === this.#entries) {
        if (this.#turns.chance(this.faults.ended)) {
          this.#visible = Math.max(this.#visible, length);
          return false;
        }
        await wait();
      }
      if (entries !== this.#entries) return false;
      this.#visible = Math.max(this.#visible, length);
      return true;
    };
    const send = async (previous: LogPlace, bytes: Uint8Array, isDoubtful: boolean): Promise<Appended> => {
      const entries = this.#entries;
      const unknown = { outcome: 'unknown', reason: 'no answer' } as const;
      await wait();
      if (this.#turns.chance(this.faults.unsent)) return unknown;
      // An insert waits for one of the same number that is not committed.
      while (entries.length > this.#visible && entries === this.#entries) await wait();
      // It was sent to another server.
      if (entries !== this.#entries) return unknown;
      const seq = previous.seq + 1;
      const place = { seq, hash: entryHash(previous.hash, seq, bytes) };
      const isBehind = isThere(previous) && entries.length === seq;
      if (isBehind) entries.push({ ...place, bytes });
      else if (!isDoubtful || !isThere(place)) return { outcome: 'taken' };
      const isDurable = await committed(entries.length, entries);
      await wait();
      // What the old server says after a fail-over arrives nowhere.
      if (!isDurable || entries !== this.#entries || this.#turns.chance(this.faults.unanswered)) return unknown;
      return { outcome: 'durable', place };
    };
    return {
      append: async (previous, bytes) => {
        if (this.#isSettling) {
          await wait();
          return { outcome: doubt === undefined ? 'held' : 'unknown', reason: 'another server' };
        }
        const appended = await send(previous, bytes, doubt !== undefined);
        doubt = appended.outcome === 'unknown' ? bytes : undefined;
        return appended;
      },
      appendAgain: (previous, bytes) => send(previous, bytes, true),
      confirm: async (place) => {
        await wait();
        const entries = this.#entries;
        if (!isThere(place)) return false;
        if (await committed(place.seq + 1, entries)) return true;
        throw new LogUnavailableError('no answer');
      },
      settlesInMs: () => (this.#isSettling ? 1 : 0),
      head: async () => {
        await wait();
        return this.#entries[this.#visible - 1] as LogPlace;
      },
      tail: async (after) => {
        await wait();
        const seen = this.#entries.slice(0, this.#visible);
        const there = seen[after.seq];
        const head = seen.at(-1) ?? this.#first;
        const found = seen.slice(after.seq + 1);
        // The answer takes a turn too.
        await wait();
        if (there === undefined || !samePlace(there, after))
          throw new LogSteppedBackError(`entry ${after.seq} is not there`, head);
        return found;
      },
    };
  }
}
