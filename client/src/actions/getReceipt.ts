import type { Client } from '../client.ts';
import type { Receipt } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { RECEIPT_PROBLEMS } from '../errors/receipt-problems.ts';
import { SERVER_WAIT_S_MAX } from '../limits.ts';
import { readHash } from '../transaction/hash.ts';

export interface GetReceiptOptions extends CallOptions {
  /** The transfer, 64 hex digits. */
  readonly txHash: string;
  /**
   * How long the service waits for the block that decides and the one after it, at most 30 s.
   * @default 10_000
   */
  readonly waitMs?: number | undefined;
}

const WAIT_MS_DEFAULT = 10_000;

/**
 * What proves to anyone what the chain decided about a transfer. For one that is cancelled or expired it is the receipt of the cancel, and for
 * one whose nonce another transaction took that of the other: `verifyReceipt` tells what it proves.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
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
    // Of which transaction it is depends on what happened.
    fits: (receipt) => typeof receipt.txHash === 'string' && typeof receipt.block === 'object',
  });
  return data as unknown as Receipt;
}
