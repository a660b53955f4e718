/** Methods that a stock node passes to its application: here the ledger answers them itself, in the same form. */
import { answerAbciQuery, APPLICATION_NAME, APPLICATION_VERSION, queryDataFault } from '../../abci-query.ts';
import { APP_PROTOCOL_VERSION } from '../../encoding/index.ts';
import type { RpcMethod } from '../../port.ts';
import type { Arguments } from '../../rpc/arguments.ts';
import { badRequest } from '../../rpc/failure.ts';
import { base64, bytesJson } from '../../rpc/go-json.ts';
import type { RpcContext, RpcHandler } from './context.ts';

function abciQuery({ chain: { state, tip }, mempool }: RpcContext, args: Arguments) {
  const query = {
    path: args.text('path'),
    data: args.bytes('data'),
    height: args.integer('height'),
    prove: args.boolean('prove'),
  };
  const fault = queryDataFault(query);
  if (fault !== undefined) throw badRequest(fault);
  const { code, codespace, log, key, value, ops, height } = answerAbciQuery(state, tip.height, query, (raw) =>
    mempool.judge(raw),
  );
  return {
    response: {
      code,
      log,
      info: '',
      index: '0',
      key: bytesJson(key),
      value: bytesJson(value),
      proofOps: ops ? { ops: ops.map((op) => ({ type: op.type, key: base64(op.key), data: base64(op.data) })) } : null,
      height: String(height),
      codespace,
    },
  };
}

function abciInfo({ chain }: RpcContext) {
  const { height, appHash } = chain.tip;
  return {
    response: {
      data: APPLICATION_NAME,
      version: APPLICATION_VERSION,
      app_version: String(APP_PROTOCOL_VERSION),
      ...(height === 0 ? {} : { last_block_height: String(height), last_block_app_hash: base64(appHash) }),
    },
  };
}

export const ABCI_METHODS = { abci_info: abciInfo, abci_query: abciQuery } satisfies Partial<
  Record<RpcMethod, RpcHandler>
>;
