/** POST /transactions/{txHash}/cancel: the sender's own signed cancel, answered as DELETE answers. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { cancelReply, cancelWait } from './cancelTransaction.ts';
import type { HandlerParts } from './parts.ts';

export function submitCancel({ gateway }: HandlerParts): Handler<'submitCancel'> {
  return handler('submitCancel', async (call) => {
    const wait = cancelWait(call.header.Prefer);
    const { path, body, principal, signal } = call;
    const answer = await gateway.submitCancel(path.txHash.toUpperCase(), body.signature, principal, wait.ms, signal);
    return answer.ok ? cancelReply(answer, wait) : { refusal: answer };
  });
}
