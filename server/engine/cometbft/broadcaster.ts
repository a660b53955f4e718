/**
 * Hands transactions to the nodes: what is sent for the first time to the first of the list, what is sent again to another one at each call.
 *
 * A node takes an account's transfers only one behind the other, so those that follow each other in several calls have to reach the same node;
 * gossip between nodes is too slow for that. What no block took within a second is perhaps not held there any more, so it tries the others.
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
    const places = items.map((_, place) => place);
    const results: BroadcastResult[] = items.map(() => NOT_REACHED);
    let reached = 0;
    for (const repeated of [false, true]) {
      const group = places.filter((place) => (items[place]?.repeated === true) === repeated);
      const answers = await this.#sendGroup(group.map((place) => items[place] as BroadcastItem), this.#pool.forSending(repeated));
      for (const [i, answer] of answers.entries()) results[group[i] as number] = answer;
      reached += answers.length;
    }
    if (reached === 0 && items.length > 0) throw new NodeFailure('refused', `no node can be reached: ${this.#pool.troubles()}`);
    this.#refused += results.filter((result) => result !== NOT_REACHED && result.code !== 0).length;
    return results;
  }

  /** Answers to the first of the items, in order; fewer than items when no node answers any more. */
  async #sendGroup(items: readonly BroadcastItem[], nodes: readonly ChainNode[]): Promise<BroadcastResult[]> {
    const calls = items.map((item, i) => callOf(item, i === items.length - 1));
    const results: BroadcastResult[] = [];
    for (const node of nodes) {
      if (results.length === calls.length) break;
      await this.#sendTo(node, calls, results);
    }
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
