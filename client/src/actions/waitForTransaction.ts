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

/** A transfer of which a block has decided; nothing about it changes any more. */
type Settled<Status extends FinalStatus> = Extract<TransactionDetail, { status: Status }>;

export type WaitResult =
  /** The money moved. */
  | { readonly outcome: 'committed'; readonly transaction: Settled<'committed'> }
  /** It can never move any more; `transaction.reason` says why. */
  | { readonly outcome: 'failed'; readonly transaction: Settled<'failed'> }
  /** Its nonce was voided on request. */
  | { readonly outcome: 'cancelled'; readonly transaction: Settled<'cancelled'> }
  /** Its nonce was voided because its validity passed, or because it stayed pending for too long: `transaction.history` says which. */
  | { readonly outcome: 'expired'; readonly transaction: Settled<'expired'> }
  /**
   * The time was up before a block had decided. It says nothing about the transfer, which may still commit: wait again. `transaction` is
   * how it was seen last, if it was; `lastError` what went wrong with the last look, if anything did.
   */
  | { readonly outcome: 'undecided'; readonly transaction: TransactionDetail | undefined; readonly lastError: unknown };

const FINAL: ReadonlySet<string> = new Set<FinalStatus>(['committed', 'failed', 'cancelled', 'expired']);

function isSettled(transaction: TransactionDetail): transaction is Settled<FinalStatus> {
  return FINAL.has(transaction.status);
}

/** It looks again until the time is up, so there is no number of retries. */
export interface WaitForTransactionOptions extends Omit<CallOptions, 'maxRetries'> {
  /** 64 hex digits. */
  readonly txHash: string;
}

/**
 * Waits until a block has decided about a transfer, or until the time is up (`timeoutMs`, 60 s unless said otherwise). It looks again
 * after connection failures and when the service does not know the hash yet. It rejects when looking is refused for good (no token, no
 * scope) and when the signal aborts. Three waits and more at a time share one stream of events, where the service has one: each then looks when a block
 * has decided, and not every other second.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
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
      // Told, and still pending at the next look: another of the service's gateways was asked, and knows in a moment.
      else if (await wait.pause(pause, deadline)) pollMs = POLL_MS_MIN;
    }
  } finally {
    wait.end();
  }
  return { outcome: 'undecided', transaction, lastError };
}
