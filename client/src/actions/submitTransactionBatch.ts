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
  /** Any number of them. Those of one account stand in the order of their nonces. */
  readonly signed: readonly SignedTransfer[];
}

/**
 * What became of one transfer of a batch. Of `unknown` it is not known whether it was accepted, and `unsent` was not sent: submit the
 * same signed transfer again in both cases.
 */
export type BatchOutcome =
  | { readonly outcome: 'accepted' | 'replayed'; readonly signed: SignedTransfer; readonly transaction: Transaction }
  | { readonly outcome: 'refused'; readonly signed: SignedTransfer; readonly problem: TransactionRefusal }
  | { readonly outcome: 'unknown' | 'unsent'; readonly signed: SignedTransfer; readonly error: unknown };

/**
 * Submits signed transfers, up to 1,000 in one request, one request after another. Each has an outcome of its own, in the order given: read
 * them all, because nothing is thrown for a transfer that is refused. Requests that are not answered, and transfers whose refusal can
 * pass, are sent again, the same bytes every time, so nothing is paid twice.
 *
 * @throws {LedgerError} Only when no transfer can have been accepted: a problem of the contract by its class, or what went wrong on the way.
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
      // Later nonces would wait behind these.
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

/** One batch, and again those of it whose refusal can pass. */
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
      // The others have their outcomes; of these a request may have been accepted.
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
  // That each has what goes with its outcome was judged above.
  return data.results.map((result, at) => ({ ...result, signed: signed[at] }) as BatchOutcome);
}
