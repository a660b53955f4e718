/** The partner's job with the client that openapi-generator makes for TypeScript over axios. */
import { isAxiosError } from 'axios';
import { main, type Adapter, type Seen } from '../typescript/job';
import {
  AccountsApi,
  ChainApi,
  Configuration,
  TransactionsApi,
  type Problem,
  type Transaction,
  type TransactionDetail,
} from './generated/index';

/** A pending one has none. A kind of a later version may have one, so `status` does not tell. */
const heightOf = (found: Transaction | TransactionDetail): number | undefined =>
  'height' in found ? found.height : undefined;

function connect(basePath: string, token: string): Adapter {
  const configuration = new Configuration({ basePath, accessToken: token });
  const transactions = new TransactionsApi(configuration);
  return {
    chainId: async () => (await new ChainApi(configuration).getChain()).data.chainId,
    nextNonce: async (address) => (await new AccountsApi(configuration).getAccount(address)).data.nextNonce,
    async submit(body, prefer) {
      try {
        const { status, data } = await transactions.submitTransaction(body, undefined, prefer);
        return seen(status, data);
      } catch (error) {
        if (!isAxiosError<Problem>(error) || error.response === undefined) throw error;
        const { status, data: problem } = error.response;
        return { httpStatus: status, code: problem.code, retriable: problem.retriable, txHash: problem.txHash };
      }
    },
    async get(txHash) {
      const { data } = await transactions.getTransaction(txHash);
      return { ...seen(200, data), lastEvent: data.history.at(-1)?.event };
    },
    async page(from, limit, cursor) {
      const { data } = await transactions.listTransactions(undefined, limit, cursor, undefined, from);
      return { hashes: data.transactions.map((listed) => listed.txHash), nextCursor: data.nextCursor };
    },
    async cancel(txHash, prefer) {
      const { status, data } = await transactions.cancelTransaction(txHash, undefined, prefer);
      return seen(status, data);
    },
  };
}

function seen(httpStatus: number, found: Transaction | TransactionDetail): Seen {
  return { httpStatus, txHash: found.txHash, status: found.status, height: heightOf(found) };
}

void main(connect);
