/** GET /transactions: one page of the list, newest first. */
import type { ListQuery } from '../../gateway/types.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { textOf, transactionResource } from './resource.ts';

/** The contract's default; the validator puts it in, and this holds should it ever not. */
const LIMIT_DEFAULT = 10;

export function listTransactions({ gateway }: HandlerParts): Handler<'listTransactions'> {
  return handler('listTransactions', async ({ query }) => {
    const asked: ListQuery = { ...query, limit: query.limit ?? LIMIT_DEFAULT };
    const page = await gateway.list(asked);
    if (!page.ok) return { refusal: page };
    const transactions = page.transactions.map(transactionResource);
    return {
      status: 200,
      ledgerHeight: page.height,
      body: page.nextCursor === undefined ? { transactions } : { transactions, nextCursor: page.nextCursor },
      text: () => {
        const each = page.transactions.map((record, at) => textOf(record, transactions[at]));
        return `{"transactions":[${each.join(',')}]${page.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(page.nextCursor)}`}}`;
      },
    };
  });
}
