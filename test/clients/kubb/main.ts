/** The partner's job with the functions and types that kubb makes over fetch. They give the body of an answer, so a program that needs its status brings a client. */
import { main, type Adapter, type Seen } from '../typescript/job';
import {
  cancelTransaction,
  getAccount,
  getChain,
  getTransaction,
  listTransactions,
  submitTransaction,
  type SubmitTransaction409,
  type Transaction,
  type TransactionDetail,
} from './generated/index';
import { fetch as generatedFetch, type Client } from './generated/.kubb/fetch';

/** A pending one has none. A kind of a later version may have one, so `status` does not tell. */
const heightOf = (found: Transaction | TransactionDetail): number | undefined =>
  'height' in found ? found.height : undefined;

function connect(baseURL: string, token: string): Adapter {
  let httpStatus = 0;
  const client = (async (config) => {
    const answer = await generatedFetch({
      ...config,
      baseURL,
      headers: { ...config.headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    httpStatus = answer.status;
    return answer;
  }) as Client;
  return {
    chainId: async () => (await getChain(undefined, { client })).chainId,
    nextNonce: async (address) => (await getAccount(address, undefined, undefined, { client })).nextNonce,
    async submit(body, prefer) {
      const found: Transaction | SubmitTransaction409 = await submitTransaction(
        body,
        prefer === undefined ? undefined : { Prefer: prefer },
        { client },
      );
      if (httpStatus < 400) return seen(httpStatus, found as Transaction);
      const problem = found as Transaction | SubmitTransaction409;
      if (!('code' in problem)) throw new Error(JSON.stringify(problem));
      return { httpStatus, code: problem.code, retriable: problem.retriable, txHash: problem.txHash };
    },
    async get(txHash) {
      const found = await getTransaction(txHash, undefined, { client });
      return { ...seen(httpStatus, found), lastEvent: found.history.at(-1)?.event };
    },
    async page(from, limit, cursor) {
      const page = await listTransactions({ from, limit, ...(cursor === undefined ? {} : { cursor }) }, undefined, {
        client,
      });
      return { hashes: page.transactions.map((listed) => listed.txHash), nextCursor: page.nextCursor };
    },
    async cancel(txHash, prefer) {
      const found = await cancelTransaction(txHash, { Prefer: prefer }, { client });
      return seen(httpStatus, found);
    },
  };
}

function seen(httpStatus: number, found: Transaction | TransactionDetail): Seen {
  return { httpStatus, txHash: found.txHash, status: found.status, height: heightOf(found) };
}

void main(connect);
