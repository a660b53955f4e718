/**
 * A log that several processes append to, as one of them sees it (protocol.md, rules 27, 28, 30, 31).
 *
 * An append is decided from the state after every entry before it: a process that loses a place applies the entry that is there and decides
 * again. An entry that was found and not appended here may be missing on a standby, so it is applied, and no answer may depend on it before
 * it is confirmed. A log that lost entries which this process has applied gets the same bytes again, from a process that still holds them;
 * one that has another entry in their place ends the process.
 */
import type { Clock, Logger } from '../engine/ports.ts';
import {
  LogBrokenError,
  type LogEntry,
  type LogPlace,
  LogSteppedBackError,
  LogUnavailableError,
  type RemoteLog,
  samePlace,
} from './log.ts';

/** Bytes of entries that are held so that they can be appended again. */
export const HELD_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of one read. */
const TAIL_BYTES_MAX = 8 * 1024 * 1024;
const RETRY_MS = 50;

export interface SharedLogOptions {
  log: RemoteLog;
  /** The last entry that the state holds already. */
  at: LogPlace;
  /** Applies an entry to the state; called once for each, in order. An error that it throws ends the process. */
  apply(entry: LogEntry): void;
  clock: Clock;
  logger: Logger;
  /** HELD_BYTES_MAX when absent. */
  heldBytesMax?: number;
}

/** The log no longer has the entries behind the last entry of the state: it begins with a snapshot. */
export class LogTrimmedError extends Error {
  override readonly name = 'LogTrimmedError';
}

export class SharedLog {
  readonly #options: SharedLogOptions;
  readonly #heldBytesMax: number;
  /** The last entries that were applied, by number. */
  readonly #held = new Map<number, LogEntry>();
  #heldBytes = 0;
  /** The place before the held entries. */
  #base: LogPlace;
  #head: LogPlace;
  /** The last entry that certainly stays in the log. */
  #confirmed: number;
  /** Appends take turns: each is decided by the state after the one before. */
  #appending: Promise<unknown> = Promise.resolve();
  #asking: Promise<void> | undefined;
  #askingNext: Promise<void> | undefined;
  #broken: Error | undefined;
  #isClosed = false;

  constructor(options: SharedLogOptions) {
    this.#options = options;
    this.#heldBytesMax = options.heldBytesMax ?? HELD_BYTES_MAX;
    this.#base = options.at;
    this.#head = options.at;
    // An entry that a start read from its own file may be there from a process that ended before it confirmed it.
    this.#confirmed = -1;
  }

  /** The last entry that was applied. */
  get head(): LogPlace {
    return this.#head;
  }

  /** True when an answer may depend on this entry, and all before it. */
  isConfirmed(seq: number): boolean {
    return seq <= this.#confirmed;
  }

  /** The reason why this log can no longer be used; undefined while it can. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  /**
   * Appends the entry that `decide` makes from the state after every entry before, and applies it. It is called again after another process
   * took the place. Undefined appends nothing. @returns the entry's place, or undefined. Throws LogUnavailableError when nothing was
   * written; while the outcome of the entry is unknown it does not return, and nothing else is appended.
   */
  append(decide: () => Uint8Array | undefined): Promise<LogPlace | undefined> {
    const appended = this.#appending.then(async () => {
      for (;;) {
        this.#assertUsable();
        const bytes = decide();
        if (bytes === undefined) return undefined;
        const place = await this.#outcome(bytes);
        if (place !== undefined) return place;
        await this.catchUp();
      }
    });
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  /**
   * For a read: resolves when every entry is applied that was in the log before this call. After a change of server it waits until the
   * entries that the new server lacks were appended again: a read that came before would not show what was acknowledged. Throws
   * LogUnavailableError.
   */
  async caughtUp(): Promise<void> {
    await this.catchUp();
    while (this.#options.log.settlesInMs() > 0) {
      await this.#pause();
      await this.catchUp();
    }
  }

  /** Applies the entries of the log, and appends again those that it has lost. Throws LogUnavailableError. */
  async catchUp(): Promise<void> {
    // A read that was sent before this call may not see entries that were appended since.
    this.#askingNext ??= (this.#asking ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#askingNext = undefined;
        this.#asking = this.#catchUp();
        return this.#asking;
      });
    await this.#askingNext;
  }

  /** Resolves when an answer may rest on everything that is applied now. Throws LogUnavailableError. */
  async confirmed(): Promise<void> {
    while (!this.isConfirmed(this.#head.seq)) {
      this.#assertUsable();
      const head = this.#head;
      if (await this.#options.log.confirm(head)) this.#confirmed = Math.max(this.#confirmed, head.seq);
      else await this.catchUp();
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** @returns undefined when another entry has the place. */
  async #outcome(bytes: Uint8Array): Promise<LogPlace | undefined> {
    const { log } = this.#options;
    const previous = this.#head;
    for (;;) {
      const appended = await log.append(previous, bytes);
      if (appended.outcome === 'taken') return undefined;
      if (appended.outcome === 'durable') {
        const { place } = appended;
        // It may have been found in the log before its own outcome came.
        this.#apply({ ...place, bytes });
        this.#confirmed = Math.max(this.#confirmed, place.seq);
        return place;
      }
      if (appended.outcome === 'held') throw new LogUnavailableError(appended.reason);
      await this.#pause();
      this.#assertUsable();
    }
  }

  async #catchUp(): Promise<void> {
    const { log } = this.#options;
    for (;;) {
      this.#assertUsable();
      const after = this.#head;
      let found: LogEntry[] | undefined;
      try {
        found = await log.tail(after, TAIL_BYTES_MAX);
      } catch (error) {
        if (!(error instanceof LogSteppedBackError)) throw error;
        await this.#appendAgain(error.head, after);
        continue;
      }
      if (found === undefined) {
        // An entry that this process appended meanwhile is behind it.
        if (this.#head !== after) continue;
        throw this.#break(new LogTrimmedError(`the log no longer has what comes behind entry ${after.seq}`));
      }
      if (found.length === 0) return;
      for (const entry of found) this.#apply(entry);
    }
  }

  /** The log ends with `theirs`, and this process has applied entries up to `ours`. */
  async #appendAgain(theirs: LogPlace, ours: LogPlace): Promise<void> {
    const { log, logger } = this.#options;
    let previous = theirs;
    if (!this.#hasApplied(theirs))
      throw this.#lost(`the log ends with an entry ${theirs.seq} that this gateway does not have`, ours);
    logger.warn(
      { entries: ours.seq - theirs.seq, from: theirs.seq + 1 },
      'the log lacks entries that this gateway has applied: it appends them again',
    );
    while (previous.seq < ours.seq) {
      const entry = this.#held.get(previous.seq + 1);
      if (entry === undefined)
        throw this.#lost(
          `the log ends with entry ${theirs.seq}, and this gateway holds less than what came behind it`,
          ours,
        );
      this.#assertUsable();
      const appended = await log.appendAgain(previous, entry.bytes);
      // Another entry, or yet another server: the next look at the log shows which.
      if (appended.outcome === 'taken') return;
      if (appended.outcome === 'durable') previous = entry;
      else await this.#pause();
    }
  }

  #hasApplied(place: LogPlace): boolean {
    const there = place.seq === this.#base.seq ? this.#base : this.#held.get(place.seq);
    return there !== undefined && samePlace(there, place);
  }

  #lost(why: string, { seq }: LogPlace): Error {
    return this.#break(
      new LogBrokenError(
        `${why}: what this gateway has applied up to entry ${seq} is lost with the server that had it. The next start makes its files again from what the log has`,
      ),
    );
  }

  #apply(entry: LogEntry): void {
    if (entry.seq <= this.#head.seq) return;
    try {
      this.#options.apply(entry);
    } catch (error) {
      throw this.#break(error as Error);
    }
    this.#head = { seq: entry.seq, hash: entry.hash };
    this.#held.set(entry.seq, entry);
    this.#heldBytes += entry.bytes.length;
    for (const [seq, old] of this.#held) {
      if (this.#heldBytes <= this.#heldBytesMax || seq === entry.seq) break;
      this.#held.delete(seq);
      this.#heldBytes -= old.bytes.length;
      this.#base = { seq, hash: old.hash };
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.setTimer(resolve, RETRY_MS));
  }

  #break(error: Error): Error {
    this.#broken ??= error;
    return error;
  }

  #assertUsable(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#isClosed) throw new LogUnavailableError('the log is closed');
  }
}
