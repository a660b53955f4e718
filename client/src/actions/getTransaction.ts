import type { Client } from '../client.ts';
import type { TransactionDetail } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { isSameHash, readHash } from '../transaction/hash.ts';

export interface GetTransactionOptions extends CallOptions {
  /** 64 hex digits. The hash under which a block executed the same payment with another signature finds it too. */
  readonly txHash: string;
}

/**
 * Returns one transfer with its history. Rejects with a NotFoundError when the service has not seen it.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {NotFoundError} The service has not seen it.
 * @throws {InvalidArgumentError} `txHash` is not 64 hex digits.
 * @example
 * const { status, history } = await getTransaction(client, { txHash, onResponse: ({ requestId }) => console.log(requestId) });
 * console.log(status, history.map(({ event }) => event));
 */
export async function getTransaction(
  client: Client,
  { txHash, ...options }: GetTransactionOptions,
): Promise<TransactionDetail> {
  const hash = readHash(txHash);
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/transactions/{txHash}', { ...init, params: { path: { txHash: hash } } }),
    fits: (transaction) => isSameHash(transaction, hash),
  });
  return data;
}
