/**
 * Verified blocks by height, from whichever node has them.
 *
 * A node whose answer cannot be true is reported, not asked again for a while, and the next one is asked. Blocks of a range must also chain, and
 * each one's results must be those that the next header commits to; only the newest block's cannot be checked yet.
 */
import { upperHex, type Header } from '../../encoding/index.ts';
import type { Logger } from '../../ports.ts';
import { ANSWER_BYTES_MAX, BLOCK_CALL_MS_MAX, BLOCKS_IN_FLIGHT_MAX } from '../limits.ts';
import type { NodePool } from '../nodes/node-pool.ts';
import { NodeFailure } from '../nodes/node-port.ts';
import type { ChainNode } from '../nodes/node.ts';
import { mapSome } from '../some-at-once.ts';
import { BlockCache } from './block-cache.ts';
import { BlockNotAvailable, BlockPruned, ChainReplaced } from './block-errors.ts';
import { BlockLie, headerOfJson } from './header-json.ts';
import { VerifiedBlock } from './verified-block.ts';

const BLOCK_LIMITS = { timeoutMs: BLOCK_CALL_MS_MAX, answerBytesMax: ANSWER_BYTES_MAX };

/** What is wrong with a block beside others; undefined when nothing is. */
type Judge = (block: VerifiedBlock) => string | undefined;

const PRUNED = /^height \d+ is not available, lowest height is (\d+)$/;
const TOO_HIGH = /^height \d+ must be less than or equal to the current blockchain height (\d+)$/;

export interface BlockSourceParts {
  chainId: string;
  pool: NodePool;
  logger: Logger;
}

export class BlockSource {
  readonly cache = new BlockCache();
  readonly #parts: BlockSourceParts;

  constructor(parts: BlockSourceParts) {
    this.#parts = parts;
  }

  /** One block; of the cache when it is there. Rejects with BlockNotAvailable. */
  async block(height: number): Promise<VerifiedBlock> {
    const [block] = await this.range(height, 1, height);
    if (block === undefined) throw new Error(`block ${height} was not read`);
    return block;
  }

  /** `count` blocks in order from a height on, each following the one before; `tip` is the newest height known to have been committed. Rejects with BlockNotAvailable. */
  async range(from: number, count: number, tip: number): Promise<VerifiedBlock[]> {
    const heights = Array.from({ length: count }, (_, i) => from + i);
    // The last one's results are confirmed by a header that is not part of the range.
    const read = await mapSome(heights, BLOCKS_IN_FLIGHT_MAX, (height) => {
      const kept = this.cache.get(height);
      return kept ? { block: kept, next: undefined } : this.#read(height, () => undefined, height < tip && height === heights.at(-1));
    });
    const blocks: VerifiedBlock[] = [];
    for (const [i, { block, next }] of read.entries()) {
      const parent = blocks[i - 1] ?? this.cache.get(block.height - 1);
      const judge = judgeBetween(parent, read[i + 1]?.block.header ?? next);
      const kept = judge(block) === undefined ? block : (await this.#read(block.height, judge)).block;
      this.cache.add(kept);
      blocks.push(kept);
    }
    return blocks;
  }

  /** The block after this one, and what that tells about the results of this one. Rejects with BlockNotAvailable. */
  async after(parent: VerifiedBlock): Promise<VerifiedBlock> {
    const { block } = await this.#read(parent.height + 1, judgeBetween(parent, undefined));
    if (!parent.isConfirmedBy(block.header)) {
      this.#parts.logger.error(
        { height: parent.height, node: parent.source, next: block.source },
        'the results of a block are not those that the next header commits to: one of these nodes is wrong',
      );
      this.cache.drop(parent.height);
    }
    this.cache.add(block);
    return block;
  }

  /** Reads a block, and if it is wanted the header after it, from the first node whose answer is true and passes the judge. */
  async #read(height: number, judge: Judge, wantsNext = false): Promise<{ block: VerifiedBlock; next: Header | undefined }> {
    const { chainId, pool } = this.#parts;
    const strays: { node: ChainNode; complaint: string }[] = [];
    const calls = [
      { method: 'block', params: `{"height":"${height}"}` },
      { method: 'block_results', params: `{"height":"${height}"}` },
      ...(wantsNext ? [{ method: 'header', params: `{"height":"${height + 1}"}` }] : []),
    ];
    const found = await this.#ask(height, async (node) => {
      const [block, results, header] = await node.askAll(calls, BLOCK_LIMITS);
      if (!block?.ok || !results?.ok || header?.ok === false) return refusalOf(block) ?? refusalOf(results) ?? refusalOf(header) ?? 'it did not answer';
      const verified = VerifiedBlock.read({ chainId, height, source: node.url }, block.result, results.result);
      const next = header && headerOfJson((header.result as { header?: Record<string, unknown> | null } | null)?.header ?? {});
      node.height = Math.max(node.height, height);
      const complaint = judge(verified) ?? (next && judgeBetween(undefined, next)(verified));
      if (complaint === undefined) return { block: verified, next };
      strays.push({ node, complaint });
      return complaint;
    }).catch((error: unknown) => {
      if (strays.length === pool.nodes.length) throw new ChainReplaced(`every node disagrees with what was read before: ${strays[0]?.complaint}`);
      throw error;
    });
    // Somebody answered what fits, so those who did not are wrong.
    for (const { node, complaint } of strays) pool.distrust(node, complaint);
    return found;
  }

  /** Asks the nodes that should have a height, one after another, until one answers more than a complaint. */
  async #ask<T extends object>(height: number, question: (node: ChainNode) => Promise<T | string>): Promise<T> {
    const { pool } = this.#parts;
    const complaints: string[] = [];
    for (const node of pool.usable().filter((one) => one.height >= height && one.earliest <= height)) {
      try {
        const answer = await question(node);
        if (typeof answer !== 'string') return answer;
        this.#learn(node, height, answer);
        complaints.push(`${node.url}: ${answer}`);
      } catch (error) {
        if (error instanceof BlockLie) pool.distrust(node, `asked for block ${height}: ${error.message}`);
        else if (!(error instanceof NodeFailure)) throw error;
        complaints.push(`${node.url}: ${error.message}`);
      }
    }
    throw this.#notAvailable(height, complaints);
  }

  /** What a refusal tells about the node. */
  #learn(node: ChainNode, height: number, answer: string): void {
    // It may have pruned since it was last asked how it is.
    node.earliest = Number(PRUNED.exec(answer)?.[1] ?? node.earliest);
    const reached = TOO_HIGH.exec(answer)?.[1];
    if (reached === undefined) return;
    this.#parts.pool.distrust(node, `it said that it has block ${height}, and says now that it stands at ${reached}`);
    node.height = Number(reached);
  }

  #notAvailable(height: number, complaints: readonly string[]): BlockNotAvailable {
    const { nodes } = this.#parts.pool;
    const pruned = this.#parts.pool.usable().filter(({ earliest }) => earliest > height);
    const [first] = pruned.sort((a, b) => a.earliest - b.earliest);
    if (first !== undefined && pruned.length === nodes.length) {
      return new BlockPruned(`block ${height} is no longer on any node: ${first.url} has the lowest, from ${first.earliest} on`, first.earliest);
    }
    const below = pruned.map(({ url, earliest }) => `${url}: it has no block below ${earliest}`);
    return new BlockNotAvailable(`no node that can be reached has block ${height} (${[...complaints, ...below].join('; ') || this.#parts.pool.troubles() || 'none is that far'})`);
  }
}

function refusalOf(answer: { ok: boolean; error?: { data: string; message: string } } | undefined): string | undefined {
  return answer?.error && (answer.error.data || answer.error.message);
}

function judgeBetween(parent: { hash: string; height: number } | undefined, next: Header | undefined): Judge {
  return (block) => {
    if (parent !== undefined && !block.follows(parent)) return `its block ${block.height} does not follow block ${parent.height} ${parent.hash}`;
    if (next === undefined) return undefined;
    if (upperHex(next.lastBlockId.hash) !== block.hash) return `its block ${block.height} is not the one that block ${next.height} follows`;
    return block.isConfirmedBy(next) ? undefined : `the results of its block ${block.height} are not those that the next header commits to`;
  };
}
