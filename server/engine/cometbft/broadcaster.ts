/**
 * Hands transactions to one node, and to the next one at the next call: so a repeated broadcast reaches another node, and all that one account
 * sends in a call reaches the same node in order.
 *
 * A node checks the requests of a batch one after another and waits for each check, which over the application's socket can take 20 ms; so only
 * the last one is sent as broadcast_tx_sync, those before it as broadcast_tx_async. The application checks in the order of arrival: when the
 * last answer is here, all are checked. What the others' checks found is not known, and not needed: an answer is advice, only a block decides.
 */
import type { BroadcastItem, BroadcastResult } from '../port.ts';
import { ANSWER_BYTES_MAX, BROADCAST_CALL_MS_MAX } from './limits.ts';
import type { NodeCall, ReadAnswer } from './json-rpc.ts';
import type { ChainNode } from './node.ts';
import { NodeFailure } from './node-port.ts';
import type { NodePool } from './node-pool.ts';
import { base64 } from '../embedded/rpc/go-json.ts';

/** No code of the ledger: the node itself would not take the transaction, or none could be reached. */
export const NOT_TAKEN = 1_000;

const LIMITS = { timeoutMs: BROADCAST_CALL_MS_MAX, answerBytesMax: ANSWER_BYTES_MAX };
/** The node has seen these bytes before. It may hold them, or may have dropped them; either way it need not see them again now. */
const KNOWN = 'tx already exists in cache';
const NOT_REACHED: BroadcastResult = { code: NOT_TAKEN, log: 'no node could be reached' };

function callOf({ raw }: BroadcastItem, isLast: boolean): NodeCall {
  return { method: isLast ? 'broadcast_tx_sync' : 'broadcast_tx_async', params: `{"tx":"${base64(raw)}"}` };
}

function resultOf(answer: ReadAnswer): BroadcastResult {
  if (!answer.ok) return { code: answer.error.data === KNOWN ? 0 : NOT_TAKEN, log: answer.error.data || answer.error.message };
  const { code, log } = answer.result as { code?: unknown; log?: unknown };
  return { code: typeof code === 'number' ? code : NOT_TAKEN, log: typeof log === 'string' ? log : '' };
}

export class Broadcaster {
  readonly #pool: NodePool;
  #refused = 0;
  #failed = 0;

  constructor(pool: NodePool) {
    this.#pool = pool;
  }

  /** Transactions that a node refused. */
  get refused(): number {
    return this.#refused;
  }

  /** Calls to a node that brought no answer. */
  get failed(): number {
    return this.#failed;
  }

  /** One result for each item, in order. Rejects with NodeFailure when no node could be reached at all. */
  async send(items: readonly BroadcastItem[]): Promise<BroadcastResult[]> {
    const calls = items.map((item, i) => callOf(item, i === items.length - 1));
    const results: BroadcastResult[] = [];
    for (const node of this.#pool.forSending()) {
      await this.#sendTo(node, calls, results);
      if (results.length === calls.length) break;
    }
    if (results.length === 0 && calls.length > 0) throw new NodeFailure('refused', `no node can be reached: ${this.#pool.troubles()}`);
    this.#refused += results.filter(({ code }) => code !== 0).length;
    while (results.length < calls.length) results.push(NOT_REACHED);
    return results;
  }

  /** Sends what has no result yet; less than all when the node stops answering. */
  async #sendTo(node: ChainNode, calls: readonly NodeCall[], results: BroadcastResult[]): Promise<void> {
    try {
      while (results.length < calls.length) results.push(...(await node.askSome(calls.slice(results.length), LIMITS)).map(resultOf));
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      this.#failed += 1;
    }
  }
}
