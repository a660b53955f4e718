/**
 * Gathers single submissions into calls of the ledger service.
 *
 * A call between threads costs more than its contents. So while the allowed number of calls is under way, everything that arrives is
 * gathered for the next one, owner by owner. A lone submission goes at once; under load a call carries a whole group.
 */
import type { Submission } from './core-api.ts';
import { GROUP_SIZE_MAX, NO_OWNER } from './limits.ts';
import { RoundRobin } from './round-robin.ts';
import type { Refusal, Submitted } from './types.ts';

type Answer = Submitted | Refusal;

interface Waiting {
  submission: Submission;
  answer(answer: Answer): void;
  fail(error: unknown): void;
}

export class FrontCalls {
  readonly #call: (submissions: readonly Submission[]) => Promise<Answer[]>;
  readonly #waiting = new RoundRobin<Waiting>();
  readonly #callsMax: number;
  #underWay = 0;

  /** @param callsMax under way at one time. */
  constructor(call: (submissions: readonly Submission[]) => Promise<Answer[]>, callsMax: number) {
    this.#call = call;
    this.#callsMax = callsMax;
  }

  submit(submission: Submission): Promise<Answer> {
    return new Promise((answer, fail) => {
      this.#waiting.add(submission.owner ?? NO_OWNER, { submission, answer, fail });
      if (this.#underWay < this.#callsMax) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#underWay += 1;
    while (this.#waiting.size > 0) {
      const group: Waiting[] = [];
      for (let next; group.length < GROUP_SIZE_MAX && (next = this.#waiting.next());) group.push(next);
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
