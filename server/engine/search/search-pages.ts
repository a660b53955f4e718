/** Pages of tx_search and block_search as positions, which each engine then turns into its answer (rpc/core/tx.go and blocks.go, v0.38). */
import type { Arguments } from '../rpc/arguments.ts';
import { badRequest, unavailable } from '../rpc/failure.ts';
import type { PagePlace } from '../rpc/page-text.ts';
import { isDescending, pageOf } from '../rpc/pages.ts';
import { parseQuery, type QueryCondition } from '../port.ts';
import { planQuery } from './query-plan.ts';
import type { TransactionPlace } from './search-index.ts';
import type { Searcher } from './searcher.ts';

export interface PageOf<T> extends PagePlace {
  /** In the order of the answer; as many as `take`. */
  entries: T[];
}

function conditionsOf(args: Arguments): readonly QueryCondition[] {
  const query = parseQuery(args.text('query'));
  if (!query.ok) throw badRequest(query.error);
  return query.conditions;
}

/** The transactions on the requested page of a tx_search. Throws an RpcFailure where CometBFT answers an error. */
export async function transactionsPage(searcher: Searcher, args: Arguments): Promise<PageOf<TransactionPlace>> {
  const outcome = await searcher.find(conditionsOf(args));
  if (!outcome.ok) {
    const isTheirs = outcome.reason === 'too_long' || outcome.reason === 'malformed';
    throw isTheirs ? badRequest(outcome.detail) : unavailable(outcome.detail);
  }
  const { matches } = outcome;
  const descending = isDescending(args, false);
  const { skip, take } = pageOf(args, matches.count);
  const entries = matches.slice(descending ? matches.count - skip - take : skip, take);
  if (descending) entries.reverse();
  return { entries, skip, take, total: matches.count };
}

/**
 * The heights on the requested page of a block_search. Blocks of this chain emit no events of their own, so only their heights can be
 * searched.
 */
export function heightsPage(args: Arguments, latest: number): PageOf<number> {
  const { fromHeight, toHeight, terms, filters } = planQuery(conditionsOf(args), 'block.height');
  if (filters.some(({ tag }) => tag === 'block.height'))
    throw badRequest('block.height can be compared, but not searched with CONTAINS');
  const last = Math.min(toHeight, latest);
  const first = Math.max(1, fromHeight);
  const total = terms.length > 0 || filters.length > 0 ? 0 : Math.max(0, last - first + 1);
  const descending = isDescending(args, true);
  const { skip, take } = pageOf(args, total);
  const entries = Array.from({ length: take }, (_, i) => (descending ? last - skip - i : first + skip + i));
  return { entries, skip, take, total };
}
