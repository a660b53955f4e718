/** The partner's job with the client that openapi-generator makes for TypeScript over fetch. */
import { main, type Adapter, type Seen } from '../typescript/job';
import {
  AccountsApi,
  ChainApi,
  Configuration,
  ProblemFromJSON,
  ResponseError,
  TransactionsApi,
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
    chainId: async () => (await new ChainApi(configuration).getChain()).chainId,
    nextNonce: async (address) => (await new AccountsApi(configuration).getAccount({ address })).nextNonce,
    async submit(body, prefer) {
      try {
        const answer = await transactions.submitTransactionRaw({
          transactionInput: body,
          ...(prefer === undefined ? {} : { prefer }),
        });
        return seen(answer.raw.status, await answer.value());
      } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        const problem = ProblemFromJSON(await error.response.json());
        return {
          httpStatus: error.response.status,
          code: problem.code,
          retriable: problem.retriable,
          txHash: problem.txHash,
        };
      }
    },
    async get(txHash) {
      const found = await transactions.getTransaction({ txHash });
      return { ...seen(200, found), lastEvent: found.history.at(-1)?.event };
    },
    async page(from, limit, cursor) {
      const page = await transactions.listTransactions({ from, limit, ...(cursor === undefined ? {} : { cursor }) });
      return { hashes: page.transactions.map((listed) => listed.txHash), nextCursor: page.nextCursor };
    },
    async cancel(txHash, prefer) {
      const answer = await transactions.cancelTransactionRaw({ txHash, prefer });
      return seen(answer.raw.status, await answer.value());
    },
  };
}

function seen(httpStatus: number, found: Transaction | TransactionDetail): Seen {
  return { httpStatus, txHash: found.txHash, status: found.status, height: heightOf(found) };
}

void main(connect);
