/** DELETE /transactions/{txHash}: cancel, and wait for the block that decides. */
import { CANCEL_WAIT_S_DEFAULT } from '../limits.ts';
import { preferenceApplied, preferredWaitS } from '../prefer.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { transactionResource } from './resource.ts';

export function cancelTransaction({ gateway }: HandlerParts): Handler<'cancelTransaction'> {
  return async (call) => {
    const preferred = preferredWaitS(call.header.Prefer);
    const waitMs = (preferred ?? CANCEL_WAIT_S_DEFAULT) * 1000;
    const answer = await gateway.cancel(call.path.txHash.toUpperCase(), call.principal, waitMs, call.signal);
    if (!answer.ok) return { refusal: answer };
    const body = transactionResource(answer.transaction);
    const headers = preferred === undefined ? {} : { 'Preference-Applied': preferenceApplied(preferred) };
    return answer.decided ? { status: 200, body, headers } : { status: 202, body, headers };
  };
}
