/**
 * Gaps in the pending nonces of a sender: they distinguish "broadcast" from "waits for a nonce".
 *
 * A single gateway has them in memory. Where several share a store, only the rows give the same answer at all of them.
 */
import { isVoid } from '../ledger/index.ts';
import type { NonceRun, Store, StoredAccount, StoredTransfer } from '../store/index.ts';
import { StoreUnavailableError } from '../store/errors.ts';
import type { CoreState } from './core-state.ts';

/** The nonce that all later ones wait for; undefined for a sender without pending transfers. */
export type GapOf = (sender: Pick<StoredTransfer, 'fromId'>) => number | undefined;

/** Undefined when it cannot be determined now. */
export async function gapsOf(
  { store, pending, logger }: Pick<CoreState, 'store' | 'pending' | 'logger'>,
  transfers: readonly StoredTransfer[],
): Promise<GapOf | undefined> {
  if (store.sharing === undefined) return ({ fromId }) => pending.gapOf(fromId);
  try {
    return await storedGaps(store, transfers);
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    logger.warn({ err: error }, 'why transfers are pending could not be read');
    return undefined;
  }
}

async function storedGaps(store: Store, transfers: readonly StoredTransfer[]): Promise<GapOf> {
  const ids = [...new Set(transfers.filter(reasonIsItsPlace).map(({ fromId }) => fromId))];
  if (ids.length === 0) return () => undefined;
  const { accounts, runs } = await store.read(async (tx) => {
    const [accounts, runs] = await Promise.all([tx.accountsById(ids), tx.pendingNonces(ids)]);
    return { accounts, runs };
  });
  return gapsIn(accounts, runs);
}

/** `runs` are the pending nonces of all these accounts. */
export function gapsIn(accounts: readonly StoredAccount[], runs: readonly NonceRun[]): GapOf {
  const runsOf = Map.groupBy(runs, ({ fromId }) => fromId);
  const gaps = new Map(accounts.map((account) => [account.id, gapOf(account, runsOf.get(account.id) ?? [])]));
  return ({ fromId }) => gaps.get(fromId);
}

/** Pending, and only because of the transfers before it. */
const reasonIsItsPlace = (transfer: StoredTransfer): boolean =>
  transfer.status === 'pending' &&
  transfer.cancelRequestedAtMs === undefined &&
  transfer.expiryRequestedAtMs === undefined;

function gapOf(account: StoredAccount, runs: readonly NonceRun[]): number {
  const ascending = [...runs].sort((a, b) => a.first - b.first);
  let gap = account.nonce;
  for (const { first, count, cancelled } of ascending) {
    while (gap < first && isVoid(account, gap)) gap += 1;
    if (gap < first) return gap;
    if (cancelled !== undefined) return Math.max(gap, cancelled);
    gap = Math.max(gap, first + count);
  }
  while (isVoid(account, gap)) gap += 1;
  return gap;
}
