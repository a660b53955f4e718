/**
 * POST /transactions. 202: durable and pending; 201: committed while the client waited; 200: already recorded. The wait begins after the
 * acknowledgement, so that a failure during the wait cannot hide the hash.
 */
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { preferenceApplied, preferredWaitS } from '../prefer.ts';
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { transactionLocation, transactionResource } from './resource.ts';

export function submitTransaction({ gateway, publicUrl }: HandlerParts): Handler<'submitTransaction'> {
  return handler('submitTransaction', async (call) => {
    const submitted = await gateway.submit(call.body, call.principal, idempotencyKeyOf(call.header['Idempotency-Key']));
    if (!submitted.ok) return { refusal: submitted };

    let record = submitted.transaction;
    const waitS = preferredWaitS(call.header.Prefer);
    if (waitS !== undefined && waitS > 0 && record.status === 'pending') {
      record = (await gateway.waitUntilSettled(record.txHash, waitS * 1000, call.signal)) ?? record;
    }
    const body = transactionResource(record);
    const headers = {
      Location: transactionLocation(record.txHash, publicUrl),
      ...(waitS === undefined ? undefined : { 'Preference-Applied': preferenceApplied(waitS) }),
    };
    const ledgerHeight = record.height;
    if (submitted.replayed)
      return { status: 200, body, ledgerHeight, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
    return record.status === 'committed' && waitS !== undefined
      ? { status: 201, body, ledgerHeight, headers }
      : { status: 202, body, ledgerHeight, headers };
  });
}
