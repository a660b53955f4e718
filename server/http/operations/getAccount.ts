/** GET /accounts/{address}: what an integrator needs to sign, and what the account can spend. */
import type { Handler } from '../typed/types.ts';
import { accountResource } from './account-resource.ts';
import type { HandlerParts } from './parts.ts';

export function getAccount({ gateway }: HandlerParts): Handler<'getAccount'> {
  return async ({ path }) => {
    const account = await gateway.account(path.address);
    if (!account.ok) return { refusal: account };
    return { status: 200, body: accountResource(account) };
  };
}
