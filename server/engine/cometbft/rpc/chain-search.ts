/**
 * tx_search, block_search and tx from an index of this service. A node's tx_search loads every match before it answers a page, which at
 * 140,000 transactions takes seconds and gigabytes; and its index is a moment behind the block, so a recent transaction would not be found.
 *
 * The index is built from the chain's blocks, and can be rebuilt at any time. Until it has reached the newest block, searches say so.
 */
import { Arguments } from '../../rpc/arguments.ts';
import { badRequest, RpcFailure, unavailable } from '../../rpc/failure.ts';
import { base64 } from '../../rpc/go-json.ts';
import { PageText, type JsonText } from '../../rpc/page-text.ts';
import { txProofJson } from '../../rpc/tx-proof-json.ts';
import { upperHex } from '../../encoding/index.ts';
import type { RpcArguments } from '../../port.ts';
import type { Clock, Logger } from '../../ports.ts';
import {
  BlockLost,
  SearchIndex,
  type BlockTransactionEvents,
  type TransactionPlace,
} from '../../search/search-index.ts';
import { heightsPage, transactionsPage, type PageOf } from '../../search/search-pages.ts';
import type { SearchStore } from '../../search/search-store.ts';
import { compositeEvents, Searcher } from '../../search/searcher.ts';
import { BlockPruned } from '../blocks/block-errors.ts';
import { demand } from '../blocks/header-json.ts';
import type { BlockSource } from '../blocks/block-source.ts';
import type { ChainTip } from '../blocks/chain-tip.ts';
import type { VerifiedBlock } from '../blocks/verified-block.ts';
import { BLOCKS_IN_FLIGHT_MAX } from '../limits.ts';
import { heightOfJson } from '../nodes/node-status.ts';
import { mapSome } from '../some-at-once.ts';
import type { RpcProxy } from './rpc-proxy.ts';

/** Blocks that are read at once while the index is built. */
const READ_AHEAD_BLOCKS = 8;
const TX_NOT_FOUND = /^tx \([0-9A-F]*\) not found$/;

export interface ChainSearchParts {
  store: SearchStore;
  tip: ChainTip;
  /** Recent blocks, which every follower reads. */
  recent: BlockSource;
  /** Older blocks, in a cache of their own: a search through the history must not evict recent ones. */
  archive: BlockSource;
  proxy: RpcProxy;
  clock: Clock;
  logger: Logger;
}

export class ChainSearch {
  readonly #parts: ChainSearchParts;
  /** Blocks read ahead for the index. */
  #ahead = new Map<number, BlockTransactionEvents>();
  #index: SearchIndex | undefined;
  #searcher: Searcher | undefined;

  constructor(parts: ChainSearchParts) {
    this.#parts = parts;
  }

  /** The height that the index has reached. */
  get height(): number {
    return this.#index?.height ?? 0;
  }

  /** Starts to index: the height of the chain is known. */
  open(): void {
    const { store, tip, clock, logger } = this.#parts;
    const height = () => tip.height ?? 0;
    this.#index = new SearchIndex({ store, source: { height, events: (at) => this.#eventsOf(at) }, clock, logger });
    this.#searcher = new Searcher({
      index: this.#index,
      clock,
      height,
      locate: (hash) => this.#locate(hash),
      events: (place) => this.#composite(place),
    });
  }

  add(block: VerifiedBlock): void {
    this.#index?.add(block.height, block.events);
  }

  close(): void {
    if (this.#index) this.#index.close();
    else this.#parts.store.close();
  }

  async txSearch(given: RpcArguments): Promise<JsonText> {
    const args = new Arguments(given);
    if (this.#searcher === undefined) throw unavailable('no node of the chain has answered yet');
    const found = await transactionsPage(this.#searcher, args);
    const prove = args.boolean('prove');
    return (
      await pageText(found, async ({ height, index }) => transactionJson(await this.verified(height), index, prove))
    ).result('txs');
  }

  async blockSearch(given: RpcArguments): Promise<JsonText> {
    const found = heightsPage(new Arguments(given), this.#parts.tip.height ?? 0);
    return (await pageText(found, async (height) => (await this.verified(height)).block)).result('blocks');
  }

  /** Returns the transaction with its result. A node may be queried for its position; its bytes and result come from the verified block. */
  async tx(given: RpcArguments): Promise<unknown> {
    const args = new Arguments(given);
    const hash = args.bytes('hash');
    if (hash.length === 0) throw badRequest('transaction hash cannot be empty');
    const place = await this.#locate(hash);
    if (place === undefined) return await this.#parts.proxy.refuse('tx', given);
    return transactionJson(await this.verified(place.height), place.index, args.boolean('prove'));
  }

  /** Rebuilds the index from the chain: entries of the newest blocks may be forged. */
  makeAgain(): void {
    this.#parts.logger.error({}, 'the search index holds forged results: making it again from the chain');
    this.#ahead.clear();
    this.#index?.makeAgain();
  }

  /** Returns a verified block, up to the newest one. Rejects with BlockNotAvailable. */
  verified(height: number): VerifiedBlock | Promise<VerifiedBlock> {
    const { recent, archive } = this.#parts;
    return recent.cache.get(height) ?? archive.block(height);
  }

  #composite({ height, index }: TransactionPlace): Record<string, string[]> | Promise<Record<string, string[]>> {
    const block = this.verified(height);
    return block instanceof Promise ? block.then((read) => compositeOf(read, index)) : compositeOf(block, index);
  }

  async #locate(hash: Uint8Array): Promise<TransactionPlace | undefined> {
    const recent = this.#parts.recent.cache.transaction(hash);
    if (recent !== undefined) return { height: recent.block.height, index: recent.index };
    let place: TransactionPlace | undefined;
    try {
      await this.#parts.proxy.askChecked('tx', { hash, prove: false }, async (result) => {
        const { height, index } = (result ?? {}) as { height?: unknown; index?: unknown };
        place = await this.#placeAt(hash, height, index);
      });
      return place;
    } catch (error) {
      if (error instanceof RpcFailure && TX_NOT_FOUND.test(error.message)) return undefined;
      throw error;
    }
  }

  /** Throws BlockLie when the transaction is not there. */
  async #placeAt(hash: Uint8Array, height: unknown, index: unknown = 0): Promise<TransactionPlace> {
    const at = heightOfJson(height);
    demand(at !== undefined && typeof index === 'number', 'it is no place of a transaction');
    if (at < 1 || at > (this.#parts.tip.height ?? 0))
      throw unavailable('the block of the transaction is not verified yet');
    const found = (await this.verified(at)).transactionHashes[index];
    demand(found !== undefined && Buffer.from(found).equals(hash), `the transaction is not at ${index} of block ${at}`);
    return { height: at, index };
  }

  /** Returns a block's events: in memory when it is recent or was read with the one before. */
  #eventsOf(height: number): BlockTransactionEvents | Promise<BlockTransactionEvents> {
    const events = this.#parts.recent.cache.get(height)?.events ?? this.#ahead.get(height);
    return events ?? this.#readAhead(height);
  }

  async #readAhead(height: number): Promise<BlockTransactionEvents> {
    const { archive, tip } = this.#parts;
    const latest = tip.height ?? height;
    try {
      const blocks = await archive.range(height, Math.min(READ_AHEAD_BLOCKS, latest - height + 1));
      this.#ahead = new Map(blocks.map((block) => [block.height, block.events]));
      return this.#ahead.get(height) ?? [];
    } catch (error) {
      // The log has which node has which block; the caller gets the consequence.
      throw error instanceof BlockPruned
        ? new BlockLost(`no node has the blocks below ${error.lowest} any more`)
        : error;
    }
  }
}

/** Builds a page a few items at a time, so that no more are read than the page takes. */
async function pageText<T>(found: PageOf<T>, make: (entry: T) => Promise<unknown>): Promise<PageText> {
  const page = new PageText(found);
  for (let at = 0; at < found.entries.length; at += BLOCKS_IN_FLIGHT_MAX) {
    const items = await mapSome(found.entries.slice(at, at + BLOCKS_IN_FLIGHT_MAX), BLOCKS_IN_FLIGHT_MAX, make);
    if (!items.every((item) => page.add(item))) break;
  }
  return page;
}

function compositeOf(block: VerifiedBlock, index: number): Record<string, string[]> {
  // A node's index does not contain events that are not marked for it, so a search by CONTAINS or EXISTS does not see them either.
  const events = (block.events[index] ?? []).map(({ type, attributes }) => ({
    type,
    attributes: attributes.filter((attribute) => attribute.index),
  }));
  return compositeEvents(block.height, upperHex(block.transactionHashes[index] ?? new Uint8Array(0)), events);
}

/** A transaction with its result in the form of `tx` and `tx_search` (rpc/core/types/responses.go, ResultTx). */
function transactionJson(block: VerifiedBlock, index: number, prove: boolean) {
  const [raw, hash, result] = [block.transactions[index], block.transactionHashes[index], block.results[index]];
  if (raw === undefined || hash === undefined || result === undefined)
    throw new Error(`block ${block.height} has no transaction ${index}`);
  return {
    hash: upperHex(hash),
    height: String(block.height),
    index,
    tx_result: result,
    tx: base64(raw),
    ...(prove ? { proof: txProofJson(block.header.dataHash, raw, block.proof(index)) } : {}),
  };
}
