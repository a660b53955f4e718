/**
 * Gathers single submissions into calls of the core.
 *
 * A call between threads costs more than what it carries, so while FRONT_CALLS_MAX calls are under way everything that
 * arrives is gathered for the next one. A lone submission goes at once; under load a call carries a whole group.
 */
import type { Submission } from './core-api.ts';
import { FRONT_CALLS_MAX, GROUP_SIZE_MAX } from './limits.ts';
import type { Refusal, Submitted } from './types.ts';

type Answer = Submitted | Refusal;

export class FrontCalls {
  readonly #call: (submissions: readonly Submission[]) => Promise<Answer[]>;
  readonly #waiting: { submission: Submission; answer: (answer: Answer) => void; fail: (error: unknown) => void }[] = [];
  #underWay = 0;

  constructor(call: (submissions: readonly Submission[]) => Promise<Answer[]>) {
    this.#call = call;
  }

  submit(submission: Submission): Promise<Answer> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ submission, answer, fail });
      if (this.#underWay < FRONT_CALLS_MAX) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#underWay += 1;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, GROUP_SIZE_MAX);
      try {
        const answers = await this.#call(group.map(({ submission }) => submission));
        for (const [index, entry] of group.entries()) entry.answer(answers[index] as Answer);
      } catch (error) {
        for (const entry of group) entry.fail(error);
      }
    }
    this.#underWay -= 1;
  }
}
