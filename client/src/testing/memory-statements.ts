/** The statements of a test ledger: the entries of its blocks, in memory. */
import type { BlockTransaction } from '../../../server/gateway/follow/block-effects.ts';
import { entriesAfter, entryPage, type PlacedEntry } from '../../../server/gateway/list/entry-pages.ts';
import { beyondChain } from '../../../server/gateway/refusals.ts';
import type { AccountAtView, AccountEntry, EntryPage, EntryQuery, Refusal } from '../../../server/gateway/types.ts';
import type { Account } from '../../../server/ledger/index.ts';

interface OwnedEntry extends PlacedEntry {
  readonly address: string;
}

interface Moment {
  readonly height: number;
  readonly timeMs: number;
  /** The accounts that the block changed, in their state after it. */
  readonly accounts: ReadonlyMap<string, Pick<Account, 'balance' | 'nonce'>>;
}

export class MemoryStatements {
  readonly #chainId: string;
  readonly #moments: Moment[];
  readonly #entries: OwnedEntry[] = [];

  /** `first` is the block with the initial balances of the ledger. */
  constructor(chainId: string, first: Moment) {
    this.#chainId = chainId;
    this.#moments = [first];
  }

  add(moment: Moment, transactions: readonly BlockTransaction[]): void {
    const { height, timeMs } = moment;
    const balances = new Map<string, bigint>();
    const move = (address: string, by: bigint): string => {
      const balance = (balances.get(address) ?? this.#stateAt(address, height - 1).balance) + by;
      balances.set(address, balance);
      return balance.toString();
    };
    transactions.forEach(({ tx, hash, code }, index) => {
      if (tx?.kind !== 'transfer' || code !== 0) return;
      const { from, to, amount, reference } = tx;
      const entry = (direction: AccountEntry['direction'], address: string, counterparty: string, by: bigint): void => {
        const balanceAfter = move(address, by);
        this.#entries.push({
          place: this.#entries.length,
          address,
          height,
          index,
          blockTimeMs: timeMs,
          txHash: hash,
          direction,
          counterparty,
          amount: amount.toString(),
          balanceAfter,
          ...(reference !== undefined && { reference }),
        });
      };
      entry('out', from, to, -amount);
      entry('in', to, from, amount);
    });
    this.#moments.push(moment);
  }

  page(query: EntryQuery): EntryPage | Refusal {
    const { address, order, fromMs = 0, toMs = Infinity, limit } = query;
    const after = entriesAfter(this.#chainId, query);
    if (typeof after === 'object') return after;
    const isLeft = (place: number): boolean => after === undefined || (order === 'asc' ? place > after : place < after);
    const found = this.#entries.filter(
      (entry) =>
        entry.address === address && entry.blockTimeMs >= fromMs && entry.blockTimeMs < toMs && isLeft(entry.place),
    );
    if (order === 'desc') found.reverse();
    return entryPage(this.#chainId, query, found.slice(0, limit + 1).map(withoutAddress), this.#tip.height);
  }

  accountAt(address: string, height: number): AccountAtView | Refusal {
    if (height > this.#tip.height) return beyondChain(height, this.#tip.height);
    const { balance, nonce } = this.#stateAt(address, height);
    const { timeMs } = this.#moments.findLast((moment) => moment.height <= height) ?? (this.#moments[0] as Moment);
    return {
      ok: true,
      address,
      balance: balance.toString(),
      nonce,
      height,
      blockTimeMs: timeMs,
      ledgerHeight: this.#tip.height,
    };
  }

  get #tip(): Moment {
    return this.#moments.at(-1) as Moment;
  }

  #stateAt(address: string, height: number): Pick<Account, 'balance' | 'nonce'> {
    const [first] = this.#moments as [Moment];
    // There is no state before the first block.
    const last = this.#moments.findLast(
      (moment) => moment.height <= Math.max(height, first.height) && moment.accounts.has(address),
    );
    return last?.accounts.get(address) ?? { balance: 0n, nonce: 0 };
  }
}

function withoutAddress(owned: OwnedEntry): PlacedEntry {
  const { address: _owner, ...entry } = owned;
  return entry;
}
