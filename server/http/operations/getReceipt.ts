/** GET /transactions/{txHash}/receipt: a proof of the chain's decision about a transfer, which anyone can verify. */
import { RECEIPT_WAIT_S_DEFAULT } from '../limits.ts';
import { preferenceApplied, preferredWaitS } from '../prefer.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getReceipt({ gateway }: HandlerParts): Handler<'getReceipt'> {
  return handler('getReceipt', async ({ path, header, principal, signal }) => {
    const preferred = preferredWaitS(header.Prefer);
    const answer = await gateway.receipt(
      path.txHash.toUpperCase(),
      principal,
      (preferred ?? RECEIPT_WAIT_S_DEFAULT) * 1000,
      signal,
    );
    if (!answer.ok) return { refusal: answer };
    return {
      status: 200,
      body: answer.receipt,
      ledgerHeight: answer.ledgerHeight,
      headers: preferred === undefined ? {} : { 'Preference-Applied': preferenceApplied(preferred) },
    };
  });
}
