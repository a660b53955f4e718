/** GET /accounts?address=A&address=B: up to 100 accounts, all as of one moment. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import { timestamp } from '../timestamp.ts';
import { accountResource } from './account-resource.ts';
import type { HandlerParts } from './parts.ts';

export function listAccounts({ gateway }: HandlerParts): Handler<'listAccounts'> {
  return handler('listAccounts', async ({ query }) => {
    const found = await gateway.accounts(query.address);
    if (!found.ok) return { refusal: found };
    const { accounts, height, blockTimeMs } = found;
    return {
      status: 200,
      ledgerHeight: height,
      body: { accounts: accounts.map(accountResource), height, blockTime: timestamp(blockTimeMs) },
    };
  });
}
