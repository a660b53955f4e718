/**
 * Group commit: everything that arrives while one group is being committed is the next group.
 *
 * Under load one write to disk serves many items; a single item goes at once. Where a commit is expensive in itself, items that arrived
 * while one was under way are delayed for as long again, so that more of them share the next. A caller that sends one item after the other
 * never waits for a timer.
 *
 * Where several threads push, a commit that blocks this one keeps their messages outside. Each would be a group of its own, with a commit
 * of its own, if the event loop did not go around first.
 *
 * A commit may leave items that it would have to wait for. They are in the next group of such items, which does wait, beside the other
 * groups.
 */
import type { GroupRest } from './rest.ts';
import { restAfter } from './rest.ts';

export interface GroupQueueOptions<Item, Answer> {
  sizeMax: number;
  /**
   * Answers each item in order, and undefined for one that it leaves; unless it `waits`. When it throws, each item of its group fails with
   * it.
   */
  commit: (items: readonly Item[], waits: boolean) => Promise<(Answer | undefined)[]>;
  /** Delay before a group that has callers waiting already, and not `enough` of them. Absent: none. */
  rest?: GroupRest | undefined;
  /** Runs before a group that has not `enough` items. Absent: the items pushed in one turn of the event loop are a group. */
  gather?: Gather | undefined;
}

export interface Gather {
  /** Resolves when the messages that other threads have sent are pushed. */
  letIn(): Promise<void>;
  /** A group of so many costs more by its items than by its commit, and its callers should not all be answered at once. */
  enough: number;
}

interface Entry<Item, Answer> {
  item: Item;
  answer(answer: Answer): void;
  fail(error: unknown): void;
}

export class GroupQueue<Item, Answer> {
  readonly #options: GroupQueueOptions<Item, Answer>;
  #waiting: Entry<Item, Answer>[] = [];
  #left: Entry<Item, Answer>[] = [];
  #running: Promise<void> | undefined;
  #runningLeft: Promise<void> | undefined;

  constructor(options: GroupQueueOptions<Item, Answer>) {
    this.#options = options;
  }

  /** Items that are in no commit yet. */
  get waiting(): number {
    return this.#waiting.length + this.#left.length;
  }

  push(items: readonly Item[]): Promise<Answer[]> {
    const answers = items.map(
      (item) => new Promise<Answer>((answer, fail) => this.#waiting.push({ item, answer, fail })),
    );
    this.#running ??= this.#run();
    return Promise.all(answers);
  }

  /** Resolves when nothing is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#running !== undefined || this.#runningLeft !== undefined)
      await Promise.all([this.#running, this.#runningLeft]);
  }

  async #run(): Promise<void> {
    const { sizeMax, rest, gather } = this.#options;
    // Items that were pushed in the same turn belong to the first group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      if (gather !== undefined && this.#waiting.length < gather.enough) await gather.letIn();
      const group = this.#waiting.splice(0, sizeMax);
      const beganMs = rest?.clock.monotonicMs() ?? 0;
      const left = await this.#commit(group, false);
      if (left.length > 0) {
        this.#left.push(...left);
        this.#runningLeft ??= this.#runLeft();
      }
      if (rest !== undefined && this.#waiting.length > 0 && this.#waiting.length < rest.enough)
        await restAfter(beganMs, rest);
    }
    this.#running = undefined;
  }

  async #runLeft(): Promise<void> {
    while (this.#left.length > 0) await this.#commit(this.#left.splice(0, this.#options.sizeMax), true);
    this.#runningLeft = undefined;
  }

  /** Commits a group and returns the items that were left. */
  async #commit(group: readonly Entry<Item, Answer>[], waits: boolean): Promise<Entry<Item, Answer>[]> {
    try {
      const answers = await this.#options.commit(
        group.map(({ item }) => item),
        waits,
      );
      return group.filter((entry, index) => {
        const answer = answers[index];
        if (answer !== undefined) entry.answer(answer);
        return answer === undefined;
      });
    } catch (error) {
      for (const entry of group) entry.fail(error);
      return [];
    }
  }
}
