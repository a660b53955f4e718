import type { Client } from '../client.ts';
import type { Transaction, TransactionRefusal } from '../contract.ts';
import { type CallOptions, type Deadline, deadlineOf, sleep } from '../deadline.ts';
import { UnknownOutcomeError } from '../errors/UnknownOutcomeError.ts';
import { changing } from '../http/outcome.ts';
import { pauseMs } from '../http/pause.ts';
import { ATTEMPTS_MAX, BATCH_TRANSFERS_MAX } from '../limits.ts';
import { isSameHash } from '../transaction/hash.ts';
import { isSamePayment } from '../transaction/same-payment.ts';
import type { SignedTransfer } from './signTransfer.ts';

export interface SubmitTransactionBatchOptions extends CallOptions {
  /** Any number of transfers. Those of one account must be in the order of their nonces. */
  readonly signed: readonly SignedTransfer[];
}

/**
 * The outcome of one transfer of a batch. `unknown`: the service may or may not have accepted it. `unsent`: it was not sent. In both cases
 * submit the same signed transfer again.
 */
export type BatchOutcome =
  | { readonly outcome: 'accepted' | 'replayed'; readonly signed: SignedTransfer; readonly transaction: Transaction }
  | { readonly outcome: 'refused'; readonly signed: SignedTransfer; readonly problem: TransactionRefusal }
  | { readonly outcome: 'unknown' | 'unsent'; readonly signed: SignedTransfer; readonly error: unknown };

/**
 * Submits signed transfers, up to 1,000 in one request, one request after another. Each has an outcome of its own, in the order of
 * `signed`: read them all, because no error is thrown for a transfer that is refused. Requests without an answer and transfers whose
 * refusal is retriable are sent again, the same bytes every time, so nothing is paid twice.
 *
 * @throws {LedgerError} Only when no transfer can have been accepted: a problem of the contract, as the class of its code, or an error of
 * the connection.
 * @example
 * const outcomes = await submitTransactionBatch(client, { signed: [signed] });
 * for (const each of outcomes) if (each.outcome === 'refused') console.log(each.signed.txHash, each.problem.code);
 */
export async function submitTransactionBatch(
  client: Client,
  { signed, ...options }: SubmitTransactionBatchOptions,
): Promise<BatchOutcome[]> {
  const deadline = deadlineOf(client.environment, options);
  const outcomes: BatchOutcome[] = [];
  for (let from = 0; from < signed.length; from += BATCH_TRANSFERS_MAX) {
    const batch = signed.slice(from, from + BATCH_TRANSFERS_MAX);
    try {
      outcomes.push(...(await submitOne(client, batch, deadline)));
    } catch (error) {
      const unknown = error instanceof UnknownOutcomeError;
      if (!unknown && from === 0) throw error;
      outcomes.push(
        ...batch.map((each) => ({
          outcome: unknown ? ('unknown' as const) : ('unsent' as const),
          signed: each,
          error,
        })),
      );
      // The rest is not sent: its nonces would wait for those of this batch.
      outcomes.push(
        ...signed
          .slice(from + BATCH_TRANSFERS_MAX)
          .map((each) => ({ outcome: 'unsent' as const, signed: each, error })),
      );
      break;
    }
  }
  return outcomes;
}

/** Submits one batch, and then again those of its transfers whose refusal is retriable. */
async function submitOne(
  client: Client,
  signed: readonly SignedTransfer[],
  deadline: Deadline,
): Promise<BatchOutcome[]> {
  const outcomes = await request(client, signed, deadline);
  for (let attempts = 1; attempts <= (deadline.maxRetries ?? ATTEMPTS_MAX - 1); attempts++) {
    const again = [...outcomes.keys()].filter((at) => isPassing(outcomes[at]));
    const waitsS = again.map((at) => (outcomes[at] as { problem: TransactionRefusal }).problem.retryAfterS ?? 0);
    const pause = pauseMs(
      waitsS.some(Boolean) ? { retryAfterMs: Math.max(...waitsS) * 1000 } : {},
      attempts,
      client.environment.random(),
    );
    if (!again.length || pause >= deadline.timeoutMs) break;
    await sleep(client.environment, pause, deadline.signal);
    try {
      const found = await request(
        client,
        again.map((at) => signed[at] as SignedTransfer),
        deadline,
      );
      for (const [index, at] of again.entries()) outcomes[at] = found[index] as BatchOutcome;
    } catch (error) {
      // The others have their outcomes. The service may have accepted these.
      for (const at of again)
        if (error instanceof UnknownOutcomeError)
          outcomes[at] = { outcome: 'unknown', signed: signed[at] as SignedTransfer, error };
      break;
    }
  }
  return outcomes;
}

const isPassing = (outcome: BatchOutcome | undefined): boolean =>
  outcome?.outcome === 'refused' && outcome.problem.retriable;

async function request(client: Client, signed: readonly SignedTransfer[], options: Deadline): Promise<BatchOutcome[]> {
  const body = { transactions: signed.map(({ input }) => input) };
  const text = JSON.stringify(body);
  const { data } = await client.call({
    options,
    ...changing('submitTransactionBatch', (signed[0] as SignedTransfer).txHash),
    send: (api, init) => api.POST('/transactions/batch', { ...init, body, bodySerializer: () => text }),
    fits: ({ results }) =>
      results?.length === signed.length &&
      results.every(({ outcome, transaction, problem }, at) => {
        const { input, txHash } = signed[at] as SignedTransfer;
        if (outcome === 'refused') return !!problem?.code;
        return (
          transaction !== undefined &&
          isSamePayment(transaction, input) &&
          (outcome === 'replayed' || isSameHash(transaction, txHash))
        );
      }),
  });
  // `fits` has checked that each result has the members of its outcome.
  return data.results.map((result, at) => ({ ...result, signed: signed[at] }) as BatchOutcome);
}
