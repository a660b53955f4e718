/**
 * Forwards methods to a node: those of RPC_METHODS and no others, each with arguments encoded again, to one node that is not distrusted,
 * those at the newest verified block first.
 *
 * Only the body of an answer is used, so no header of a node (it lets answers be cached for a day that are not final) can reach a client.
 */
import { RpcFailure, unavailable } from '../../rpc/failure.ts';
import type { RpcArguments, RpcMethod, RpcOutcome } from '../../port.ts';
import { ANSWER_BYTES_MAX, BROADCAST_CALL_MS_MAX, COMMIT_CALL_MS_MAX, READ_CALL_MS_MAX } from '../limits.ts';
import type { NodeAnswer } from '../nodes/json-rpc.ts';
import { BlockLie } from '../blocks/header-json.ts';
import type { NodePool } from '../nodes/node-pool.ts';
import { NodeFailure } from '../nodes/node-port.ts';
import type { ChainNode } from '../nodes/node.ts';
import { statusOf } from './error-status.ts';
import { paramsText } from './rpc-params.ts';

const NO_NODE = 'no node of the chain can be reached';
/** A node that has pruned: another one may have the height. */
const PRUNED = /^height \d+ is not available/;

/** Methods that submit something to a mempool. */
export const SENDING: ReadonlySet<RpcMethod> = new Set([
  'broadcast_evidence',
  'broadcast_tx_async',
  'broadcast_tx_commit',
  'broadcast_tx_sync',
]);

function timeoutOf(method: RpcMethod): number {
  if (method === 'broadcast_tx_commit') return COMMIT_CALL_MS_MAX;
  return SENDING.has(method) ? BROADCAST_CALL_MS_MAX : READ_CALL_MS_MAX;
}

export class RpcProxy {
  readonly #pool: NodePool;

  constructor(pool: NodePool) {
    this.#pool = pool;
  }

  /** Never rejects for a node's answer. Throws an RpcFailure when an argument is not of its type. */
  async answer(method: RpcMethod, args: RpcArguments): Promise<RpcOutcome> {
    const answer = await this.ask(method, args);
    if (answer.ok) return answer;
    return { ok: false, status: statusOf(answer.error), error: answer.error };
  }

  /** Returns the node's own answer. Throws an RpcFailure when there is none. */
  async ask(method: RpcMethod, args: RpcArguments): Promise<NodeAnswer> {
    return await this.#ask(method, args, async () => undefined);
  }

  /**
   * Returns a node's answer that can be checked: `check` throws BlockLie when it cannot be true, and another node is queried then. A
   * refusal is thrown as the node wrote it.
   */
  async askChecked(
    method: RpcMethod,
    args: RpcArguments,
    check: (result: unknown) => Promise<void>,
  ): Promise<object | null> {
    const answer = await this.#ask(method, args, async (json) => await check(JSON.parse(json)));
    if (!answer.ok) throw new RpcFailure(statusOf(answer.error), answer.error.data, answer.error);
    return JSON.parse(answer.json) as object | null;
  }

  /**
   * Throws a node's refusal, because the node has the reason why there is no answer. An answer that cannot be verified is not forwarded.
   */
  async refuse(method: RpcMethod, args: RpcArguments): Promise<never> {
    const answer = await this.ask(method, args);
    if (answer.ok) throw unavailable('the answer of the node cannot be verified');
    throw new RpcFailure(statusOf(answer.error), answer.error.data, answer.error);
  }

  async #ask(method: RpcMethod, args: RpcArguments, check: (json: string) => Promise<void>): Promise<NodeAnswer> {
    const call = { method, params: paramsText(method, args) };
    const limits = { timeoutMs: timeoutOf(method), answerBytesMax: ANSWER_BYTES_MAX };
    let last: NodeAnswer | undefined;
    for (const node of this.#nodesFor(method, args)) {
      try {
        const answer = await node.ask(call, limits);
        if (answer.ok) await check(answer.json);
        if (answer.ok || !PRUNED.test(answer.error.data)) return answer;
        last = answer;
      } catch (error) {
        if (error instanceof BlockLie) {
          this.#pool.distrust(node, `asked for ${method}: ${error.message}`);
          continue;
        }
        const failure = failureOf(error, method);
        if (failure !== undefined) throw failure;
      }
    }
    if (last !== undefined) return last;
    throw unavailable(NO_NODE);
  }

  #nodesFor(method: RpcMethod, { height }: RpcArguments): ChainNode[] {
    if (SENDING.has(method)) return this.#pool.forSending();
    const usable = this.#pool.usable();
    if (height === undefined || typeof height === 'string') return usable;
    // Nodes that should have it first; when none has it, the furthest answers so itself.
    return usable.sort((a, b) => Number(b.earliest <= Number(height)) - Number(a.earliest <= Number(height)));
  }
}

/** The failure to answer instead of querying another node; undefined when another one should be queried. */
function failureOf(error: unknown, method: RpcMethod): RpcFailure | undefined {
  if (!(error instanceof NodeFailure)) throw error;
  if (error.kind === 'too_large') return unavailable(error.message);
  // Sent twice, the second answer would be "already in cache" and hide the first one.
  if (error.kind === 'lost' && SENDING.has(method))
    return unavailable('the node did not answer; it may have taken what was sent');
  return undefined;
}
