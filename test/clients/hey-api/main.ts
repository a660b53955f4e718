/** The partner's job with the client that @hey-api/openapi-ts makes. */
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
} from './generated/index';
import { client } from './generated/client.gen';

/** A pending one has none. A kind of a later version may have one, so `status` does not tell. */
const heightOf = (found: Transaction | TransactionDetail): number | undefined =>
  'height' in found ? found.height : undefined;

function connect(baseUrl: string, token: string): Adapter {
  client.setConfig({ baseUrl, auth: token });
  return {
    chainId: async () => (await getChain({ throwOnError: true })).data.chainId,
    nextNonce: async (address) => (await getAccount({ throwOnError: true, path: { address } })).data.nextNonce,
    async submit(body, prefer) {
      const { data, error, response } = await submitTransaction({
        body,
        ...(prefer === undefined ? {} : { headers: { Prefer: prefer } }),
      });
      if (data !== undefined) return seen(response?.status ?? 0, data);
      if (!('code' in error)) throw new Error(JSON.stringify(error));
      return { httpStatus: response?.status ?? 0, code: error.code, retriable: error.retriable, txHash: error.txHash };
    },
    async get(txHash) {
      const { data } = await getTransaction({ throwOnError: true, path: { txHash } });
      return { ...seen(200, data), lastEvent: data.history.at(-1)?.event };
    },
    async page(from, limit, cursor) {
      const { data } = await listTransactions({
        throwOnError: true,
        query: { from, limit, ...(cursor === undefined ? {} : { cursor }) },
      });
      return { hashes: data.transactions.map((listed) => listed.txHash), nextCursor: data.nextCursor };
    },
    async cancel(txHash, prefer) {
      const { data, response } = await cancelTransaction({
        throwOnError: true,
        path: { txHash },
        headers: { Prefer: prefer },
      });
      return seen(response.status, data);
    },
  };
}

function seen(httpStatus: number, found: Transaction | TransactionDetail): Seen {
  return { httpStatus, txHash: found.txHash, status: found.status, height: heightOf(found) };
}

void main(connect);
