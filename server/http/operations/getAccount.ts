/** GET /accounts/{address}: what an integrator needs to sign, or the account as it was after a block. */
import type { AccountAtView } from '../../gateway/types.ts';
import type { Handler, Schemas } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getAccount({ gateway }: HandlerParts): Handler<'getAccount'> {
  return async ({ path, query }) => {
    if (query.height !== undefined) {
      const then = await gateway.accountAt(path.address, query.height);
      return then.ok ? { status: 200, body: accountThen(then) } : { refusal: then };
    }
    const account = await gateway.account(path.address);
    if (!account.ok) return { refusal: account };
    const { address, balance, nonce, nextNonce } = account;
    return { status: 200, body: { address, balance, nonce, nextNonce } };
  };
}

/** Nothing was pending then, as far as a block knows. */
function accountThen({ address, balance, nonce }: AccountAtView): Schemas['Account'] {
  return { address, balance, nonce, nextNonce: nonce };
}
