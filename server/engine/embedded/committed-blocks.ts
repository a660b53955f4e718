/** Committed blocks as followers read them: the newest from memory, older ones from the store. */
import { decodeBlock, formatTime, nsToMs, upperHex } from '../encoding/index.ts';
import type { CommittedBlock } from '../port.ts';
import type { Chain, ExecutedBlock } from './chain.ts';
import { codesOf } from './results.ts';
import type { StoredBlock } from './stores.ts';

/** One answer holds at most this many blocks ... */
const BLOCKS_PER_CALL_MAX = 100;
/** ... and stops after the block with which its transactions pass this, so that no answer blocks the thread for long. */
const BYTES_PER_CALL_MAX = 1024 * 1024;
/** A follower that keeps up never reads the disk. */
const RECENT_BLOCKS_MAX = 16;

export class CommittedBlocks {
  readonly #chain: Chain;
  readonly #recent = new Map<number, CommittedBlock>();

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** The chain just executed this block. */
  add(block: ExecutedBlock): void {
    const { height } = block.stored;
    const { stored, transactions, results, parentHash, appHash } = block;
    const raws = transactions.map(({ raw }) => raw);
    const outcomes = { codes: results.map(({ code }) => code), logs: results.map(({ log }) => log) };
    this.#recent.set(height, { ...this.#describe(stored, parentHash, appHash), transactions: raws, ...outcomes });
    this.#recent.delete(height - RECENT_BLOCKS_MAX);
  }

  /** Blocks from a height on, in order; at most `limit` of them, perhaps fewer; [] when there is none yet. */
  read(fromHeight: number, limit: number): CommittedBlock[] {
    const first = Math.max(1, fromHeight);
    const end = Math.min(this.#chain.tip.height, first + Math.min(limit, BLOCKS_PER_CALL_MAX) - 1);
    const found: CommittedBlock[] = [];
    let bytes = 0;
    for (let height = first; height <= end && bytes < BYTES_PER_CALL_MAX; height++) {
      const block = this.#recent.get(height) ?? this.#load(height);
      found.push(block);
      bytes += block.transactions.reduce((sum, raw) => sum + raw.length, 0);
    }
    return found;
  }

  #load(height: number): CommittedBlock {
    const { store } = this.#chain;
    const stored = store.block(height);
    const executed = store.executed(height);
    if (stored === undefined || executed === undefined) throw new Error(`chain.db lost height ${height}`);
    const { transactions, header } = decodeBlock(stored.bytes);
    const logs = transactions.map(() => '');
    for (const [index, , log] of executed.failures) logs[index] = log;
    const outcomes = { codes: codesOf(transactions.length, executed.failures), logs };
    return { ...this.#describe(stored, header.lastBlockId.hash, executed.appHash), transactions: [...transactions], ...outcomes };
  }

  #describe(stored: StoredBlock, parentHash: Uint8Array, appHash: Uint8Array): Omit<CommittedBlock, 'transactions' | 'codes' | 'logs'> {
    return {
      chainId: this.#chain.constants.chainId,
      height: stored.height,
      hash: upperHex(stored.id.hash),
      parentHash: upperHex(parentHash),
      time: formatTime(stored.timeNs),
      timeMs: nsToMs(stored.timeNs),
      appHash: upperHex(appHash),
    };
  }
}
