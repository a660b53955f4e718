/**
 * All nodes together: each is queried for its status once a second, and callers receive the nodes to try, best first.
 *
 * A node that does not answer is not used until it answers a status query again; a node of another chain, or one that is distrusted, is not
 * used at all. The height that a node claims gives it no preference: only blocks that it has shown count.
 */
import type { Clock, Logger, Timer } from '../../ports.ts';
import {
  CLAIM_MS_MAX,
  DISTRUST_MS,
  DISTRUST_MS_MAX,
  STATUS_ANSWER_BYTES_MAX,
  STATUS_CALL_MS_MAX,
  STATUS_POLL_MS,
} from '../limits.ts';
import { ChainNode } from './node.ts';
import { NodeFailure, type NodePort, shownNode } from './node-port.ts';
import { readMempoolSize, readStatus } from './node-status.ts';

const STATUS_LIMITS = { timeoutMs: STATUS_CALL_MS_MAX, answerBytesMax: STATUS_ANSWER_BYTES_MAX };
export const ONE_AWAY = 'a node does not answer: others are asked';
export const ALL_AWAY =
  'no node can be used: what is accepted is not broadcast, and no block is settled, until one answers';
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
  /** Called when a node has answered its status. */
  onStatus: () => void;
  /** Called when a node gave a false answer. */
  onDistrusted: (node: ChainNode) => void;
}

export class NodePool {
  #nodes: readonly ChainNode[];
  readonly #parts: NodePoolParts;
  readonly #timers = new Map<ChainNode, Timer>();
  /** Nodes that are logged as answering. */
  readonly #answering = new WeakSet<ChainNode>();
  /** Nodes that answered before and no longer do, each with the moment since when. */
  readonly #awaySinceMs = new WeakMap<ChainNode, number>();
  /** Height of the newest verified block. A node that claims more is not preferred for it. */
  verifiedHeight = 0;
  #closed = false;
  #lies = 0;

  constructor(parts: NodePoolParts) {
    this.#parts = parts;
    this.#nodes = parts.nodeUrls.map((url) => new ChainNode(url, parts.port));
  }

  get nodes(): readonly ChainNode[] {
    return this.#nodes;
  }

  /** Number of false answers of all nodes. */
  get lies(): number {
    return this.#lies;
  }

  /** Nodes that are not used now because they gave a false answer. */
  get distrusted(): number {
    return this.nodes.filter((node) => !this.#isTrusted(node)).length;
  }

  /** Queries every node once, and then again at each interval. Never rejects. */
  async start(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.#poll(node)));
  }

  /**
   * Replaces the nodes. One that was configured before keeps its state; a new one is queried first, and when one is of another chain
   * nothing changes.
   * @returns the nodes that are no longer used, or the node of another chain.
   */
  async replace(urls: readonly string[]): Promise<{ removed: readonly ChainNode[] } | { stranger: ChainNode }> {
    const known = new Map(this.#nodes.map((node) => [node.url, node]));
    const added = urls.filter((url) => !known.has(url)).map((url) => new ChainNode(url, this.#parts.port));
    // A node may be added although it does not answer: it is queried again every second, as after a start.
    await Promise.all(added.map((node) => this.#ask(node).catch(() => undefined)));
    const stranger = added.find(({ otherChain }) => otherChain !== undefined);
    if (stranger !== undefined) return { stranger };
    const fresh = new Map(added.map((node) => [node.url, node]));
    const removed = this.#nodes.filter(({ url }) => !urls.includes(url));
    this.#nodes = urls.map((url) => (known.get(url) ?? fresh.get(url)) as ChainNode);
    for (const node of removed) {
      this.#timers.get(node)?.cancel();
      this.#timers.delete(node);
    }
    for (const node of added) void this.#poll(node);
    return { removed };
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) timer.cancel();
  }

  /**
   * Nodes that answer and are not distrusted: those at the newest verified block first, those that did not answer the last request for a
   * block last.
   */
  usable(): ChainNode[] {
    const reached = (node: ChainNode): number => Math.min(node.height, this.verifiedHeight);
    return this.nodes
      .filter((node) => node.isUp && this.#isBelieved(node))
      .sort((a, b) => Number(this.#isSilent(a)) - Number(this.#isSilent(b)) || reached(b) - reached(a));
  }

  /**
   * The greatest height that a node claims, without those that did not answer a request for a block while there are others; undefined when
   * no node answers.
   */
  claimedHeight(): number | undefined {
    const usable = this.usable();
    const heard = usable.filter((node) => !this.#isSilent(node));
    return usable.length === 0
      ? undefined
      : Math.max(...(heard.length > 0 ? heard : usable).map(({ height }) => height));
  }

  /** True when every node that answers claims a block after this one. */
  allClaimMoreThan(height: number): boolean {
    return this.usable().every((node) => node.height > height);
  }

  /**
   * The same nodes for sending, always in the order of the configuration, so that a sequence of sendings goes to the same node; those that
   * left transactions unanswered come last, and behind them those that are catching up.
   */
  forSending(): ChainNode[] {
    const usable = this.nodes.filter((node) => node.isUp && this.#isBelieved(node));
    const place = (node: ChainNode): number => 2 * Number(node.isCatchingUp) + Number(this.isSlow(node));
    return usable.sort((a, b) => place(a) - place(b));
  }

  /** True when it left transactions unanswered at most SLOW_MS ago. */
  isSlow(node: ChainNode): boolean {
    return node.slowUntilMs > this.#parts.clock.monotonicMs();
  }

  /** Records a false answer: the node is not used for a while, longer at each time. */
  distrust(node: ChainNode, reason: string): void {
    const { clock, logger, onDistrusted } = this.#parts;
    this.#lies += 1;
    node.lies += 1;
    const distrustedMs = Math.min(DISTRUST_MS * 2 ** (node.lies - 1), DISTRUST_MS_MAX);
    node.distrustedUntilMs = clock.monotonicMs() + distrustedMs;
    node.unshown = undefined;
    logger.error(
      { node: node.url, reason, lies: node.lies, distrustedMs },
      'a node answered what cannot be true: it is not believed for a while',
    );
    onDistrusted(node);
  }

  /** Records that it showed a verified block. */
  showed(node: ChainNode, height: number): void {
    node.shownHeight = Math.max(node.shownHeight, height);
    node.silences = 0;
    node.silentUntilMs = 0;
    if (node.unshown !== undefined && node.unshown.height <= height) node.unshown = undefined;
  }

  /**
   * Records that it answered that it cannot show a block that it claims to have. For a moment this may be so. It is a false claim when the
   * node repeats it for CLAIM_MS_MAX while another node shows the block. A pause as long restarts the time: a node that was not queried in
   * between denied nothing.
   */
  didNotShow(node: ChainNode, height: number): void {
    const nowMs = this.#parts.clock.monotonicMs();
    const before =
      node.unshown !== undefined && nowMs - node.unshown.lastMs < CLAIM_MS_MAX
        ? node.unshown
        : { height, sinceMs: nowMs };
    const unshown = { ...before, lastMs: nowMs };
    node.unshown = unshown;
    if (nowMs - unshown.sinceMs < CLAIM_MS_MAX) return;
    if (!this.nodes.some((other) => other !== node && other.shownHeight >= unshown.height)) return;
    this.distrust(
      node,
      `it says that it stands at ${node.height}, and did not show block ${unshown.height} for ${CLAIM_MS_MAX} ms, which another node has shown`,
    );
  }

  /**
   * Records that a request for a block got no answer: for a while, longer at each time, others are queried first and its height does not
   * count.
   */
  saidNothing(node: ChainNode): void {
    node.unshown = undefined;
    node.silentUntilMs = this.#parts.clock.monotonicMs() + Math.min(CLAIM_MS_MAX * 2 ** node.silences, DISTRUST_MS_MAX);
    node.silences += 1;
  }

  /** Describes every node that is not used, one sentence each; '' when all are. */
  troubles(): string {
    return this.nodes
      .filter((node) => !node.isUp || !this.#isBelieved(node))
      .map((node) => `${shownNode(node.url)} ${this.#troubleOf(node)}`)
      .join('; ');
  }

  #troubleOf(node: ChainNode): string {
    if (node.otherChain !== undefined) return `is a node of chain ${node.otherChain}`;
    if (!node.isUp) return `does not answer (${node.trouble === '' ? 'not asked yet' : node.trouble})`;
    return 'answered what cannot be true';
  }

  #isTrusted(node: ChainNode): boolean {
    return node.distrustedUntilMs <= this.#parts.clock.monotonicMs();
  }

  #isBelieved(node: ChainNode): boolean {
    return node.otherChain === undefined && this.#isTrusted(node);
  }

  #isSilent(node: ChainNode): boolean {
    return node.silentUntilMs > this.#parts.clock.monotonicMs();
  }

  async #poll(node: ChainNode): Promise<void> {
    const { clock, onStatus } = this.#parts;
    try {
      await this.#ask(node);
      this.#tellAnswers(node);
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      if (!this.#closed) this.#tellAway(node, error);
    }
    if (this.#closed || !this.#nodes.includes(node)) return;
    this.#timers.set(
      node,
      clock.setTimer(() => void this.#poll(node), STATUS_POLL_MS),
    );
    onStatus();
  }

  /** Logs once each time a node begins to answer. Other calls may have noticed before that it does, or does not. */
  #tellAnswers(node: ChainNode): void {
    const { clock, logger } = this.#parts;
    if (this.#answering.has(node)) return;
    this.#answering.add(node);
    const sinceMs = this.#awaySinceMs.get(node);
    this.#awaySinceMs.delete(node);
    const away = sinceMs === undefined ? {} : { awayMs: Math.round(clock.monotonicMs() - sinceMs) };
    logger.info({ node: node.url, height: node.height, ...away }, 'a node answers');
  }

  /** Logs once that one node does not answer. That none answers is logged for as long as it lasts, which the log folds (app/outages.ts). */
  #tellAway(node: ChainNode, err: NodeFailure): void {
    const { clock, logger } = this.#parts;
    const isNew = this.#answering.delete(node);
    if (isNew) this.#awaySinceMs.set(node, clock.monotonicMs());
    const others = this.usable().length;
    const areAsked = this.nodes.every(({ isUp, trouble }) => isUp || trouble !== '');
    if (others === 0 && areAsked) logger.warn({ err: new NodeFailure(err.kind, this.troubles()) }, ALL_AWAY);
    else if (isNew) logger.warn({ node: node.url, reason: err.message, others }, ONE_AWAY);
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
    if (isOther && node.otherChain !== status.chainId)
      logger.error(
        { node: node.url, chainId: status.chainId, expected: chainId },
        'a node is of another chain: it is not used',
      );
    node.otherChain = isOther ? status.chainId : undefined;
    node.height = status.height;
    node.earliest = status.earliest;
    node.isCatchingUp = status.isCatchingUp;
    node.mempoolSize = mempool?.ok ? readMempoolSize(mempool.result) : 0;
  }
}
