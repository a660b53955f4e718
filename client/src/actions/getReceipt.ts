import type { Client } from '../client.ts';
import type { Receipt } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { RECEIPT_PROBLEMS } from '../errors/receipt-problems.ts';
import { SERVER_WAIT_S_MAX } from '../limits.ts';
import { readHash } from '../transaction/hash.ts';

export interface GetReceiptOptions extends CallOptions {
  /** The hash of the transfer, 64 hex digits. */
  readonly txHash: string;
  /**
   * How long the service waits for the block that decides and the one after it, at most 30 s.
   * @default 10_000
   */
  readonly waitMs?: number | undefined;
}

const WAIT_MS_DEFAULT = 10_000;

/**
 * Returns the receipt that proves to anyone what the chain decided about a transfer. For a cancelled or expired transfer it is the receipt
 * of the cancel; when another transaction took the nonce, it is the receipt of that one. `verifyReceipt` returns what a receipt proves.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {ReceiptNotReadyError} No block has decided within the time of the call.
 * @throws {NotFoundError} The service has not seen the transfer.
 * @example
 * const receipt = await getReceipt(client, { txHash });
 * console.log(receipt.height, JSON.stringify(receipt).length);
 */
export async function getReceipt(
  client: Client,
  { txHash, waitMs = WAIT_MS_DEFAULT, ...options }: GetReceiptOptions,
): Promise<Receipt> {
  const hash = readHash(txHash);
  const waitS = Math.min(SERVER_WAIT_S_MAX, Math.ceil(waitMs / 1000));
  const { data } = await client.call({
    options,
    problems: RECEIPT_PROBLEMS,
    heldMs: waitS * 1000,
    send: (api, init) =>
      api.GET('/transactions/{txHash}/receipt', {
        ...init,
        params: { path: { txHash: hash }, header: { Prefer: `wait=${waitS}` } },
      }),
    // The receipt may be that of another transaction: a cancel, or the one that took the nonce.
    fits: (receipt) => typeof receipt.txHash === 'string' && typeof receipt.block === 'object',
  });
  return data as unknown as Receipt;
}
