/**
 * What a subscription is sent about a block, in the order in which CometBFT publishes it (state/execution.go, fireEvents;
 * types/event_bus.go and events.go, v0.38).
 *
 * ValidatorSetUpdates never comes: the one validator of this chain cannot change.
 */
import type { RpcBlockEvents, RpcEvent } from '../../port.ts';
import { compositeEvents } from '../../search/searcher.ts';
import { base64, goJson } from '../../rpc/go-json.ts';
import { eventResultJson, resultJson } from '../../rpc/result-json.ts';
import { blockIdJson, blockJson, headerJson } from './block-json.ts';
import type { BlockReader, ReadBlock } from './block-reader.ts';

/** Blocks whose events are kept: subscribers all follow the latest. */
const BLOCKS_KEPT_MAX = 4;
/** One call answers for at most this many blocks ... */
const BLOCKS_PER_CALL_MAX = 100;
/** ... and stops after the block with which its text passes this, in characters. */
const CHARACTERS_PER_CALL_MAX = 4 * 1024 * 1024;

function event(type: RpcEvent['type'], height: number, value: object, events: Record<string, string[]> = {}): RpcEvent {
  const json = goJson({ type: `tendermint/event/${type}`, value });
  return { type, height, json, events: { ...events, 'tm.event': [type] } };
}

export class EventReader {
  readonly #reader: BlockReader;
  readonly #tip: () => number;
  readonly #kept = new Map<number, RpcBlockEvents>();

  constructor(reader: BlockReader, tip: () => number) {
    this.#reader = reader;
    this.#tip = tip;
  }

  /** Events of the executed blocks from a height on, in order; perhaps of fewer blocks than `limit`. */
  read(fromHeight: number, limit: number): RpcBlockEvents[] {
    const first = Math.max(1, fromHeight);
    const end = Math.min(this.#tip(), first + Math.min(limit, BLOCKS_PER_CALL_MAX) - 1);
    const found: RpcBlockEvents[] = [];
    let characters = 0;
    for (let height = first; height <= end && characters < CHARACTERS_PER_CALL_MAX; height++) {
      const block = this.#block(height);
      found.push(block);
      characters += block.events.reduce((sum, { json }) => sum + json.length, 0);
    }
    return found;
  }

  #block(height: number): RpcBlockEvents {
    const kept = this.#kept.get(height);
    if (kept) return kept;
    const made = { height, events: this.#make(height) };
    this.#kept.set(height, made);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= BLOCKS_KEPT_MAX) break;
      this.#kept.delete(oldest);
    }
    return made;
  }

  #make(height: number): RpcEvent[] {
    const read = this.#reader.block(height);
    const { stored, block } = read;
    const results = this.#reader.results(height);
    const newBlock = {
      block: blockJson(block),
      block_id: blockIdJson(stored.id),
      result_finalize_block: {
        ...(results.length === 0 ? {} : { tx_results: results.map(resultJson) }),
        validator_updates: null,
        app_hash: base64(this.#reader.appHash(height)),
      },
    };
    return [
      event('NewBlock', height, newBlock),
      event('NewBlockHeader', height, { header: headerJson(block.header) }),
      ...block.transactions.map((raw, index) => this.#transaction(read, raw, index)),
    ];
  }

  #transaction(read: ReadBlock, raw: Uint8Array, index: number): RpcEvent {
    const { height } = read.stored;
    const result = this.#reader.results(height)[index];
    if (result === undefined) throw new Error(`block ${height} has no result ${index}`);
    const value = {
      TxResult: {
        height: String(height),
        ...(index === 0 ? {} : { index }),
        tx: base64(raw),
        result: eventResultJson(result),
      },
    };
    return event('Tx', height, value, compositeEvents(height, read.hash(index), result.events));
  }
}
