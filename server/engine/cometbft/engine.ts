/** The engine over a network of CometBFT nodes, for any transport to them. */
import type { GenesisDocument } from '../../ledger/index.ts';
import { EngineStartError } from '../start-error.ts';
import { EventMatcher } from '../rpc/event-matcher.ts';
import { RpcFailure, unavailable } from '../rpc/failure.ts';
import { goJson } from '../rpc/go-json.ts';
import { JsonText } from '../rpc/page-text.ts';
import type {
  BroadcastItem,
  BroadcastResult,
  Checkpoint,
  CommittedBlock,
  Engine,
  EngineMetrics,
  EngineStatus,
  ReceiptOutcome,
  RpcArguments,
  RpcEventsAnswer,
  RpcEventsRequest,
  RpcMethod,
  RpcOutcome,
  ValidatorSetAt,
} from '../port.ts';
import type { Clock, Logger } from '../ports.ts';
import type { SearchStore } from '../search/search-store.ts';
import { StatementIndex } from '../statements/index.ts';
import { BlockNotAvailable, BlockPruned } from './blocks/block-errors.ts';
import { BlockSource } from './blocks/block-source.ts';
import { ChainTip } from './blocks/chain-tip.ts';
import { committedBlock } from './blocks/committed-block.ts';
import type { VerifiedBlock } from './blocks/verified-block.ts';
import { Broadcaster } from './broadcaster.ts';
import {
  BLOCK_INTERVAL_MS_ASSUMED,
  IDLE_BLOCK_MS_ASSUMED,
  BLOCKS_IN_FLIGHT_MAX,
  BLOCKS_PER_CALL_MAX,
  BYTES_PER_CALL_MAX,
} from './limits.ts';
import type { ChainNode } from './nodes/node.ts';
import { NodePool } from './nodes/node-pool.ts';
import type { NodePort } from './nodes/node-port.ts';
import { TipSubscription } from './nodes/tip-subscription.ts';
import { publishedBlock } from './rpc/chain-events.ts';
import { ChainSearch } from './rpc/chain-search.ts';
import { askCheckTx } from './rpc/check-tx.ts';
import { receiptFromNodes } from './rpc/receipt.ts';
import { RpcProxy, SENDING } from './rpc/rpc-proxy.ts';
import { VerifiedReads } from './rpc/verified-reads.ts';
import { VerifiedStatementBlocks } from './statement-blocks.ts';
import { TrustedChain } from './trust/trusted-chain.ts';

export interface CometbftEngineParts {
  genesis: GenesisDocument;
  nodeUrls: readonly string[];
  port: NodePort;
  /** Index by which transactions are found by their events. It can always be rebuilt from the chain. */
  search: SearchStore;
  /** The file of the statements; absent where statements are off. */
  statementsFile?: string;
  /** Interval at which the nodes of an idle chain make an empty block; IDLE_BLOCK_MS_ASSUMED without it. */
  idleBlockMs?: number;
  clock: Clock;
  logger: Logger;
  /** Called when the nodes have another history than this process has seen; the process should end and start again. */
  onFatal?: (error: Error) => void;
}

/** The parts that exist once the checkpoint to verify the chain from is known. */
interface Following {
  trusted: TrustedChain;
  source: BlockSource;
  tip: ChainTip;
  search: ChainSearch;
  reads: VerifiedReads;
  statements: StatementIndex | undefined;
}

const NOT_STARTED = 'it is not known yet from where the chain is to be verified';

export class CometbftEngine implements Engine {
  readonly #parts: CometbftEngineParts;
  readonly #pool: NodePool;
  readonly #subscription: TipSubscription;
  readonly #broadcaster: Broadcaster;
  readonly #proxy: RpcProxy;
  readonly #events: EventMatcher;
  #following: Following | undefined;
  #closed = false;
  #isFatal = false;

  constructor(parts: CometbftEngineParts) {
    this.#parts = parts;
    const { genesis, nodeUrls, port, clock, logger } = parts;
    const move = (): void => void this.#following?.tip.move();
    const pool = new NodePool({
      nodeUrls,
      chainId: genesis.chainId,
      port,
      clock,
      logger,
      onStatus: move,
      onDistrusted: (node) => this.#subscription.leave(node),
    });
    this.#pool = pool;
    this.#subscription = new TipSubscription({ pool, port, clock, logger, onHeight: move });
    this.#broadcaster = new Broadcaster(pool, clock);
    this.#proxy = new RpcProxy(pool);
    this.#events = new EventMatcher(clock);
  }

  /** Queries every node once. Rejects with EngineStartError when one is of another chain; it is not an error that none answers. */
  async start(): Promise<void> {
    await this.#pool.start();
    const [stranger] = this.#pool.nodes.filter(({ otherChain }) => otherChain !== undefined);
    if (stranger !== undefined) throw this.#strangerError(stranger);
    this.#subscription.start();
  }

  #strangerError({ url, otherChain }: ChainNode): EngineStartError {
    return new EngineStartError(
      `The node at ${url} is of chain ${otherChain}, but the genesis file is of chain ${this.#parts.genesis.chainId}: use the nodes and the genesis file that belong together`,
    );
  }

  /** Replaces the nodes; each new one is verified. Rejects with EngineStartError, and changes nothing, when one is of another chain. */
  async replaceNodes(urls: readonly string[]): Promise<void> {
    this.#assertOpen();
    const outcome = await this.#pool.replace(urls);
    if ('stranger' in outcome) throw this.#strangerError(outcome.stranger);
    for (const node of outcome.removed) this.#subscription.leave(node);
  }

  async startFrom(checkpoint: Checkpoint): Promise<void> {
    this.#assertOpen();
    if (this.#following !== undefined) throw new Error('the engine knows already from where to verify');
    const { genesis, clock, logger, search: store } = this.#parts;
    const pool = this.#pool;
    const trusted = new TrustedChain(genesis, checkpoint, clock);
    const source = new BlockSource({ pool, trusted, logger, onForgedResults: () => search.makeAgain() });
    const archive = new BlockSource({ pool, trusted, logger, onForgedResults: () => search.makeAgain() });
    const { height, hash, timeMs } = checkpoint;
    const tip = new ChainTip({
      pool,
      source,
      start: { height, hash, timeMs },
      clock,
      logger,
      onKnown: () => search.open(),
      onBlock: (block) => {
        // It may have read the newest block before the header that commits to its results was verified.
        archive.checkResults(block.height - 1);
        search.add(block);
        statements?.wake();
      },
      onReplaced: (error) => this.#end(error),
    });
    const search: ChainSearch = new ChainSearch({
      store,
      tip,
      recent: source,
      archive,
      proxy: this.#proxy,
      clock,
      logger,
    });
    // Old blocks have a source of their own here too: a search must not wait for them, nor they for a search.
    const history = new BlockSource({ pool, trusted, logger });
    const path = this.#parts.statementsFile;
    const statements =
      path === undefined
        ? undefined
        : new StatementIndex({
            path,
            genesis,
            source: new VerifiedStatementBlocks({ tip, recent: source, history }),
            clock,
            logger,
          });
    this.#following = {
      trusted,
      source,
      tip,
      search,
      statements,
      reads: new VerifiedReads({ trusted, search, proxy: this.#proxy }),
    };
    logger.info({ height, hash }, 'the chain is verified from here on');
    // The caller does not wait for blocks: how many there are to verify is not proved yet.
    void tip.move();
  }

  async validatorSets(height: number): Promise<ValidatorSetAt[]> {
    return this.#started().trusted.sets(height);
  }

  async rejectResults(height: number): Promise<boolean> {
    return this.#started().source.dispute(height);
  }

  async status(): Promise<EngineStatus> {
    const usable = this.#pool.usable();
    const trouble = this.#trouble(usable.length);
    const tip = this.#following?.tip;
    const { height, hash, timeMs } = tip?.height === undefined ? { height: 0, hash: '', timeMs: 0 } : tip.block;
    return {
      chainId: this.#parts.genesis.chainId,
      height,
      lastBlockHash: hash,
      lastBlockTimeMs: timeMs,
      lastBlockAgeMs: Math.round(tip?.ageMs ?? 0),
      blockIntervalMs: tip?.intervalMs ?? BLOCK_INTERVAL_MS_ASSUMED,
      idleBlockMs: this.#parts.idleBlockMs ?? IDLE_BLOCK_MS_ASSUMED,
      mempoolSize: usable[0]?.mempoolSize ?? 0,
      clockHeld: false,
      healthy: trouble === '',
      detail: trouble || `following the chain: ${usable.length} of ${this.#pool.nodes.length} nodes answer`,
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
      // A follower stops for good at a block of another height than the requested one: it must not skip a block that it did not see.
      this.#parts.logger.error({ asked: fromHeight, lowest: error.lowest }, error.message);
      return [committedBlock(await this.#started().source.block(error.lowest))];
    }
  }

  async waitForHeight(height: number, timeoutMs: number): Promise<number> {
    this.#assertOpen();
    const { tip } = this.#started();
    // Without a node the height is unknown: that of the checkpoint may be long past.
    const reached = await tip.wait(tip.height === undefined ? tip.block.height + 1 : height, timeoutMs);
    if (tip.height === undefined) throw new BlockNotAvailable('no node of the chain has answered yet');
    return reached;
  }

  async receipt(height: number, txHash: string): Promise<ReceiptOutcome> {
    this.#assertOpen();
    if (this.#following === undefined) return { kind: 'unavailable' };
    return await receiptFromNodes({ ...this.#following, clock: this.#parts.clock }, height, txHash);
  }

  async rpc(method: RpcMethod, args: RpcArguments): Promise<RpcOutcome> {
    this.#assertOpen();
    try {
      const own = await this.#ownAnswer(method, args);
      if (own === undefined) return await this.#proxy.answer(method, args);
      return { ok: true, json: own instanceof JsonText ? own.text : goJson(own) };
    } catch (error) {
      if (error instanceof RpcFailure) return error.outcome;
      if (error instanceof BlockNotAvailable)
        return new RpcFailure(503, 'no node that can be reached has the blocks for this answer').outcome;
      const { message, stack } = error as Error;
      this.#parts.logger.error({ method, error: message, stack }, 'an RPC method failed');
      return new RpcFailure(500, 'the node failed to answer; its log says why').outcome;
    }
  }

  async events(request: RpcEventsRequest): Promise<RpcEventsAnswer> {
    this.#assertOpen();
    const blocks = await this.#read(request.fromHeight, request.limit);
    return await this.#events.read(request, blocks.map(publishedBlock));
  }

  async metrics(): Promise<EngineMetrics> {
    const usable = this.#pool.usable();
    const tip = this.#following?.tip;
    return {
      height: tip?.height ?? 0,
      mempool_transactions: usable[0]?.mempoolSize ?? 0,
      nodes: this.#pool.nodes.length,
      nodes_usable: usable.length,
      nodes_slow: usable.filter((node) => this.#pool.isSlow(node)).length,
      nodes_distrusted: this.#pool.distrusted,
      nodes_distrusted_total: this.#pool.lies,
      commits_verified_total: this.#following?.trusted.commitsVerified ?? 0,
      websockets_lost_total: this.#subscription.lost,
      broadcasts_refused_total: this.#broadcaster.refused,
      broadcast_calls_failed_total: this.#broadcaster.failed,
      last_block_age_ms: tip?.ageMs ?? 0,
      search_index_height: this.#following?.search.height ?? 0,
      ...(this.#following?.statements && { statements_height: this.#following.statements.height }),
    };
  }

  /** Ends all connections, resolves pending calls, and closes the index. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#subscription.close();
    this.#pool.close();
    this.#following?.tip.close();
    this.#following?.statements?.close();
    if (this.#following === undefined) this.#parts.search.close();
    else this.#following.search.close();
    this.#parts.port.close();
  }

  /** Answers here what needs no node; undefined when a node should answer. */
  async #ownAnswer(method: RpcMethod, args: RpcArguments): Promise<unknown> {
    if (method === 'check_tx') return await askCheckTx(this.#proxy, args);
    if (this.#following === undefined) {
      if (SENDING.has(method)) return undefined;
      throw unavailable(NOT_STARTED);
    }
    const { search, reads } = this.#following;
    if (method === 'tx_search') return await search.txSearch(args);
    if (method === 'block_search') return await search.blockSearch(args);
    if (method === 'tx') return await search.tx(args);
    return await reads.answer(method, args);
  }

  /** Reads blocks from a height on, up to the size of one answer; [] when there is none yet. */
  async #read(fromHeight: number, limit: number): Promise<VerifiedBlock[]> {
    const { tip, source } = this.#started();
    const first = Math.max(1, fromHeight);
    const end = Math.min(tip.height ?? 0, first + Math.min(limit, BLOCKS_PER_CALL_MAX) - 1);
    const found: VerifiedBlock[] = [];
    let bytes = 0;
    for (let height = first; height <= end && bytes < BYTES_PER_CALL_MAX; height += BLOCKS_IN_FLIGHT_MAX) {
      const blocks = await source.range(height, Math.min(BLOCKS_IN_FLIGHT_MAX, end - height + 1));
      found.push(...blocks);
      bytes += blocks.reduce((sum, block) => sum + block.bytes, 0);
    }
    return found;
  }

  #started(): Following {
    if (this.#following === undefined) throw new BlockNotAvailable(NOT_STARTED);
    return this.#following;
  }

  #trouble(answering: number): string {
    if (this.#closed) return 'the engine is closed';
    if (answering === 0)
      return this.#pool.distrusted === 0
        ? `none of ${this.#pool.nodes.length} nodes answers`
        : `no node can be used: ${this.#pool.troubles()}`;
    if (this.#following === undefined) return NOT_STARTED;
    return this.#following.tip.isStuck ? 'the newest block cannot be read; the log says why' : '';
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
