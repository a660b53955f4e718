/**
 * Finds the nonces of a sender that transfers outside of a file occupy: pending ones that wait for an earlier nonce, and void ones ahead of
 * the account.
 *
 * @module
 */
import { listTransactions } from '../../../client/src/actions/listTransactions.ts';
import { NONCE_WINDOW } from '../../../client/src/limits.ts';
import type { Account, Client, Transaction } from '../../../client/src/index.ts';
import type { CallOptions } from '../../../client/src/deadline.ts';

/** Look-ups at a time: enough to hide the latency of the service, and few compared with the connections that it allows for one address. */
const LOOKUPS_MAX = 16;
/** Transfers that are read for one nonce: those that lost it are listed too, so the newest of them are enough. */
const SAME_NONCE_MAX = 10;

/** Returns the results of a look-up for each item, several at a time, in the order of the items. */
export async function lookUp<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Promise<Found>,
): Promise<readonly (readonly [Item, Found])[]> {
  const found: (readonly [Item, Found])[] = [];
  for (let at = 0; at < items.length; at += LOOKUPS_MAX) {
    const some = items.slice(at, at + LOOKUPS_MAX);
    found.push(...(await Promise.all(some.map(async (item) => [item, await find(item)] as const))));
  }
  return found;
}

/** The transfers of a sender that were signed with each of these nonces, newest first. */
export async function transfersAt(
  client: Client,
  from: string,
  nonces: readonly number[],
  limits: () => CallOptions,
): Promise<ReadonlyMap<number, readonly Transaction[]>> {
  const find = async (nonce: number): Promise<Transaction[]> =>
    (await listTransactions(client, { from, nonce, limit: SAME_NONCE_MAX, ...limits() })).transactions;
  return new Map(await lookUp(nonces, find));
}

/**
 * Returns the nonces from `nextNonce` on that `count` new transfers have to skip, by the data of the service.
 *
 * `gaps` has every free nonce below the highest pending one, so only nonces after the last gap are looked up: as long as they are occupied
 * one after another, and as many as are needed if a cancelled or expired transfer may have left a void nonce.
 */
export async function takenNonces(
  client: Client,
  { address, nonce, nextNonce, gaps }: Account,
  count: number,
  limits: () => CallOptions,
): Promise<ReadonlySet<number>> {
  const taken = new Set<number>();
  let at = nextNonce;
  let free = 0;
  for (const { first, last } of gaps) {
    for (; at < first; at += 1) taken.add(at);
    at = last + 1;
    free += last - first + 1;
  }
  if (free >= count) return taken;
  const hasVoids = await hasVoidNonces(client, address, limits);
  if (gaps.length === 0 && !hasVoids) return taken;
  const end = nonce + NONCE_WINDOW;
  while (free < count && at < end) {
    const some = Array.from({ length: Math.min(LOOKUPS_MAX, end - at) }, (_, index) => at + index);
    const found = await transfersAt(client, address, some, limits);
    const held = some.filter((each) => found.get(each)?.length !== 0);
    for (const each of held) taken.add(each);
    free += some.length - held.length;
    at += some.length;
    if (held.length < some.length && !hasVoids) break;
  }
  return taken;
}

async function hasVoidNonces(client: Client, from: string, limits: () => CallOptions): Promise<boolean> {
  const pages = await lookUp(['cancelled', 'expired'] as const, (status) =>
    listTransactions(client, { from, status, limit: 1, ...limits() }),
  );
  return pages.some(([, { transactions }]) => transactions.length > 0);
}
