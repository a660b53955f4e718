/**
 * The nodes together: each is asked once a second how it is, whatever else happens, and whoever needs one is told which to try, best first.
 *
 * A node that does not answer is left alone until it answers that question again; one of another chain, or one that answered what cannot be
 * true, is not used at all.
 */
import type { Clock, Logger, Timer } from '../../ports.ts';
import { DISTRUST_MS, STATUS_ANSWER_BYTES_MAX, STATUS_CALL_MS_MAX, STATUS_POLL_MS } from '../limits.ts';
import { ChainNode } from './node.ts';
import { NodeFailure, type NodePort } from './node-port.ts';
import { readMempoolSize, readStatus } from './node-status.ts';

const STATUS_LIMITS = { timeoutMs: STATUS_CALL_MS_MAX, answerBytesMax: STATUS_ANSWER_BYTES_MAX };
const STATUS_CALLS = [
  { method: 'status', params: '{}' },
  { method: 'num_unconfirmed_txs', params: '{}' },
];

export interface NodePoolParts {
  nodeUrls: readonly string[];
  chainId: string;
  port: NodePort;
  clock: Clock;
  logger: Logger;
  /** A node said how it is. */
  onStatus: () => void;
}

export class NodePool {
  readonly nodes: readonly ChainNode[];
  readonly #parts: NodePoolParts;
  readonly #timers = new Map<ChainNode, Timer>();
  #closed = false;
  #distrusted = 0;

  constructor(parts: NodePoolParts) {
    this.#parts = parts;
    this.nodes = parts.nodeUrls.map((url) => new ChainNode(url, parts.port));
  }

  /** How often a node answered what cannot be true. */
  get distrusted(): number {
    return this.#distrusted;
  }

  /** Asks every node once, and again and again from then on. Never rejects. */
  async start(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.#poll(node)));
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) timer.cancel();
  }

  /** Nodes that answer and are believed, the furthest first. */
  usable(): ChainNode[] {
    return this.nodes.filter((node) => node.isUp && this.#isBelieved(node)).sort((a, b) => b.height - a.height);
  }

  /**
   * The same for sending, always in the order of the configuration, so that one who sends in sequence meets the same node; those that left
   * transactions unanswered come last, and behind them those that only follow the chain.
   */
  forSending(): ChainNode[] {
    const usable = this.nodes.filter((node) => node.isUp && this.#isBelieved(node));
    const place = (node: ChainNode): number => 2 * Number(node.isCatchingUp) + Number(this.isSlow(node));
    return usable.sort((a, b) => place(a) - place(b));
  }

  /** It left transactions unanswered, a while ago at most. */
  isSlow(node: ChainNode): boolean {
    return node.slowUntilMs > this.#parts.clock.monotonicMs();
  }

  /** It answered what cannot be true. */
  distrust(node: ChainNode, reason: string): void {
    this.#distrusted += 1;
    node.distrustedUntilMs = this.#parts.clock.monotonicMs() + DISTRUST_MS;
    this.#parts.logger.error({ node: node.url, reason, distrustedMs: DISTRUST_MS }, 'a node answered what cannot be true: it is not believed for a while');
  }

  /** One sentence about every node that is not used; '' when all are. */
  troubles(): string {
    return this.nodes
      .filter((node) => !node.isUp || !this.#isBelieved(node))
      .map((node) => `${node.url} ${this.#troubleOf(node)}`)
      .join('; ');
  }

  #troubleOf(node: ChainNode): string {
    if (node.otherChain !== undefined) return `is a node of chain ${node.otherChain}`;
    if (!node.isUp) return `does not answer (${node.trouble === '' ? 'not asked yet' : node.trouble})`;
    return 'answered what cannot be true';
  }

  #isBelieved(node: ChainNode): boolean {
    return node.otherChain === undefined && node.distrustedUntilMs <= this.#parts.clock.monotonicMs();
  }

  async #poll(node: ChainNode): Promise<void> {
    const { clock, logger, onStatus } = this.#parts;
    const wasUp = node.isUp;
    try {
      await this.#ask(node);
      if (!wasUp) logger.info({ node: node.url, height: node.height }, 'a node answers');
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      if (wasUp && !this.#closed) logger.warn({ node: node.url, reason: error.message }, 'a node does not answer');
    }
    if (this.#closed) return;
    this.#timers.set(node, clock.setTimer(() => void this.#poll(node), STATUS_POLL_MS));
    onStatus();
  }

  async #ask(node: ChainNode): Promise<void> {
    const { chainId, logger } = this.#parts;
    const [said, mempool] = await node.askAll(STATUS_CALLS, STATUS_LIMITS);
    const status = said?.ok ? readStatus(said.result) : undefined;
    if (status === undefined) {
      node.isUp = false;
      node.trouble = 'it does not say how it is';
      throw new NodeFailure('unreadable', node.trouble);
    }
    const isOther = status.chainId !== chainId;
    if (isOther && node.otherChain !== status.chainId) logger.error({ node: node.url, chainId: status.chainId, expected: chainId }, 'a node is of another chain: it is not used');
    node.otherChain = isOther ? status.chainId : undefined;
    node.height = status.height;
    node.earliest = status.earliest;
    node.isCatchingUp = status.isCatchingUp;
    node.mempoolSize = mempool?.ok ? readMempoolSize(mempool.result) : 0;
  }
}
