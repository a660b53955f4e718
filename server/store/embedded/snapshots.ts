/**
 * The snapshots in which a connection reads chain.db.
 *
 * To begin and end one takes system calls and statements that cost more than many a read. With the writer's count of commits, a snapshot
 * is therefore kept from one read to the next for as long as nothing was committed; without a count each read has a snapshot of its own.
 * One that is kept ends after some milliseconds even so: an open snapshot delays checkpoints, and an idle service keeps none.
 */
import type { CommitCount } from './commit-count.ts';
import { beginReading, type ChainConnection, endReading } from './connection.ts';

/**
 * A tenth of the time of a checkpoint under load, so that none waits for a reader; at a thousand reads a second nine of ten reuse a
 * snapshot.
 */
export const SNAPSHOT_KEPT_MS_MAX = 10;

export class Snapshots {
  readonly #sql: ChainConnection;
  readonly #commits: CommitCount | undefined;
  #isOpen = false;
  #isReading = false;
  /** The count before the open one began. */
  #count: number | undefined;
  #serial = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(sql: ChainConnection, commits?: CommitCount) {
    this.#sql = sql;
    this.#commits = commits;
  }

  /**
   * Runs `work` on one snapshot, which has all that any caller was shown before this call. A call within `work` is part of it. The serial
   * number identifies the snapshot: values derived from its rows are valid for as long as the number is the same.
   */
  read<T>(work: (serial: number) => T): T {
    if (this.#isReading) return work(this.#serial);
    const count = this.#commits?.now();
    if (this.#isOpen && (count === undefined || count !== this.#count)) this.end();
    if (!this.#isOpen) this.#begin(count);
    this.#isReading = true;
    let isDone = false;
    try {
      const result = work(this.#serial);
      isDone = true;
      return result;
    } finally {
      this.#isReading = false;
      // After a failure SQLite may have ended it already, and values derived from it may be incomplete.
      if (count === undefined || !isDone) this.end();
    }
  }

  /** True when nothing was committed since the snapshot of this number began: values derived from it are current. */
  isCurrent(serial: number): boolean {
    return serial === this.#serial && this.#count !== undefined && this.#count === this.#commits?.now();
  }

  /** The next read begins a new one. */
  end(): void {
    if (!this.#isOpen || this.#isReading) return;
    endReading(this.#sql);
    this.#isOpen = false;
  }

  /** Called before the connection is closed, which ends an open snapshot. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #begin(count: number | undefined): void {
    beginReading(this.#sql);
    this.#isOpen = true;
    this.#count = count;
    this.#serial += 1;
    if (count !== undefined) this.#timer ??= setTimeout(this.#endKept, SNAPSHOT_KEPT_MS_MAX).unref();
  }

  /**
   * Ends the snapshot that is open then, which may be younger than the timer: there is one timer in so many milliseconds, not one for each
   * snapshot.
   */
  readonly #endKept = (): void => {
    this.#timer = undefined;
    try {
      this.end();
    } catch {
      // The next read fails in the same way, and reports it to its caller.
    }
  };
}
