/**
 * One write at a time, together with what memory learns from it.
 *
 * The database alone would order the commits, but not the moments at which each commit's effect reaches the index of
 * pending transfers: a settled row could be added to it after it was removed.
 */
export class WriteLane {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything before it has ended, however it ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when nothing is under way or waiting. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
