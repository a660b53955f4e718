/** GET /transactions: one page of the list, newest first. */
import type { ListQuery } from '../../gateway/types.ts';
import { handler, resource } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { transactionResource, transactionText } from './resource.ts';

/** The contract's default: the validator inserts it, and this is used if it ever does not. */
const LIMIT_DEFAULT = 10;

export function listTransactions({ gateway }: HandlerParts): Handler<'listTransactions'> {
  return handler('listTransactions', async ({ query }) => {
    const asked: ListQuery = { ...query, limit: query.limit ?? LIMIT_DEFAULT };
    const page = await gateway.list(asked);
    if (!page.ok) return { refusal: page };
    const { transactions, nextCursor } = page;
    return {
      status: 200,
      ledgerHeight: page.height,
      body: () => {
        const shown = transactions.map(transactionResource);
        return resource(
          'TransactionPage',
          nextCursor === undefined ? { transactions: shown } : { transactions: shown, nextCursor },
        );
      },
      text: () => {
        const each = transactions.map(transactionText).join(',');
        return nextCursor === undefined
          ? `{"transactions":[${each}]}`
          : `{"transactions":[${each}],"nextCursor":${JSON.stringify(nextCursor)}}`;
      },
    };
  });
}
