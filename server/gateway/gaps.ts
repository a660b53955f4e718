/**
 * How far the pending transfers of a sender can run one after the other: what tells "broadcast" from "waits for a nonce".
 *
 * One gateway alone knows it from memory. Where several share a store only the rows tell the same to all.
 */
import { isVoid } from '../ledger/index.ts';
import type { Store, StoredAccount, StoredTransfer } from '../store/index.ts';
import { StoreUnavailableError } from '../store/index.ts';
import type { CoreState } from './core-state.ts';

/** The nonce that everything behind it waits for; undefined for a sender without pending transfers. */
export type GapOf = (accountId: number) => number | undefined;

/** Undefined when it cannot be found out now. */
export async function gapsOf({ store, pending, logger }: Pick<CoreState, 'store' | 'pending' | 'logger'>, transfers: readonly StoredTransfer[]): Promise<GapOf | undefined> {
  if (store.sharing === undefined) return (accountId) => pending.gapOf(accountId);
  try {
    return await storedGaps(store, transfers);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    logger.warn({ err: error }, 'why transfers are pending could not be read');
    return undefined;
  }
}

async function storedGaps(store: Store, transfers: readonly StoredTransfer[]): Promise<GapOf> {
  const ids = [...new Set(transfers.filter(({ status }) => status === 'pending').map(({ fromId }) => fromId))];
  if (ids.length === 0) return () => undefined;
  const { accounts, slots } = await store.read(async (tx) => ({ accounts: await tx.accountsById(ids), slots: await tx.runnableNonces(ids) }));
  const nonces = Map.groupBy(slots, ({ fromId }) => fromId);
  const gaps = new Map(accounts.map((account) => [account.id, gapIn(account, new Set(nonces.get(account.id)?.map(({ nonce }) => nonce)))]));
  return (accountId) => gaps.get(accountId);
}

function gapIn(account: StoredAccount, runnable: ReadonlySet<number>): number {
  let gap = account.nonce;
  while (runnable.has(gap) || isVoid(account, gap)) gap += 1;
  return gap;
}
