/**
 * Taken nonces of a sender: they distinguish a transfer that can execute next from one that waits behind a gap.
 *
 * A nonce with a requested cancel counts as taken, because the block that decides fills it in any case.
 */
import type { NonceRun, StoredAccount } from '../../store/index.ts';
import { isVoid } from '../../ledger/index.ts';

/** Taken nonces of one account, as of the last commit. */
export interface TakenNonces {
  /** The lowest nonce that is neither void nor held by a pending transfer. */
  readonly free: number;
  /** Pending transfers above it. */
  readonly waiting: number;
  has(nonce: number): boolean;
}

/** The same while a group is checked: nonces that the group accepts are taken too. */
export class Places {
  readonly #account: StoredAccount;
  readonly #before: TakenNonces | undefined;
  /** Accepted by this group, behind the gap. */
  #added: Set<number> | undefined;
  #free: number;
  #waiting: number;

  constructor(account: StoredAccount, before: TakenNonces | undefined) {
    this.#account = account;
    this.#before = before;
    this.#free = before?.free ?? account.nonce;
    this.#waiting = before?.waiting ?? 0;
    if (before === undefined) this.#skip();
  }

  /** A transfer with a higher nonce waits for this one. */
  get free(): number {
    return this.#free;
  }

  get waiting(): number {
    return this.#waiting;
  }

  take(nonce: number): void {
    if (nonce > this.#free) {
      this.#waiting += 1;
      (this.#added ??= new Set()).add(nonce);
    } else if (nonce === this.#free) {
      this.#free += 1;
      this.#skip();
    }
  }

  #skip(): void {
    for (;;) {
      const taken = this.#before?.has(this.#free) === true || this.#added?.has(this.#free) === true;
      if (!taken && !isVoid(this.#account, this.#free)) return;
      if (taken) this.#waiting -= 1;
      this.#free += 1;
    }
  }
}

/** Places from the rows: `runs` are all pending nonces of this account. */
export function takenIn(account: StoredAccount, runs: readonly NonceRun[]): TakenNonces {
  let free = account.nonce;
  for (const { first, count } of runs.toSorted((a, b) => a.first - b.first)) {
    while (free < first && isVoid(account, free)) free += 1;
    if (free < first) break;
    free = Math.max(free, first + count);
  }
  while (isVoid(account, free)) free += 1;
  const has = (nonce: number): boolean => runs.some(({ first, count }) => nonce >= first && nonce < first + count);
  const waiting = runs.reduce((sum, { first, count }) => sum + (first > free ? count : 0), 0);
  return { free, waiting, has };
}
