/**
 * Sends transactions to the nodes.
 *
 * Each account has a preferred node: a node refuses a nonce whose predecessor it has not received, and gossip takes a moment, so all
 * transactions of one account go to the same node, in the given order. A transaction that is sent again goes to the next node each time: so
 * it reaches another when one mempool dropped it, or no longer gossips it.
 *
 * A node checks the requests of a batch one after another and waits for each check, which over the application's socket can take 20 ms; so
 * only the last one of a call to a node is sent as broadcast_tx_sync, those before it as broadcast_tx_async. The application checks in the
 * order of arrival: when the last answer is here, all are checked. The results of the other checks are not known, and not needed: an answer
 * is advice, only a block decides.
 *
 * A node whose application hangs accepts transactions and never answers, while its status is healthy. It is not waited for: its
 * transactions are sent again to others, and it gets no more until it answers or some time has passed.
 */
import { decodeTransaction } from '../../ledger/index.ts';
import { sha256 } from '../encoding/index.ts';
import type { BroadcastItem, BroadcastResult } from '../port.ts';
import type { Clock, Timer } from '../ports.ts';
import { base64 } from '../rpc/go-json.ts';
import { BroadcastCounts } from './broadcast-counts.ts';
import { ANSWER_BYTES_MAX, BROADCAST_CALL_MS_MAX, BROADCAST_PATIENCE_MS, SLOW_MS } from './limits.ts';
import type { NodeCall, ReadAnswer } from './nodes/json-rpc.ts';
import type { NodePool } from './nodes/node-pool.ts';
import { NodeFailure } from './nodes/node-port.ts';
import type { ChainNode } from './nodes/node.ts';

/** Not a code of the ledger: the node itself refused the transaction, or none could be reached. */
export const NOT_TAKEN = 1_000;

const LIMITS = { timeoutMs: BROADCAST_CALL_MS_MAX, answerBytesMax: ANSWER_BYTES_MAX };
/** The node has received these bytes before. It may hold them, or may have dropped them; either way it need not receive them again now. */
const KNOWN = 'tx already exists in cache';
const NOT_REACHED: BroadcastResult = { code: NOT_TAKEN, log: 'no node could be reached' };
const NOT_ANSWERED: BroadcastResult = { code: NOT_TAKEN, log: 'the node has not answered yet' };

function callOf({ raw }: BroadcastItem, isLast: boolean): NodeCall {
  return { method: isLast ? 'broadcast_tx_sync' : 'broadcast_tx_async', params: `{"tx":"${base64(raw)}"}` };
}

function resultOf(answer: ReadAnswer): BroadcastResult {
  if (!answer.ok)
    return { code: answer.error.data === KNOWN ? 0 : NOT_TAKEN, log: answer.error.data || answer.error.message };
  const { code, log } = answer.result as { code?: unknown; log?: unknown };
  return { code: typeof code === 'number' ? code : NOT_TAKEN, log: typeof log === 'string' ? log : '' };
}

/**
 * The account of a transaction: all of one account go to the same node. Bytes that are not a transaction of this ledger have no account.
 */
function accountOf({ raw, account }: BroadcastItem): string {
  if (account !== undefined) return account;
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) return '';
  // Governance has no account; all of it goes to the same node, in the order of its sequence.
  return 'from' in decoded.tx ? decoded.tx.from : decoded.tx.kind;
}

/**
 * Positions of the nodes in this account's order of preference, by a hash of both: when a node goes or comes back, only accounts that
 * prefer it change nodes, and all others keep the node that has received their earlier transactions.
 */
function preference(account: string, nodes: readonly ChainNode[]): number[] {
  if (nodes.length === 1) return [0];
  const weights = nodes.map(({ url }) => sha256(Buffer.from(`${account} ${url}`)));
  return nodes.map((_, i) => i).sort((a, b) => Buffer.compare(weights[a] as Buffer, weights[b] as Buffer));
}

/** Transactions that go to one node first, and to the others when that fails. */
interface Lane {
  nodes: readonly ChainNode[];
  /** Positions in the call. */
  positions: number[];
  /** The one of `nodes` whose answer is awaited; undefined once there is nothing more to wait for. */
  asked: ChainNode | undefined;
  /** No longer waited for: the rest of it goes to no other node. */
  abandoned: boolean;
}

export class Broadcaster {
  readonly #pool: NodePool;
  readonly #clock: Clock;
  readonly #counts = new BroadcastCounts();
  #refused = 0;
  #failed = 0;

  constructor(pool: NodePool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Transactions that a node refused. */
  get refused(): number {
    return this.#refused;
  }

  /** Calls to a node that returned no answer. */
  get failed(): number {
    return this.#failed;
  }

  /** Returns one result for each item, in order. Rejects with NodeFailure when no node could be reached at all. */
  async send(items: readonly BroadcastItem[]): Promise<BroadcastResult[]> {
    const results = new Map<number, BroadcastResult>();
    const lanes = this.#lanes(items);
    await this.#awaitEnough(
      lanes,
      lanes.map((lane) => this.#sendLane(lane, items, results)),
    );
    const unanswered = new Set(lanes.filter(({ abandoned }) => abandoned).flatMap(({ positions }) => positions));
    if (results.size === 0 && unanswered.size === 0 && items.length > 0)
      throw new NodeFailure('refused', `no node can be reached: ${this.#pool.troubles()}`);
    for (const { code } of results.values()) if (code !== 0) this.#refused += 1;
    return items.map((_, i) => results.get(i) ?? (unanswered.has(i) ? NOT_ANSWERED : NOT_REACHED));
  }

  #lanes(items: readonly BroadcastItem[]): Lane[] {
    const nodes = this.#pool.forSending();
    const active = nodes.filter(({ isCatchingUp }) => !isCatchingUp);
    const first =
      [active.filter((node) => !this.#pool.isSlow(node)), active, nodes].find(({ length }) => length > 0) ?? [];
    const lanes = first.map((_, i): Lane => ({
      nodes: [...new Set([...first.slice(i), ...first.slice(0, i), ...nodes])],
      positions: [],
      asked: undefined,
      abandoned: false,
    }));
    const ways = new Map<string, number>();
    items.forEach((item, position) => {
      const account = accountOf(item);
      const count = this.#counts.next(item);
      // All of one account's transactions in one call go to the same node, also where some are sent again and some for the first time.
      const way = ways.get(account) ?? preference(account, first)[count % first.length] ?? 0;
      ways.set(account, way);
      lanes[way]?.positions.push(position);
    });
    return lanes.filter(({ positions }) => positions.length > 0);
  }

  /**
   * Waits until all calls are done, or BROADCAST_PATIENCE_MS is over and another node remains. A node that is still awaited then is slow.
   */
  async #awaitEnough(lanes: readonly Lane[], sent: readonly Promise<void>[]): Promise<void> {
    let timer: Timer | undefined;
    const patience = new Promise<void>((resolve) => (timer = this.#clock.setTimer(resolve, BROADCAST_PATIENCE_MS)));
    await Promise.race([Promise.all(sent), patience]).finally(() => timer?.cancel());
    const awaited = (): Lane[] => lanes.filter(({ asked }) => asked !== undefined);
    const isAwaited = (node: ChainNode): boolean => lanes.some(({ asked }) => asked === node);
    while (
      awaited().length > 0 &&
      this.#pool.forSending().every((node) => isAwaited(node) || this.#pool.isSlow(node))
    ) {
      await Promise.race(sent.filter((_, i) => lanes[i]?.asked !== undefined));
    }
    for (const lane of awaited()) {
      lane.abandoned = true;
      if (lane.asked !== undefined) lane.asked.slowUntilMs = this.#clock.monotonicMs() + SLOW_MS;
    }
  }

  async #sendLane(lane: Lane, items: readonly BroadcastItem[], results: Map<number, BroadcastResult>): Promise<void> {
    const { nodes, positions } = lane;
    const calls = positions.map((position, i) => callOf(items[position] as BroadcastItem, i === positions.length - 1));
    let done = 0;
    for (const node of nodes) {
      lane.asked = node;
      try {
        while (done < calls.length && !lane.abandoned) {
          for (const answer of await node.askSome(calls.slice(done), LIMITS))
            results.set(positions[done++] as number, resultOf(answer));
          node.slowUntilMs = 0;
        }
        break;
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        this.#failed += 1;
      }
    }
    lane.asked = undefined;
  }
}
