/** The chain's RPC of the embedded engine: one table of methods, and failures as values. */
import type { Logger } from '../../ports.ts';
import type { RpcArguments, RpcMethod, RpcOutcome } from '../../port.ts';
import { Arguments } from '../../rpc/arguments.ts';
import { RpcFailure } from '../../rpc/failure.ts';
import { goJson } from '../../rpc/go-json.ts';
import { JsonText } from '../../rpc/page-text.ts';
import { ABCI_METHODS } from './abci.ts';
import { BLOCK_METHODS } from './blocks.ts';
import { CONSENSUS_METHODS } from './consensus.ts';
import type { RpcContext, RpcHandler } from './context.ts';
import { NODE_METHODS } from './node.ts';
import { TRANSACTION_METHODS } from './transactions.ts';

const METHODS: Readonly<Record<RpcMethod, RpcHandler>> = {
  ...ABCI_METHODS,
  ...BLOCK_METHODS,
  ...CONSENSUS_METHODS,
  ...NODE_METHODS,
  ...TRANSACTION_METHODS,
};

export async function answerRpc(
  context: RpcContext,
  method: RpcMethod,
  args: RpcArguments,
  logger: Logger,
): Promise<RpcOutcome> {
  try {
    const result = await METHODS[method](context, new Arguments(args));
    return { ok: true, json: result instanceof JsonText ? result.text : goJson(result) };
  } catch (error) {
    if (error instanceof RpcFailure) return error.outcome;
    const { message, stack } = error as Error;
    logger.error({ method, error: message, stack }, 'an RPC method failed');
    return new RpcFailure(500, 'the node failed to answer; its log says why').outcome;
  }
}
