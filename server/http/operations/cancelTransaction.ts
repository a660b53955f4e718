/** DELETE /transactions/{txHash}: cancel, and wait for the block that decides. */
import type { CancelAnswer } from '../../gateway/types.ts';
import { CANCEL_WAIT_S_DEFAULT } from '../limits.ts';
import { preferenceApplied, preferredWaitS } from '../prefer.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { transactionResource } from './resource.ts';

interface CancelWait {
  readonly ms: number;
  readonly headers: { 'Preference-Applied'?: string };
}

export function cancelWait(prefer: string | undefined): CancelWait {
  const preferred = preferredWaitS(prefer);
  return {
    ms: (preferred ?? CANCEL_WAIT_S_DEFAULT) * 1000,
    headers: preferred === undefined ? {} : { 'Preference-Applied': preferenceApplied(preferred) },
  };
}

export function cancelReply({ decided, transaction }: CancelAnswer, { headers }: Pick<CancelWait, 'headers'>) {
  const body = transactionResource(transaction);
  const shown = { body, ledgerHeight: transaction.height, headers };
  return decided ? { status: 200 as const, ...shown } : { status: 202 as const, ...shown };
}

export function cancelTransaction({ gateway }: HandlerParts): Handler<'cancelTransaction'> {
  return handler('cancelTransaction', async (call) => {
    const wait = cancelWait(call.header.Prefer);
    const answer = await gateway.cancel(call.path.txHash.toUpperCase(), call.principal, wait.ms, call.signal);
    return answer.ok ? cancelReply(answer, wait) : { refusal: answer };
  });
}
