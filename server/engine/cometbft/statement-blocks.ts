/** Verified blocks for statements: recent ones as every follower reads them, older ones a few at a time. */
import { BlocksLost, type StatementBlock, type StatementSource } from '../statements/index.ts';
import { BlockPruned } from './blocks/block-errors.ts';
import type { BlockSource } from './blocks/block-source.ts';
import type { ChainTip } from './blocks/chain-tip.ts';
import type { VerifiedBlock } from './blocks/verified-block.ts';

/** Blocks that are read at once while statements are built from a long history. */
const READ_AHEAD_BLOCKS = 8;

export interface VerifiedStatementBlocksParts {
  tip: Pick<ChainTip, 'height'>;
  recent: BlockSource;
  history: BlockSource;
}

export class VerifiedStatementBlocks implements StatementSource {
  /** The codes of the newest block come from one node until the next header commits to them. */
  readonly isCertain = false;
  readonly #parts: VerifiedStatementBlocksParts;
  #ahead = new Map<number, VerifiedBlock>();

  constructor(parts: VerifiedStatementBlocksParts) {
    this.#parts = parts;
  }

  height(): number | undefined {
    return this.#parts.tip.height;
  }

  block(height: number): StatementBlock | Promise<StatementBlock> {
    const block = this.#parts.recent.cache.get(height) ?? this.#ahead.get(height);
    return block === undefined ? this.#readAhead(height) : statementBlock(block);
  }

  async #readAhead(height: number): Promise<StatementBlock> {
    const { history, tip } = this.#parts;
    const latest = tip.height ?? height;
    try {
      const blocks = await history.range(height, Math.min(READ_AHEAD_BLOCKS, latest - height + 1));
      // The newest may have been read before its results were confirmed: it is not kept, so that it is read again if need be.
      this.#ahead = new Map(blocks.filter((block) => block.height < latest).map((block) => [block.height, block]));
      if (blocks.at(-1)?.height === latest) history.cache.drop(latest);
      const [first] = blocks;
      if (first === undefined) throw new Error(`block ${height} was not read`);
      return statementBlock(first);
    } catch (error) {
      throw error instanceof BlockPruned
        ? new BlocksLost(
            `no node has the blocks below ${error.lowest} any more, and the statements go back to the first`,
          )
        : error;
    }
  }
}

function statementBlock({ height, hash, header, transactions, results }: VerifiedBlock): StatementBlock {
  return {
    height,
    hash: Buffer.from(hash, 'hex'),
    timeNs: header.timeNs,
    transactions,
    codes: results.map(({ code }) => code),
  };
}
