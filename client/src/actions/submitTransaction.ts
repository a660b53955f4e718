import type { Client } from '../client.ts';
import type { Transaction } from '../contract.ts';
import { type CallOptions, deadlineOf } from '../deadline.ts';
import { preferWait } from '../http/prefer.ts';
import { CALL_TIMEOUT_MS_DEFAULT } from '../limits.ts';
import { isSameHash } from '../transaction/hash.ts';
import type { SignedTransfer } from './signTransfer.ts';

export interface SubmitTransactionOptions extends CallOptions {
  readonly signed: SignedTransfer;
  /** Ask the service to hold its answer until a block has decided, for up to this long (at most 30 s). */
  readonly waitMs?: number | undefined;
}

export interface Submitted {
  /** As it stands when the service answers. `txHash` differs from the signed one when the same payment is known under another signature. */
  readonly transaction: Transaction;
  /** True when the service knew this payment already; it is never paid twice. */
  readonly replayed: boolean;
}

/**
 * Submits a signed transfer. Once it resolves the transfer is durable with the service. It sends the same bytes again until somebody
 * answers; if nobody does in time it rejects with an UnknownOutcomeError, which is not a failure.
 */
export async function submitTransaction(client: Client, { signed, waitMs = 0, ...options }: SubmitTransactionOptions): Promise<Submitted> {
  const { txHash, input } = signed;
  const body = JSON.stringify(input);
  const { data: transaction, response } = await client.call({
    operation: 'submitTransaction',
    deadline: deadlineOf(client.environment, options, CALL_TIMEOUT_MS_DEFAULT),
    changes: { operation: 'submitTransaction', txHash },
    heldMs: waitMs,
    send: (api, init) => api.POST('/transactions', { ...init, params: { header: preferWait(waitMs) }, body: input, bodySerializer: () => body }),
  });
  // Only a replay has status 200. The header says the same, but browsers hide it from pages of other origins.
  const replayed = response.status === 200;
  const samePayment = transaction.from === input.from && transaction.to === input.to && transaction.amount === input.amount;
  if (!samePayment || !(replayed || isSameHash(transaction, txHash))) {
    throw client.unexpected(response, { method: 'POST', path: '/transactions' }, 'about another transaction');
  }
  return { transaction, replayed };
}
