/** GET /accounts/{address}: what an integrator needs to sign. */
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';

export function getAccount({ gateway }: HandlerParts): Handler<'getAccount'> {
  return async ({ path }) => {
    const account = await gateway.account(path.address);
    if (!account.ok) return { refusal: account };
    const { address, balance, nonce, nextNonce } = account;
    return { status: 200, body: { address, balance, nonce, nextNonce } };
  };
}
