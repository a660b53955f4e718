import type { Client } from '../client.ts';
import type { TransactionDetail } from '../contract.ts';
import { type CallOptions, deadlineOf, sleep } from '../deadline.ts';
import { NotFoundError } from '../errors/NotFoundError.ts';
import { RequestError } from '../errors/RequestError.ts';
import { POLL_MS_MAX, POLL_MS_MIN, RETRY_AFTER_MS_MAX } from '../limits.ts';
import { readHash } from '../transaction/hash.ts';
import { waitsOf } from '../waits.ts';
import { getTransaction } from './getTransaction.ts';

type FinalStatus = 'committed' | 'failed' | 'cancelled' | 'expired';

/** A transfer that a block has decided; it no longer changes. */
type Settled<Status extends FinalStatus> = Extract<TransactionDetail, { status: Status }>;

export type WaitResult =
  /** The money moved. */
  | { readonly outcome: 'committed'; readonly transaction: Settled<'committed'> }
  /** The money can no longer move; `transaction.reason` is the reason. */
  | { readonly outcome: 'failed'; readonly transaction: Settled<'failed'> }
  /** Its nonce was voided on request. */
  | { readonly outcome: 'cancelled'; readonly transaction: Settled<'cancelled'> }
  /** Its nonce was voided because its validity passed, or because it was pending for too long: `transaction.history` has the reason. */
  | { readonly outcome: 'expired'; readonly transaction: Settled<'expired'> }
  /**
   * The time was up before a block had decided. The transfer may still commit: wait again. `transaction` is the transfer of the last
   * successful lookup, if there was one; `lastError` is the error of the last lookup, if it failed.
   */
  | { readonly outcome: 'undecided'; readonly transaction: TransactionDetail | undefined; readonly lastError: unknown };

const FINAL: ReadonlySet<string> = new Set<FinalStatus>(['committed', 'failed', 'cancelled', 'expired']);

function isSettled(transaction: TransactionDetail): transaction is Settled<FinalStatus> {
  return FINAL.has(transaction.status);
}

/** It repeats the lookup until the time is up, so `maxRetries` is not an option. */
export interface WaitForTransactionOptions extends Omit<CallOptions, 'maxRetries'> {
  /** 64 hex digits. */
  readonly txHash: string;
}

/**
 * Waits until a block has decided a transfer, or until the time is up (`timeoutMs`, 60 s by default). It repeats the lookup after
 * connection failures and while the service does not have the hash yet. It rejects when the lookup is refused permanently (no token, no
 * scope) and when the signal aborts. Three or more waits at a time share one stream of events, where the service has one: each then looks
 * its transfer up when a block has decided, instead of every other second.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {InvalidArgumentError} `txHash` is not 64 hex digits.
 * @example
 * const result = await waitForTransaction(client, { txHash, timeoutMs: 30_000 });
 * if (result.outcome === 'committed') console.log('paid in block', result.transaction.height);
 * if (result.outcome === 'failed') console.log(result.transaction.reason);
 */
export async function waitForTransaction(
  client: Client,
  { txHash, ...options }: WaitForTransactionOptions,
): Promise<WaitResult> {
  const { environment } = client;
  const hash = readHash(txHash);
  const deadline = deadlineOf(environment, options);
  const wait = waitsOf(client).begin(hash);
  let transaction: TransactionDetail | undefined;
  let lastError: unknown;
  let pollMs = POLL_MS_MIN;
  try {
    while (deadline.timeoutMs > 0) {
      const pause = pollMs * (1 - environment.random() / 2);
      let retryAfterMs: number | undefined;
      try {
        wait.looks();
        transaction = await getTransaction(client, { ...deadline, txHash: hash, maxRetries: 0 });
        lastError = undefined;
        // The union is over the status, which TypeScript does not carry from the object into its wrapper.
        if (isSettled(transaction)) return { outcome: transaction.status, transaction } as WaitResult;
      } catch (error) {
        if (!(error instanceof RequestError && (error.retriable || error instanceof NotFoundError))) throw error;
        lastError = error;
        ({ retryAfterMs } = error);
      }
      pollMs = Math.min(POLL_MS_MAX, pollMs * 1.5);
      if (retryAfterMs !== undefined)
        await sleep(
          environment,
          Math.min(Math.max(pause, Math.min(RETRY_AFTER_MS_MAX, retryAfterMs)), deadline.timeoutMs),
          deadline.signal,
        );
      // An event announced the transfer, and the lookup still showed it as pending: another gateway answered, which has it in a moment.
      else if (await wait.pause(pause, deadline)) pollMs = POLL_MS_MIN;
    }
  } finally {
    wait.end();
  }
  return { outcome: 'undecided', transaction, lastError };
}
