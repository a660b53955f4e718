import type { Client } from '../client.ts';
import type { TransactionDetail } from '../contract.ts';
import { type CallOptions, deadlineOf } from '../deadline.ts';
import { CALL_TIMEOUT_MS_DEFAULT } from '../limits.ts';
import { isSameHash, readHash } from '../transaction/hash.ts';

export interface GetTransactionOptions extends CallOptions {
  /** 64 hex digits; also the hash under which a block executed the payment with another signature. */
  readonly txHash: string;
  /** Attempts at most; fewer when the time is up. */
  readonly attemptsMax?: number | undefined;
}

/** One transfer with its history. Rejects with a NotFoundError when the service has not seen it. */
export async function getTransaction(client: Client, { txHash, attemptsMax, ...options }: GetTransactionOptions): Promise<TransactionDetail> {
  const transactionId = readHash(txHash);
  const { data, response } = await client.call({
    operation: 'getTransaction',
    deadline: deadlineOf(client.environment, options, CALL_TIMEOUT_MS_DEFAULT),
    ...(attemptsMax === undefined ? {} : { attemptsMax }),
    send: (api, init) => api.GET('/transactions/{transactionId}', { ...init, params: { path: { transactionId } } }),
  });
  if (!isSameHash(data, transactionId)) {
    throw client.unexpected(response, { method: 'GET', path: `/transactions/${transactionId}` }, 'about another transaction');
  }
  return data;
}
