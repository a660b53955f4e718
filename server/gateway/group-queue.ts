/**
 * Group commit: whatever arrives while one group is being committed is the next group.
 *
 * Under load a commit carries many items and the disk is asked once; a single one goes at once. Where a commit is
 * dear in itself, those who came while one was under way wait for as long again, so that more of them share the next.
 * Whoever sends one after the other never waits for a timer.
 */
import type { Rest } from './rest.ts';
import { restAfter } from './rest.ts';

export interface GroupQueueOptions<Item, Answer> {
  sizeMax: number;
  /** Answers each item in order. When it throws, each item of its group is told the error. */
  commit: (items: readonly Item[]) => Promise<Answer[]>;
  /** Before a group that somebody waits for already. Absent: none. */
  rest?: Rest | undefined;
}

export class GroupQueue<Item, Answer> {
  readonly #options: GroupQueueOptions<Item, Answer>;
  #waiting: { item: Item; answer: (answer: Answer) => void; fail: (error: unknown) => void }[] = [];
  #running: Promise<void> | undefined;

  constructor(options: GroupQueueOptions<Item, Answer>) {
    this.#options = options;
  }

  /** Items that no commit has taken up yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  push(items: readonly Item[]): Promise<Answer[]> {
    const answers = items.map((item) => new Promise<Answer>((answer, fail) => this.#waiting.push({ item, answer, fail })));
    this.#running ??= this.#run();
    return Promise.all(answers);
  }

  /** Resolves when nothing is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    const { sizeMax, commit, rest } = this.#options;
    // What was pushed in the same turn belongs to the first group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, sizeMax);
      const beganMs = rest?.clock.monotonicMs() ?? 0;
      try {
        const answers = await commit(group.map(({ item }) => item));
        for (const [index, entry] of group.entries()) entry.answer(answers[index] as Answer);
      } catch (error) {
        for (const entry of group) entry.fail(error);
      }
      if (rest !== undefined && this.#waiting.length > 0) await restAfter(beganMs, rest);
    }
    this.#running = undefined;
  }
}
