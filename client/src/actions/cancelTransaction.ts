import type { Client } from '../client.ts';
import type { Transaction } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { changing } from '../http/outcome.ts';
import { SERVER_WAIT_S_MAX } from '../limits.ts';
import { isSameHash, readHash } from '../transaction/hash.ts';

export interface CancelTransactionOptions extends CallOptions {
  /** The transfer to cancel, 64 hex digits. */
  readonly txHash: string;
  /**
   * How long the service waits for the deciding block, at most 30 s.
   * @default 10_000
   */
  readonly waitMs?: number | undefined;
}

export type CancelResult =
  /** Its nonce is void on the chain: it can never execute. */
  | { readonly outcome: 'cancelled'; readonly transaction: Transaction }
  /** The cancel is recorded and cannot be taken back, but no block has decided yet: wait for the transaction to learn which came first. */
  | { readonly outcome: 'undecided'; readonly transaction: Transaction };

export const WAIT_MS_DEFAULT = 10_000;

/**
 * Cancels a pending transfer by voiding its nonce on the chain. Rejects with an AlreadySettledError when it had committed, failed or
 * expired. Asking again is safe.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {AlreadySettledError} It committed, failed or expired before.
 * @throws {UnknownOutcomeError} It is not known whether the cancel was recorded: ask again.
 * @example
 * const { outcome } = await cancelTransaction(client, { txHash, waitMs: 20_000 });
 * if (outcome === 'undecided') await waitForTransaction(client, { txHash });
 */
export async function cancelTransaction(
  client: Client,
  { txHash, waitMs = WAIT_MS_DEFAULT, ...options }: CancelTransactionOptions,
): Promise<CancelResult> {
  const hash = readHash(txHash);
  const waitS = Math.min(SERVER_WAIT_S_MAX, Math.ceil(waitMs / 1000));
  const { data: transaction } = await client.call({
    options,
    ...changing('cancelTransaction', hash),
    heldMs: waitS * 1000,
    // Said also when it is 0, because a service waits for a cancel unless told not to.
    send: (api, init) =>
      api.DELETE('/transactions/{txHash}', {
        ...init,
        params: { path: { txHash: hash }, header: { Prefer: `wait=${waitS}` } },
      }),
    fits: (known) => isSameHash(known, hash),
  });
  return { outcome: transaction.status === 'cancelled' ? 'cancelled' : 'undecided', transaction };
}
