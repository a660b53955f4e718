import type { Client } from '../client.ts';
import type { Transaction } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { changing } from '../http/outcome.ts';
import { SERVER_WAIT_S_MAX } from '../limits.ts';
import { isSameHash, readHash } from '../transaction/hash.ts';

export interface CancelTransactionOptions extends CallOptions {
  /** The hash of the transfer to cancel, 64 hex digits. */
  readonly txHash: string;
  /**
   * How long the service waits for the deciding block, at most 30 s.
   * @default 10_000
   */
  readonly waitMs?: number | undefined;
}

export type CancelResult =
  /** The nonce of the transfer is void on the chain: the transfer can never execute. */
  | { readonly outcome: 'cancelled'; readonly transaction: Transaction }
  /** The cancel is recorded and cannot be withdrawn, but no block has decided yet. `waitForTransaction` returns what the chain decided. */
  | { readonly outcome: 'undecided'; readonly transaction: Transaction };

export const WAIT_MS_DEFAULT = 10_000;

/**
 * Cancels a pending transfer by voiding its nonce on the chain. Rejects with an AlreadySettledError when the transfer had committed,
 * failed or expired before. A repeated call is safe.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {AlreadySettledError} The transfer committed, failed or expired before.
 * @throws {UnknownOutcomeError} It is unknown whether the cancel was recorded: call again.
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
    // Sent also when it is 0: without the header the service waits for a cancel.
    send: (api, init) =>
      api.DELETE('/transactions/{txHash}', {
        ...init,
        params: { path: { txHash: hash }, header: { Prefer: `wait=${waitS}` } },
      }),
    fits: (known) => isSameHash(known, hash),
  });
  return { outcome: transaction.status === 'cancelled' ? 'cancelled' : 'undecided', transaction };
}
