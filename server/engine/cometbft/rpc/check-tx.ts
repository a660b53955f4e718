/**
 * check_tx without a node's mempool: the method of the same name at a node runs the application's real CheckTx, which keeps the transaction
 * in the check state until the next block. check_tx is a read, open to anyone, so it is sent to the application as a query that keeps
 * nothing.
 */
import { CHECK_TX_PATH } from '../../abci-query.ts';
import { RpcFailure, unavailable } from '../../rpc/failure.ts';
import { checkJson } from '../../rpc/result-json.ts';
import type { RpcArguments } from '../../port.ts';
import type { RpcProxy } from './rpc-proxy.ts';

interface QueryResult {
  response: { code?: number; value?: string | null };
}

/** Returns the value of "result", as CometBFT writes it. Throws an RpcFailure when no application answers. */
export async function askCheckTx(proxy: Pick<RpcProxy, 'ask'>, { tx }: RpcArguments): Promise<object> {
  const data = tx instanceof Uint8Array ? tx : new Uint8Array(0);
  const answer = await proxy.ask('abci_query', { path: CHECK_TX_PATH, data });
  if (!answer.ok) throw new RpcFailure(503, answer.error.data);
  const { code, value } = (JSON.parse(answer.json) as QueryResult).response;
  if (code !== 0 || typeof value !== 'string')
    throw unavailable('the application behind the nodes does not judge transactions');
  return checkJson(JSON.parse(Buffer.from(value, 'base64').toString('utf8')) as { code: number; log: string });
}
