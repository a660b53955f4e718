/** A small seeded generator (mulberry32), so that a failing run can be run again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 to n - 1. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(values: readonly T[]): T | undefined {
    return values[this.below(values.length)];
  }
}
