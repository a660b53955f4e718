/** The embedded engine behind its port, over any store. */
import { nsToMs, upperHex } from '../encoding/index.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import type {
  BroadcastItem,
  BroadcastResult,
  EngineMetrics,
  EngineStatus,
  LocalEngine,
  LocalState,
  ReceiptOutcome,
  RpcArguments,
  RpcEventsAnswer,
  RpcEventsRequest,
  RpcMethod,
  RpcOutcome,
} from '../port.ts';
import type { Clock, Logger, Timer } from '../ports.ts';
import { HeightWaiters } from '../height-waiters.ts';
import { EventMatcher } from '../rpc/event-matcher.ts';
import { unavailable } from '../rpc/failure.ts';
import { SearchIndex } from '../search/search-index.ts';
import type { SearchStore } from '../search/search-store.ts';
import { compositeEvents, Searcher } from '../search/searcher.ts';
import type { ValidatorKey } from '../validator-key.ts';
import { BLOCK_LIMITS } from './block-limits.ts';
import { BlockLoop, HELD_RETRY_MS } from './block-loop.ts';
import type { Chain, ExecutedBlock } from './chain.ts';
import { chainConstants } from './chain-constants.ts';
import { AT_START_BLOCKS, AT_START_BYTES, HistoryCheck, SLICE_BLOCKS, SLICE_BYTES } from './history-check.ts';
import { Mempool, MEMPOOL_BYTES_MAX, MEMPOOL_TRANSACTIONS_MAX } from './mempool.ts';
import { contextOf } from './next-block.ts';
import { receiptFromBlocks } from './receipt.ts';
import { recover } from './recover.ts';
import { BlockReader } from './rpc/block-reader.ts';
import type { RpcContext } from './rpc/context.ts';
import { answerRpc } from './rpc/embedded-rpc.ts';
import { publishedBlocks } from './rpc/events.ts';
import { GenesisText } from './rpc/genesis-text.ts';
import { IDLE_BLOCK_MS_DEFAULT } from './schedule.ts';
import type { ChainStore, SignStateFile } from './stores.ts';

export const BLOCK_INTERVAL_MS_DEFAULT = 1000;
export const BLOCK_INTERVAL_MS_MIN = 10;

/**
 * The check of old blocks pauses between two slices for this many times as long as a slice took, so that it slows everything else by at
 * most 2 %.
 */
const HISTORY_PAUSE_FACTOR = 49;
const HISTORY_PAUSE_MS_MIN = 20;

/**
 * A broadcast yields to blocks and other callers after this many transactions that were not verified here: each costs a signature check.
 */
const BROADCAST_SLICE_TRANSACTIONS = 64;

/** Methods that answer from the state, not from stored blocks. */
const OF_STATE: ReadonlySet<RpcMethod> = new Set([
  'abci_query',
  'check_tx',
  'broadcast_tx_async',
  'broadcast_tx_commit',
  'broadcast_tx_sync',
]);

export interface EngineParts {
  genesis: GenesisDocument;
  validatorKey: ValidatorKey;
  chain: ChainStore;
  /** Read when the engine starts; written then and when it closes. */
  signStateFile: SignStateFile;
  /** Index by which transactions are found by their events. It can always be rebuilt from the blocks. */
  search: SearchStore;
  /** Longest wait for a block while something waits for it, BLOCK_INTERVAL_MS_MIN or more. */
  blockIntervalMs: number;
  /** Longest time between two blocks of an idle chain; IDLE_BLOCK_MS_DEFAULT without it. */
  idleBlockMs?: number | undefined;
  clock: Clock;
  logger: Logger;
  /**
   * Writes what settles with a block, in the transaction that writes the block, after everything of the block. It must not use the engine.
   */
  settle?: (block: ExecutedBlock) => void;
  /** Called when a block is on disk, with what settled with it, and before waits for the block resolve. */
  applied?: (block: ExecutedBlock) => void;
  /** Called once when no more blocks can be made; the process should end and start again. */
  onFatal?: (error: Error) => void;
}

export class EmbeddedEngine implements LocalEngine {
  readonly #parts: EngineParts;
  readonly #chain: Chain;
  readonly #mempool: Mempool;
  readonly #waiters: HeightWaiters;
  readonly #loop: BlockLoop;
  readonly #index: SearchIndex;
  readonly #rpc: RpcContext;
  readonly #reader: BlockReader;
  readonly #events: EventMatcher;
  readonly #history: HistoryCheck;
  #historyTimer: Timer | undefined;
  #lastBlockMs: number;
  #closed = false;
  #blocksMade = 0;
  #transactionsExecuted = 0;
  #refused = 0;

  /** Loads the stored chain and starts making blocks. Throws EngineStartError when what is stored does not fit together. */
  constructor(parts: EngineParts) {
    this.#parts = parts;
    const { genesis, validatorKey, signStateFile, clock } = parts;
    const constants = chainConstants(genesis, validatorKey);
    this.#chain = recover({
      genesis,
      constants,
      key: validatorKey,
      store: parts.chain,
      signStateFile,
      clock,
      settle: (block) => parts.settle?.(block),
    });
    this.#history = new HistoryCheck(parts.chain, { height: this.#chain.tip.height, hash: this.#chain.tip.id.hash });
    this.#history.check(AT_START_BYTES, AT_START_BLOCKS);
    // Also at the start: after a kill, which exports nothing, a copy of the chain from before this start is still refused.
    this.#exportSignState();
    this.#mempool = new Mempool(this.#chain.state, contextOf(this.#chain.tip), BLOCK_LIMITS, {
      transactionsMax: MEMPOOL_TRANSACTIONS_MAX,
      bytesMax: MEMPOOL_BYTES_MAX,
    });
    this.#waiters = new HeightWaiters(clock, this.#chain.tip.height);
    const reader = new BlockReader(this.#chain);
    this.#index = this.#openIndex(reader);
    this.#rpc = this.#rpcContext(reader);
    this.#reader = reader;
    this.#events = new EventMatcher(clock);
    this.#lastBlockMs = clock.monotonicMs();
    this.#loop = new BlockLoop({
      chain: this.#chain,
      mempool: this.#mempool,
      intervalMs: parts.blockIntervalMs,
      idleMs: this.#idleMs,
      clock,
      logger: parts.logger,
      onBlock: (block) => this.#onBlock(block),
      onFatal: (error) => parts.onFatal?.(error),
    });
    this.#loop.start();
    this.#checkHistoryIn(HISTORY_PAUSE_MS_MIN);
  }

  /** The state after the last block. */
  get state(): LocalState {
    return this.#chain.state;
  }

  /** The last block on disk; hash '' and genesis time before the first. */
  get tip(): { height: number; hash: string; timeMs: number } {
    const { tip, constants } = this.#chain;
    if (tip.height === 0) return { height: 0, hash: '', timeMs: nsToMs(constants.genesisTimeNs) };
    return { height: tip.height, hash: upperHex(tip.id.hash), timeMs: nsToMs(tip.headerTimeNs) };
  }

  get clockMs(): number {
    return this.#chain.clockGuard.nowMs();
  }

  get #idleMs(): number {
    return this.#parts.idleBlockMs ?? IDLE_BLOCK_MS_DEFAULT;
  }

  async status(): Promise<EngineStatus> {
    const { tip, constants } = this.#chain;
    const trouble = this.#loop.failure || this.#loop.hold;
    return {
      chainId: constants.chainId,
      height: tip.height,
      lastBlockHash: upperHex(tip.id.hash),
      lastBlockTimeMs: nsToMs(tip.headerTimeNs),
      lastBlockAgeMs: Math.round(this.#parts.clock.monotonicMs() - this.#lastBlockMs),
      blockIntervalMs: this.#parts.blockIntervalMs,
      idleBlockMs: this.#idleMs,
      mempoolSize: this.#mempool.size,
      clockHeld: this.#loop.isHeldByClock,
      healthy: trouble === '' && !this.#closed,
      detail: this.#closed ? 'the engine is closed' : trouble || 'making blocks',
    };
  }

  async broadcast(items: readonly BroadcastItem[]): Promise<BroadcastResult[]> {
    const results: BroadcastResult[] = [];
    let unverified = 0;
    for (const item of items) {
      // Waiting transactions are checked by the state, and the state after a held block must not be shown.
      while (this.#chain.held !== undefined) await this.#pause(HELD_RETRY_MS);
      if (item.transaction === undefined) {
        if (unverified > 0 && unverified % BROADCAST_SLICE_TRANSACTIONS === 0) await this.#pause(0);
        unverified += 1;
      }
      this.#assertOpen();
      results.push(this.#counted(this.#mempool.add(item)));
      this.#loop.reschedule();
    }
    return results;
  }

  expectTime(ms: number | undefined): void {
    if (!this.#closed) this.#loop.expectTime(ms);
  }

  async waitForHeight(height: number, timeoutMs: number): Promise<number> {
    this.#assertOpen();
    return this.#waiters.wait(height, timeoutMs);
  }

  async receipt(height: number, txHash: string): Promise<ReceiptOutcome> {
    this.#assertOpen();
    const { genesis, clock } = this.#parts;
    return await receiptFromBlocks(
      { reader: this.#reader, genesis, clock, tipHeight: () => this.#chain.tip.height },
      height,
      txHash,
    );
  }

  async rpc(method: RpcMethod, args: RpcArguments): Promise<RpcOutcome> {
    this.#assertOpen();
    if (this.#chain.held !== undefined && OF_STATE.has(method))
      return unavailable('a block cannot be stored at the moment: ask again later').outcome;
    return answerRpc(this.#rpc, method, args, this.#parts.logger);
  }

  async events(request: RpcEventsRequest): Promise<RpcEventsAnswer> {
    this.#assertOpen();
    const first = Math.max(1, request.fromHeight);
    const last = Math.min(this.#chain.tip.height, first + request.limit - 1);
    return await this.#events.read(request, publishedBlocks(this.#reader, first, last));
  }

  async metrics(): Promise<EngineMetrics> {
    return {
      height: this.#chain.tip.height,
      mempool_transactions: this.#mempool.size,
      mempool_bytes: this.#mempool.bytes,
      blocks_made_total: this.#blocksMade,
      transactions_executed_total: this.#transactionsExecuted,
      broadcasts_refused_total: this.#refused,
      clock_ahead_ms: this.#chain.clockGuard.read().aheadMs,
      search_index_height: this.#index.height,
    };
  }

  /**
   * Stops making blocks, resolves all waits, and exports what was signed last. The connection of the chain stays open: it is its owner's. A
   * second call does nothing.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#loop.stop();
    this.#historyTimer?.cancel();
    this.#waiters.close();
    this.#index.close();
    this.#exportSignState();
  }

  #exportSignState(): void {
    try {
      // From disk, not from memory: a signature whose block was never stored was never seen.
      const last = this.#parts.chain.lastSigned();
      if (last !== undefined) this.#parts.signStateFile.write(last);
    } catch (error) {
      this.#parts.logger.warn(
        { error: (error as Error).message },
        'priv_validator_state.json was not written; chain.db has what it would say',
      );
    }
  }

  #counted(result: BroadcastResult): BroadcastResult {
    if (result.code !== 0) this.#refused += 1;
    return result;
  }

  #onBlock(block: ExecutedBlock): void {
    this.#lastBlockMs = this.#parts.clock.monotonicMs();
    this.#blocksMade += 1;
    this.#transactionsExecuted += block.transactions.length;
    this.#parts.applied?.(block);
    this.#index.add(
      block.stored.height,
      block.results.map(({ events }) => events),
    );
    this.#waiters.reached(block.stored.height);
  }

  #checkHistoryIn(delayMs: number): void {
    if (this.#history.done) return;
    const { clock, logger, onFatal } = this.#parts;
    this.#historyTimer = clock.setTimer(() => {
      const startedMs = clock.monotonicMs();
      try {
        this.#history.check(SLICE_BYTES, SLICE_BLOCKS);
      } catch (error) {
        logger.error(
          { reason: (error as Error).message },
          'the engine stops: a stored block is not the one that was signed',
        );
        this.#loop.stop();
        onFatal?.(error as Error);
        return;
      }
      this.#checkHistoryIn(Math.max(HISTORY_PAUSE_MS_MIN, HISTORY_PAUSE_FACTOR * (clock.monotonicMs() - startedMs)));
    }, delayMs);
  }

  #openIndex(reader: BlockReader): SearchIndex {
    const { search, clock, logger } = this.#parts;
    const source = {
      height: () => this.#chain.tip.height,
      events: (height: number) => reader.resultsOnce(height).map(({ events }) => events),
    };
    return new SearchIndex({ store: search, source, clock, logger });
  }

  #rpcContext(reader: BlockReader): RpcContext {
    const { genesis, clock, blockIntervalMs } = this.#parts;
    const searcher = new Searcher({
      index: this.#index,
      clock,
      height: () => this.#chain.tip.height,
      locate: (hash) => reader.locate(hash),
      events: ({ height, index }, withHash) =>
        compositeEvents(
          height,
          withHash ? reader.block(height).hash(index) : '',
          reader.transaction(height, index)?.result.events ?? [],
        ),
    });
    return {
      genesis,
      genesisText: new GenesisText(genesis),
      chain: this.#chain,
      mempool: this.#mempool,
      reader,
      searcher,
      clock,
      blockIntervalMs,
      broadcast: async (raw) => {
        const [result] = await this.broadcast([{ raw }]);
        if (result === undefined) throw new Error('a broadcast was not answered');
        return result;
      },
      waitForHeight: (height, timeoutMs) => this.#waiters.wait(height, timeoutMs),
    };
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.#parts.clock.setTimer(resolve, ms));
    this.#assertOpen();
  }

  #assertOpen(): void {
    if (this.#closed) throw new Error('the engine is closed');
  }
}
