/**
 * Ids of new accounts and owners, taken from the row of counters many at a time.
 *
 * A group needs some in the middle of a transaction whose locks others wait for; so each process has a range of its own, and takes the next
 * one outside. The rest of the range of a process that ends is never used.
 */

/** Ids of each kind that are taken at a time: twice as many as the largest group can need. */
const IDS_PER_RANGE = 2048;

export interface IdCounts {
  accounts: number;
  owners: number;
}

/** The requested number of ids. */
export interface ReservedIds {
  account(): number;
  owner(): number;
  /** Frees the ids that were not taken. To be called once. */
  done(): void;
}

type Kind = keyof IdCounts;

export class IdRanges {
  readonly #takeRange: (counts: IdCounts) => Promise<IdCounts>;
  #ranges: Record<Kind, { next: number; end: number }> = nothing();
  /** Ids of the range that are reserved and not taken yet. */
  readonly #reserved: IdCounts = { accounts: 0, owners: 0 };
  #taking: Promise<void> | undefined;
  #isForgotten = false;

  /** `takeRange` takes so many of each in a transaction of its own, and returns the first of each. */
  constructor(takeRange: (counts: IdCounts) => Promise<IdCounts>) {
    this.#takeRange = takeRange;
  }

  /** Resolves when so many of each kind are reserved, and queries the database only when they are not. */
  async reserve(counts: IdCounts): Promise<ReservedIds> {
    while (this.#lacks('accounts', counts) || this.#lacks('owners', counts)) {
      this.#taking ??= this.#take(counts).finally(() => (this.#taking = undefined));
      await this.#taking;
    }
    const left = { ...counts };
    for (const kind of KINDS) this.#reserved[kind] += left[kind];
    const next = (kind: Kind): number => {
      const range = this.#ranges[kind];
      if (left[kind] === 0 || range.next >= range.end) throw new Error(`more ${kind} are new than ids were reserved`);
      left[kind] -= 1;
      this.#reserved[kind] -= 1;
      return range.next++;
    };
    return {
      account: () => next('accounts'),
      owner: () => next('owners'),
      done: () => {
        for (const kind of KINDS) this.#reserved[kind] -= left[kind];
      },
    };
  }

  /** Ids that this process had reserved belong to another: the database was set back. */
  forget(): void {
    this.#isForgotten = true;
  }

  #lacks(kind: Kind, counts: IdCounts): boolean {
    const { next, end } = this.#ranges[kind];
    return this.#isForgotten || end - next - this.#reserved[kind] < counts[kind];
  }

  async #take(counts: IdCounts): Promise<void> {
    const size = (kind: Kind): number => Math.max(IDS_PER_RANGE, counts[kind] + this.#reserved[kind]);
    const taken = { accounts: size('accounts'), owners: size('owners') };
    const first = await this.#takeRange(taken);
    const range = (kind: Kind): { next: number; end: number } => ({
      next: first[kind],
      end: first[kind] + taken[kind],
    });
    this.#ranges = { accounts: range('accounts'), owners: range('owners') };
    this.#isForgotten = false;
  }
}

const KINDS: readonly Kind[] = ['accounts', 'owners'];

const nothing = (): Record<Kind, { next: number; end: number }> => ({
  accounts: { next: 0, end: 0 },
  owners: { next: 0, end: 0 },
});
