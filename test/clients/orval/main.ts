/** The partner's job with the functions that orval makes over fetch. They call paths; where the service is, is for the program's fetch to say. */
import { main, type Adapter, type Seen } from '../typescript/job';
import {
  cancelTransaction,
  getAccount,
  getChain,
  getTransaction,
  listTransactions,
  submitTransaction,
  type Transaction,
  type TransactionDetail,
} from './generated/api';

/** A pending one has none. A kind of a later version may have one, so `status` does not tell. */
const heightOf = (found: Transaction | TransactionDetail): number | undefined =>
  'height' in found ? found.height : undefined;

function connect(baseUrl: string, token: string): Adapter {
  const plainFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return plainFetch(new URL(String(input), baseUrl), { ...init, headers });
  };
  return {
    async chainId() {
      const { status, data } = await getChain();
      if (status !== 200) throw new Error(data.detail);
      return data.chainId;
    },
    async nextNonce(address) {
      const { status, data } = await getAccount(address);
      if (status !== 200) throw new Error(data.detail);
      return data.nextNonce;
    },
    async submit(body, prefer) {
      const answer = await submitTransaction(body, prefer === undefined ? {} : { headers: { Prefer: prefer } });
      if (answer.status === 200 || answer.status === 201 || answer.status === 202)
        return seen(answer.status, answer.data);
      if (answer.status !== 409) throw new Error(answer.data.detail);
      return {
        httpStatus: answer.status,
        code: answer.data.code,
        retriable: answer.data.retriable,
        txHash: answer.data.txHash,
      };
    },
    async get(txHash) {
      const { status, data } = await getTransaction(txHash);
      if (status !== 200) throw new Error(data.detail);
      return { ...seen(status, data), lastEvent: data.history.at(-1)?.event };
    },
    async page(from, limit, cursor) {
      const { status, data } = await listTransactions({ from, limit, ...(cursor === undefined ? {} : { cursor }) });
      if (status !== 200) throw new Error(data.detail);
      return { hashes: data.transactions.map((listed) => listed.txHash), nextCursor: data.nextCursor };
    },
    async cancel(txHash, prefer) {
      const answer = await cancelTransaction(txHash, { headers: { Prefer: prefer } });
      if (answer.status !== 200 && answer.status !== 202) throw new Error(answer.data.detail);
      return seen(answer.status, answer.data);
    },
  };
}

function seen(httpStatus: number, found: Transaction | TransactionDetail): Seen {
  return { httpStatus, txHash: found.txHash, status: found.status, height: heightOf(found) };
}

void main(connect);
