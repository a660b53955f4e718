/** The rows of a test ledger, and the few queries of the store that the gateway's code makes. */
import type {
  FollowerState,
  KeyedTransfer,
  NonceRun,
  OwnedKey,
  StoredAccount,
  StoredTransfer,
  Store,
  TransferListQuery,
} from '../../../server/store/types.ts';
import type { EventListQuery } from '../../../server/store/event-types.ts';
import { isVoid } from '../../../server/ledger/index.ts';
import { MemoryEvents } from './memory-events.ts';

export class MemoryStore {
  /** In the order in which they were first submitted: the sequence number is the index. */
  readonly transfers: StoredTransfer[] = [];
  readonly events = new MemoryEvents();
  readonly #byHash = new Map<string, StoredTransfer>();
  readonly #accounts = new Map<string, StoredAccount>();
  /** Idempotency keys of all owners, with the transfer that each was accepted with. */
  readonly #keys: (OwnedKey & { seq: number })[] = [];

  readonly #lastBlock: () => Pick<FollowerState, 'height' | 'blockTimeMs'>;

  constructor(lastBlock: () => Pick<FollowerState, 'height' | 'blockTimeMs'>) {
    this.#lastBlock = lastBlock;
  }

  /** The store for the gateway's code: it calls no other methods. */
  get port(): Store {
    const tx = {
      accountsByAddress: async (addresses: readonly string[]) =>
        addresses.flatMap((address) => this.account(address) ?? []),
      follower: async () => this.#lastBlock(),
      pendingNonces: async (ids: readonly number[]): Promise<NonceRun[]> =>
        ids.flatMap((fromId) => this.pendingOf(fromId).map(({ nonce }) => ({ fromId, first: nonce, count: 1 }))),
      listTransfers: async (query: TransferListQuery) => this.#page(query),
      transfersByHash: async (hashes: readonly string[]) => hashes.flatMap((hash) => this.find(hash) ?? []),
      events: async (query: EventListQuery) => this.events.list(query),
      bindings: async () => [],
      announce: async () => undefined,
      requestCancels: async (asked: readonly { seq: number }[], nowMs: number) => {
        for (const { seq } of asked)
          this.change(seq, { cancelRequestedAtMs: this.transfers[seq]?.cancelRequestedAtMs ?? nowMs });
        return asked.map(({ seq }) => seq);
      },
    };
    const run = (work: (transaction: typeof tx) => unknown): unknown => work(tx);
    return { read: run, write: run } as unknown as Store;
  }

  account(address: string): StoredAccount | undefined {
    return this.#accounts.get(address);
  }

  get accounts(): StoredAccount[] {
    return [...this.#accounts.values()];
  }

  saveAccount(account: StoredAccount): void {
    this.#accounts.set(account.address, account);
  }

  find(hash: string): StoredTransfer | undefined {
    return this.#byHash.get(hash);
  }

  at(from: string, nonce: number): StoredTransfer[] {
    return this.transfers.filter((transfer) => transfer.from === from && transfer.nonce === nonce);
  }

  pendingOf(fromId: number): StoredTransfer[] {
    return this.transfers.filter((transfer) => transfer.fromId === fromId && transfer.status === 'pending');
  }

  bindKey(key: OwnedKey, seq: number): void {
    this.#keys.push({ ...key, seq });
  }

  ofKey({ owner, key }: OwnedKey): KeyedTransfer[] {
    return this.#keys
      .filter((other) => other.owner === owner && other.key === key)
      .flatMap(({ seq }) => {
        const transfer = this.transfers[seq];
        return transfer === undefined ? [] : [{ owner, key, transfer }];
      });
  }

  add(transfer: StoredTransfer): void {
    this.transfers.push(transfer);
    this.#byHash.set(transfer.hash, transfer);
  }

  /** Replaces the row instead of changing it, so that an answer made from it earlier does not change. */
  change(seq: number, changed: Partial<StoredTransfer>): void {
    const row = { ...(this.transfers[seq] as StoredTransfer), ...changed };
    this.transfers[seq] = row;
    this.#byHash.set(row.hash, row);
    if (row.executedAs !== undefined) this.#byHash.set(row.executedAs, row);
  }

  /** The nonce that all later ones wait for; undefined without pending transfers. */
  gapOf(fromId: number): number | undefined {
    const account = this.accounts.find(({ id }) => id === fromId);
    const pending = new Map(this.pendingOf(fromId).map((transfer) => [transfer.nonce, transfer]));
    if (account === undefined || pending.size === 0) return undefined;
    for (let gap = account.nonce; ; gap++) {
      if (isVoid(account, gap)) continue;
      const holder = pending.get(gap);
      if (holder === undefined || holder.cancelRequestedAtMs !== undefined || holder.expiryRequestedAtMs !== undefined)
        return gap;
    }
  }

  #page({ before, limit, status, nonce, sides, reference }: TransferListQuery): {
    transfers: StoredTransfer[];
    nextBefore?: number;
  } {
    const fits = (transfer: StoredTransfer): boolean =>
      (before === undefined || transfer.seq < before) &&
      (status === undefined || transfer.status === status) &&
      (nonce === undefined || transfer.nonce === nonce) &&
      (reference === undefined || transfer.reference === reference) &&
      (sides === undefined ||
        sides.some(
          ({ fromId, toId }) =>
            (fromId ?? transfer.fromId) === transfer.fromId && (toId ?? transfer.toId) === transfer.toId,
        ));
    const found = this.transfers.filter(fits).reverse();
    const transfers = found.slice(0, limit);
    const last = transfers.at(-1);
    return found.length > limit && last !== undefined ? { transfers, nextBefore: last.seq } : { transfers };
  }
}
