/**
 * Group commit: whatever arrives while one group is being committed is the next group.
 *
 * Under load a commit carries many submissions and the disk is asked once; a single one goes at once. Nothing waits
 * for a timer.
 */
export class GroupQueue<Item, Answer> {
  readonly #commit: (items: readonly Item[]) => Promise<Answer[]>;
  readonly #sizeMax: number;
  #waiting: { item: Item; answer: (answer: Answer) => void; fail: (error: unknown) => void }[] = [];
  #running: Promise<void> | undefined;

  /** `commit` answers each item in order. When it throws, each item of its group is told the error. */
  constructor(sizeMax: number, commit: (items: readonly Item[]) => Promise<Answer[]>) {
    this.#sizeMax = sizeMax;
    this.#commit = commit;
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
    // What was pushed in the same turn belongs to the first group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#sizeMax);
      try {
        const answers = await this.#commit(group.map(({ item }) => item));
        for (const [index, entry] of group.entries()) entry.answer(answers[index] as Answer);
      } catch (error) {
        for (const entry of group) entry.fail(error);
      }
    }
    this.#running = undefined;
  }
}
