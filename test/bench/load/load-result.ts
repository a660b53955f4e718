/** What a load learned of its requests. */
export interface Work {
  port: number;
  connections: number;
  count: number;
  /** The bytes of request `index`; made before the load begins, so that the loader only sends. */
  request(index: number): Buffer;
  /** Whether the answer is the expected one. Anything else counts as refused. */
  accepts(status: number, body: Buffer): boolean;
}

export interface LoadResult {
  /** Requests answered, the refused ones too. */
  count: number;
  /** Which requests were refused, and how the first of each status read. */
  refused: number[];
  refusals: Record<string, string>;
  latenciesMs: Float64Array;
  wallMs: number;
}

const REFUSAL_CHARS = 300;

export class Tally {
  readonly #latenciesMs: Float64Array;
  readonly #refused: number[] = [];
  readonly #refusals: Record<string, string> = {};
  readonly #startedMs = performance.now();
  readonly #work: Work;
  #count = 0;

  constructor(work: Work) {
    this.#work = work;
    this.#latenciesMs = new Float64Array(work.count);
  }

  answer(index: number, sinceMs: number, status: number, body: Buffer): void {
    this.#latenciesMs[this.#count++] = performance.now() - sinceMs;
    if (this.#work.accepts(status, body)) return;
    this.#refused.push(index);
    this.#refusals[status] ??= body.toString('utf8', 0, REFUSAL_CHARS);
  }

  get count(): number {
    return this.#count;
  }

  result(): LoadResult {
    return {
      count: this.#count,
      refused: this.#refused,
      refusals: this.#refusals,
      latenciesMs: this.#latenciesMs.subarray(0, this.#count).toSorted(),
      wallMs: performance.now() - this.#startedMs,
    };
  }
}
