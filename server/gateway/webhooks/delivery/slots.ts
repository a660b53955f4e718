/**
 * Places for requests in flight. First come, first served; a queue takes one at a time. Queues that were slow the last time, or failed,
 * share a part of the places, so that any number of them leaves the rest to the fast ones.
 */
export interface SlotLimits {
  readonly max: number;
  readonly slowMax: number;
}

interface Waiting {
  readonly isSlow: boolean;
  readonly give: (release: () => void) => void;
}

export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting = new Set<Waiting>();
  #taken = 0;
  #slow = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Resolves with a function that returns the place. */
  take(isSlow: boolean): Promise<() => void> {
    return new Promise((give) => {
      this.#waiting.add({ isSlow, give });
      this.#hand();
    });
  }

  #hand(): void {
    for (const waiting of this.#waiting) {
      if (this.#taken >= this.#limits.max) return;
      if (waiting.isSlow && this.#slow >= this.#limits.slowMax) continue;
      this.#waiting.delete(waiting);
      waiting.give(this.#place(waiting.isSlow));
    }
  }

  #place(isSlow: boolean): () => void {
    this.#taken += 1;
    if (isSlow) this.#slow += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#taken -= 1;
      if (isSlow) this.#slow -= 1;
      this.#hand();
    };
  }
}
