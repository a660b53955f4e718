/** A network of CometBFT nodes behind the engine port, over whatever reaches the nodes. */
import type { GenesisDocument } from '../../ledger/index.ts';
import { EngineStartError } from '../start-error.ts';
import { RpcFailure } from '../rpc/failure.ts';
import { goJson } from '../rpc/go-json.ts';
import { JsonText } from '../rpc/page-text.ts';
import { nsToMs } from '../encoding/index.ts';
import type {
  BroadcastItem,
  BroadcastResult,
  CommittedBlock,
  Engine,
  EngineMetrics,
  EngineStatus,
  RpcArguments,
  RpcBlockEvents,
  RpcMethod,
  RpcOutcome,
} from '../port.ts';
import type { Clock, Logger } from '../ports.ts';
import type { SearchStore } from '../search/search-store.ts';
import { BlockNotAvailable, BlockPruned } from './blocks/block-errors.ts';
import { BlockSource } from './blocks/block-source.ts';
import { ChainTip } from './blocks/chain-tip.ts';
import { committedBlock } from './blocks/committed-block.ts';
import type { VerifiedBlock } from './blocks/verified-block.ts';
import { Broadcaster } from './broadcaster.ts';
import { BLOCKS_IN_FLIGHT_MAX, BLOCKS_PER_CALL_MAX, BYTES_PER_CALL_MAX } from './limits.ts';
import { NodePool } from './nodes/node-pool.ts';
import type { NodePort } from './nodes/node-port.ts';
import { TipSubscription } from './nodes/tip-subscription.ts';
import { eventsOfBlock } from './rpc/chain-events.ts';
import { ChainSearch } from './rpc/chain-search.ts';
import { askCheckTx } from './rpc/check-tx.ts';
import { RpcProxy } from './rpc/rpc-proxy.ts';

export interface CometbftEngineParts {
  genesis: GenesisDocument;
  nodeUrls: readonly string[];
  port: NodePort;
  /** Where transactions are found by their events. It can always be made again from the chain. */
  search: SearchStore;
  clock: Clock;
  logger: Logger;
  /** Called when the nodes have another history than this process has seen; it should end and start again. */
  onFatal?: (error: Error) => void;
}

export class CometbftEngine implements Engine {
  readonly #parts: CometbftEngineParts;
  readonly #pool: NodePool;
  readonly #source: BlockSource;
  readonly #tip: ChainTip;
  readonly #subscription: TipSubscription;
  readonly #broadcaster: Broadcaster;
  readonly #proxy: RpcProxy;
  readonly #search: ChainSearch;
  #closed = false;
  #isFatal = false;

  constructor(parts: CometbftEngineParts) {
    this.#parts = parts;
    const { genesis, nodeUrls, port, clock, logger } = parts;
    const { chainId } = genesis;
    const pool = new NodePool({ nodeUrls, chainId, port, clock, logger, onStatus: () => void this.#tip.move() });
    const source = new BlockSource({ chainId, pool, logger });
    const archive = new BlockSource({ chainId, pool, logger });
    this.#pool = pool;
    this.#source = source;
    this.#tip = new ChainTip({
      pool,
      source,
      clock,
      logger,
      onKnown: () => this.#search.open(),
      onBlock: (block) => this.#search.add(block),
      onReplaced: (error) => this.#end(error),
    });
    this.#subscription = new TipSubscription({ pool, port, clock, logger, onHeight: () => void this.#tip.move() });
    this.#broadcaster = new Broadcaster(pool, clock);
    this.#proxy = new RpcProxy(pool);
    this.#search = new ChainSearch({ store: parts.search, tip: this.#tip, recent: source, archive, proxy: this.#proxy, clock, logger });
  }

  /** Looks at every node once. Rejects with EngineStartError when one is of another chain; that none answers is no error. */
  async start(): Promise<void> {
    await this.#pool.start();
    const [stranger] = this.#pool.nodes.filter(({ otherChain }) => otherChain !== undefined);
    if (stranger !== undefined) {
      throw new EngineStartError(
        `The node at ${stranger.url} is of chain ${stranger.otherChain}, but the genesis file is of chain ${this.#parts.genesis.chainId}: use the nodes and the genesis file that belong together`,
      );
    }
    await this.#tip.move();
    this.#subscription.start();
  }

  async status(): Promise<EngineStatus> {
    const { block, height } = this.#tip;
    const [furthest] = this.#pool.usable();
    const answering = this.#pool.usable().length;
    const trouble = this.#trouble(answering);
    return {
      chainId: this.#parts.genesis.chainId,
      height: height ?? 0,
      lastBlockHash: block?.hash ?? '',
      lastBlockTimeMs: block === undefined ? 0 : nsToMs(block.header.timeNs),
      lastBlockAgeMs: Math.round(this.#tip.ageMs),
      blockIntervalMs: this.#tip.intervalMs,
      mempoolSize: furthest?.mempoolSize ?? 0,
      clockHeld: false,
      healthy: trouble === '',
      detail: trouble || `following the chain: ${answering} of ${this.#pool.nodes.length} nodes answer`,
    };
  }

  async broadcast(items: readonly BroadcastItem[]): Promise<BroadcastResult[]> {
    this.#assertOpen();
    return await this.#broadcaster.send(items);
  }

  async blocks(fromHeight: number, limit: number): Promise<CommittedBlock[]> {
    this.#assertOpen();
    try {
      return (await this.#read(fromHeight, limit)).map(committedBlock);
    } catch (error) {
      if (!(error instanceof BlockPruned)) throw error;
      // A block of another height than the one that was asked for is what stops a follower for good: it must not skip what it did not see.
      this.#parts.logger.error({ asked: fromHeight, lowest: error.lowest }, error.message);
      return [committedBlock(await this.#source.block(error.lowest))];
    }
  }

  async waitForHeight(height: number, timeoutMs: number): Promise<number> {
    this.#assertOpen();
    // Without a node nobody knows the height: 0 would be a lie.
    const reached = await this.#tip.wait(this.#tip.height === undefined ? Math.max(1, height) : height, timeoutMs);
    if (this.#tip.height === undefined) throw new BlockNotAvailable('no node of the chain has answered yet');
    return reached;
  }

  async rpc(method: RpcMethod, args: RpcArguments): Promise<RpcOutcome> {
    this.#assertOpen();
    try {
      const own = await this.#ownAnswer(method, args);
      if (own === undefined) return await this.#proxy.answer(method, args);
      return { ok: true, json: own instanceof JsonText ? own.text : goJson(own) };
    } catch (error) {
      if (error instanceof RpcFailure) return error.outcome;
      if (error instanceof BlockNotAvailable) return new RpcFailure(503, 'no node that can be reached has the blocks for this answer').outcome;
      const { message, stack } = error as Error;
      this.#parts.logger.error({ method, error: message, stack }, 'an RPC method failed');
      return new RpcFailure(500, 'the node failed to answer; its log says why').outcome;
    }
  }

  async events(fromHeight: number, limit: number): Promise<RpcBlockEvents[]> {
    this.#assertOpen();
    return (await this.#read(fromHeight, limit)).map(eventsOfBlock);
  }

  async metrics(): Promise<EngineMetrics> {
    const usable = this.#pool.usable();
    return {
      height: this.#tip.height ?? 0,
      mempool_transactions: usable[0]?.mempoolSize ?? 0,
      nodes: this.#pool.nodes.length,
      nodes_usable: usable.length,
      nodes_slow: usable.filter((node) => this.#pool.isSlow(node)).length,
      nodes_distrusted_total: this.#pool.distrusted,
      websockets_lost_total: this.#subscription.lost,
      broadcasts_refused_total: this.#broadcaster.refused,
      broadcast_calls_failed_total: this.#broadcaster.failed,
      last_block_age_ms: this.#tip.ageMs,
      search_index_height: this.#search.height,
    };
  }

  /** Ends all connections, answers whoever waits, and closes the index. Calling it again does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#subscription.close();
    this.#pool.close();
    this.#tip.close();
    this.#search.close();
    this.#parts.port.close();
  }

  /** What is answered here rather than by a node; undefined when a node should answer. */
  async #ownAnswer(method: RpcMethod, args: RpcArguments): Promise<unknown> {
    if (method === 'tx_search') return await this.#search.txSearch(args);
    if (method === 'block_search') return await this.#search.blockSearch(args);
    if (method === 'tx') return this.#search.recentTx(args);
    if (method === 'check_tx') return await askCheckTx(this.#proxy, args);
    return undefined;
  }

  /** Blocks from a height on as far as one answer goes; [] when there is none yet. */
  async #read(fromHeight: number, limit: number): Promise<VerifiedBlock[]> {
    const tip = this.#tip.height ?? 0;
    const first = Math.max(1, fromHeight);
    const end = Math.min(tip, first + Math.min(limit, BLOCKS_PER_CALL_MAX) - 1);
    const found: VerifiedBlock[] = [];
    let bytes = 0;
    for (let height = first; height <= end && bytes < BYTES_PER_CALL_MAX; height += BLOCKS_IN_FLIGHT_MAX) {
      const blocks = await this.#source.range(height, Math.min(BLOCKS_IN_FLIGHT_MAX, end - height + 1), tip);
      found.push(...blocks);
      bytes += blocks.reduce((sum, block) => sum + block.bytes, 0);
    }
    return found;
  }

  #trouble(answering: number): string {
    if (this.#closed) return 'the engine is closed';
    if (answering === 0) return `none of ${this.#pool.nodes.length} nodes answers`;
    if (this.#tip.height === undefined) return 'no node of the chain has said how far it is yet';
    return this.#tip.isStuck ? 'the newest block cannot be read; the log says why' : '';
  }

  #end(error: Error): void {
    if (this.#isFatal) return;
    this.#isFatal = true;
    this.#parts.onFatal?.(error);
  }

  #assertOpen(): void {
    if (this.#closed) throw new Error('the engine is closed');
  }
}
