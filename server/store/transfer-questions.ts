/**
 * Queries for the outcomes of transfers, most of which settled rows alone answer: a page of a list, a transfer by its hash, a page of
 * events.
 *
 * A store whose settled rows may be read elsewhere too answers them itself; every other one from one snapshot.
 */
import type { Store, TransferList, TransferQuestions } from './types.ts';

export const transferQuestions = (store: Pick<Store, 'transfers' | 'read' | 'now'>): TransferQuestions =>
  store.transfers ?? questionsOnSnapshots(store);

export function questionsOnSnapshots({ read, now }: Pick<Store, 'read' | 'now'>): TransferQuestions {
  return {
    transferByHash: (hash) => now.transferByHash(hash),
    listTransfers: (addresses, queryOf) =>
      read(async (tx) => {
        const query = queryOf(await tx.accountsByAddress(addresses));
        return query === undefined ? { transfers: [] } : await tx.listTransfers(query);
      }),
    // The events of a block are written with the follower's step to it, so on one snapshot neither is without the other.
    events: (query) =>
      read(async (tx) => ({ height: (await tx.follower())?.height ?? 0, found: await tx.events(query) })),
  };
}

/** One page of the pending and the settled rows of one moment, from a page of each. */
export function mergePages(pending: TransferList, settled: TransferList, limit: number): TransferList {
  // Below this seq one of the two was not read.
  const bound = Math.max(pending.nextBefore ?? 0, settled.nextBefore ?? 0);
  const rows = [...pending.transfers, ...settled.transfers]
    .filter(({ seq }) => seq >= bound)
    .sort((a, b) => b.seq - a.seq);
  const transfers = rows.slice(0, limit);
  const last = transfers.at(-1);
  if (rows.length > limit && last !== undefined) return { transfers, nextBefore: last.seq };
  return bound > 0 ? { transfers, nextBefore: bound } : { transfers };
}
