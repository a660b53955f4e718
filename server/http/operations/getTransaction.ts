/** GET /transactions/{txHash}: one transfer with its history. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { transactionDetailResource, transactionDetailText } from './resource.ts';

export function getTransaction({ gateway }: HandlerParts): Handler<'getTransaction'> {
  return handler('getTransaction', async ({ path }) => {
    const txHash = path.txHash.toUpperCase();
    const found = await gateway.get(txHash);
    if (found === undefined)
      return {
        problem: {
          code: 'not_found',
          detail: `No transaction with the hash ${txHash} has been seen here. Check the hash.`,
          txHash,
        },
      };
    if ('ok' in found) return { refusal: found };
    return {
      status: 200,
      ledgerHeight: found.ledgerHeight,
      body: () => transactionDetailResource(found),
      text: () => transactionDetailText(found),
    };
  });
}
