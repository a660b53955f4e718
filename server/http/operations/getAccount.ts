/** GET /accounts/{address}: the facts for signing and the spendable balance, or the account after an earlier block. */
import type { AccountAtView } from '../../gateway/types.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { accountResource } from './account-resource.ts';
import type { HandlerParts } from './parts.ts';

export function getAccount({ gateway }: HandlerParts): Handler<'getAccount'> {
  return handler('getAccount', async ({ path, query }) => {
    if (query.height !== undefined) {
      const then = await gateway.accountAt(path.address, query.height);
      return then.ok ? { status: 200, body: accountThen(then), ledgerHeight: then.ledgerHeight } : { refusal: then };
    }
    const account = await gateway.account(path.address);
    if (!account.ok) return { refusal: account };
    return { status: 200, body: accountResource(account), ledgerHeight: account.height };
  });
}

/** After a block nothing is pending. */
function accountThen(then: AccountAtView) {
  return accountResource({ ...then, available: then.balance, pendingOut: '0', nextNonce: then.nonce, gaps: [] });
}
