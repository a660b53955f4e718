/**
 * Orders transfers that wait for a block by turns of their owners: each owner in turn sends one, of each of its accounts in turn, each
 * account in the order of arrival. So one owner's waiting transfers, however many, come before another's transfer once and no more.
 *
 * Owners are the gateway's. Transfers without one belong to one owner, whose accounts take turns. An owner or account that was served goes
 * to the end of its ring, so that none is left out when there are more of them than places in a block.
 */
import type { VerifiedTransaction } from '../ledger/index.ts';

/** The owner of all transfers that the gateway named no owner for. */
export const NO_OWNER = '';

export interface Waiting {
  readonly transaction: VerifiedTransaction;
  /** NO_OWNER when the gateway named none. */
  readonly owner: string;
}

interface Owner {
  readonly accounts: Map<string, Set<Waiting>>;
  size: number;
}

export class FairOrder {
  readonly #owners = new Map<string, Owner>();

  /** The number of waiting transfers of this owner. */
  sizeOf(owner: string): number {
    return this.#owners.get(owner)?.size ?? 0;
  }

  add(waiting: Waiting): void {
    const owner = this.#owners.get(waiting.owner) ?? { accounts: new Map(), size: 0 };
    this.#owners.set(waiting.owner, owner);
    owner.size += 1;
    const account = accountOf(waiting);
    const queue = owner.accounts.get(account);
    if (queue === undefined) owner.accounts.set(account, new Set([waiting]));
    else queue.add(waiting);
  }

  /** `served`: a block took it, so its owner and its account had their turn. */
  delete(waiting: Waiting, served: boolean): void {
    const owner = this.#owners.get(waiting.owner);
    const queue = owner?.accounts.get(accountOf(waiting));
    if (owner === undefined || queue?.delete(waiting) !== true) return;
    owner.size -= 1;
    if (queue.size === 0) owner.accounts.delete(accountOf(waiting));
    else if (served) toEnd(owner.accounts, accountOf(waiting));
    if (owner.size === 0) this.#owners.delete(waiting.owner);
    else if (served) toEnd(this.#owners, waiting.owner);
  }

  /** True when any owner has more than `count` transfers waiting. */
  hasMoreThan(count: number): boolean {
    return [...this.#owners.values()].some(({ size }) => size > count);
  }

  /** The newest transfer of the owner with most waiting, if that is more than `count`: dropped for others when the mempool is full. */
  lastOfLargest(count: number): Waiting | undefined {
    let largest: Owner | undefined;
    for (const owner of this.#owners.values()) if (owner.size > (largest?.size ?? count)) largest = owner;
    // The last of an account: transfers after any other one could not execute without it.
    return largest && lastOf(lastOf(largest.accounts.values()) ?? []);
  }

  /** All waiting transfers, in the order of turns. Lazy: a block is full long before a long queue ends. */
  values(): Iterable<Waiting> {
    return byTurns(inTurn(this.#owners.values(), ({ accounts }) => byTurns(accounts.values())));
  }
}

const accountOf = ({ transaction: { tx } }: Waiting): string => ('from' in tx ? tx.from : '');

function lastOf<Item>(items: Iterable<Item>): Item | undefined {
  let last: Item | undefined;
  for (const item of items) last = item;
  return last;
}

function toEnd<Key, Value>(ring: Map<Key, Value>, key: Key): void {
  const value = ring.get(key) as Value;
  ring.delete(key);
  ring.set(key, value);
}

function* inTurn<From, To>(items: Iterable<From>, to: (item: From) => To): Iterable<To> {
  for (const item of items) yield to(item);
}

/** Yields one of each queue, then the second of each, until all are empty. */
function* byTurns<Item>(queues: Iterable<Iterable<Item>>): Iterable<Item> {
  let waiting: Iterator<Item>[] = [];
  for (const queue of queues) {
    const items = queue[Symbol.iterator]();
    const next = items.next();
    if (next.done === true) continue;
    yield next.value;
    waiting.push(items);
  }
  while (waiting.length > 0) {
    const left: Iterator<Item>[] = [];
    for (const items of waiting) {
      const next = items.next();
      if (next.done === true) continue;
      yield next.value;
      left.push(items);
    }
    waiting = left;
  }
}
