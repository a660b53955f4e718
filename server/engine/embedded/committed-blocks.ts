/** Committed blocks as followers read them: the newest from memory, older ones from the stores. */
import { decodeBlock, formatTime, nsToMs, upperHex } from '../encoding/index.ts';
import type { CommittedBlock } from '../port.ts';
import type { Chain, ExecutedBlock } from './chain.ts';

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
    this.#recent.set(height, this.#describe(block));
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
    const stored = this.#chain.blocks.block(height);
    const executed = this.#chain.states.executed(height);
    if (stored === undefined || executed === undefined) throw new Error(`the stores lost height ${height}`);
    const { transactions, header } = decodeBlock(stored.bytes);
    return this.#describe({ ...executed, stored, transactions, parentHash: header.lastBlockId.hash });
  }

  #describe({ stored, transactions, results, parentHash, appHash }: Omit<ExecutedBlock, 'stateChanged'>): CommittedBlock {
    return {
      chainId: this.#chain.constants.chainId,
      height: stored.height,
      hash: upperHex(stored.id.hash),
      parentHash: upperHex(parentHash),
      time: formatTime(stored.timeNs),
      timeMs: nsToMs(stored.timeNs),
      transactions: [...transactions],
      codes: results.map(({ code }) => code),
      logs: results.map(({ log }) => log),
      appHash: upperHex(appHash),
    };
  }
}
