import type { Client } from '../client.ts';
import type { Transaction } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { changing } from '../http/outcome.ts';
import { preferWait } from '../http/prefer.ts';
import { isSameHash } from '../transaction/hash.ts';
import { isSamePayment } from '../transaction/same-payment.ts';
import type { SignedTransfer } from './signTransfer.ts';

export interface SubmitTransactionOptions extends CallOptions {
  readonly signed: SignedTransfer;
  /**
   * Time for which the service holds its answer until a block has decided, in milliseconds, at most 30 s.
   * @default 0
   */
  readonly waitMs?: number | undefined;
}

export interface Submitted {
  /**
   * The transfer at the time of the answer. `txHash` differs from the signed one when the service has the same payment with another
   * signature.
   */
  readonly transaction: Transaction;
  /** True when the service already had this payment; it is never paid twice. */
  readonly replayed: boolean;
}

/** Only a replay has this status. A header says the same, but browsers hide it from pages of other origins. */
const REPLAYED = 200;

/**
 * Submits a signed transfer. Once it resolves, the service has stored the transfer durably. It sends the same bytes again until an answer
 * comes; if that takes too long it rejects with an UnknownOutcomeError, which is not a failure.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {UnknownOutcomeError} The transfer was sent and its outcome is unknown: submit the same one again.
 * @throws {NonceConflictError} Another payment of the account holds the nonce.
 * @example
 * const { transaction, replayed } = await submitTransaction(client, { signed, waitMs: 10_000 });
 * console.log(transaction.status, replayed);
 */
export async function submitTransaction(
  client: Client,
  { signed, waitMs = 0, ...options }: SubmitTransactionOptions,
): Promise<Submitted> {
  const { txHash, input } = signed;
  const body = JSON.stringify(input);
  const { data: transaction, response } = await client.call({
    options,
    ...changing('submitTransaction', txHash),
    heldMs: waitMs,
    send: (api, init) =>
      api.POST('/transactions', {
        ...init,
        params: { header: preferWait(waitMs) },
        body: input,
        bodySerializer: () => body,
      }),
    fits: (known, status) => isSamePayment(known, input) && (status === REPLAYED || isSameHash(known, txHash)),
  });
  return { transaction, replayed: response.status === REPLAYED };
}
