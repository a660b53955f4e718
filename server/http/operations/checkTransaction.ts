/** POST /transactions/check: the answer that submitting the transfer would get, without any change. */
import { handler } from '../typed/exact.ts';
import type { Handler, Schemas } from '../typed/types.ts';
import { accountResource } from './account-resource.ts';
import type { HandlerParts } from './parts.ts';
import { transactionRefusal } from './refusal-resource.ts';
import { transactionResource } from './resource.ts';

/** Only its depth is used: problem types are relative to it. */
const TARGET = '/transactions/check';

export function checkTransaction({ gateway, catalogue }: HandlerParts): Handler<'checkTransaction'> {
  return handler('checkTransaction', async ({ body: transfer, principal, requestId }) => {
    const checked = await gateway.check(transfer, principal);
    if (!checked.ok) return { refusal: checked };
    const { judgement, signatureStatus, signBytes, txHash, account } = checked;
    const body: Schemas['TransactionCheckResult'] = { outcome: judgement.kind, signatureStatus, signBytes };
    if (txHash !== undefined) body.txHash = txHash;
    if (judgement.kind === 'replayed') body.transaction = transactionResource(judgement.transaction);
    if (judgement.kind === 'refused')
      body.problem = transactionRefusal(judgement.refusal, { catalogue, requestId, target: TARGET });
    if (account !== undefined) body.account = accountResource(account);
    return { status: 200, body, ledgerHeight: account?.height };
  });
}
