/**
 * Verified blocks by height, from any node that has them.
 *
 * No answer of a node is used before the trusted chain confirms it: the block is signed by the derived validators, its results are those
 * that the next verified header commits to. Only the newest block's results cannot be checked yet. A node that gives a false answer is
 * distrusted and not used for a while, and the next node is queried.
 */
import { upperHex } from '../../encoding/index.ts';
import type { Logger } from '../../ports.ts';
import { BLOCKS_IN_FLIGHT_MAX } from '../limits.ts';
import type { NodePool } from '../nodes/node-pool.ts';
import { NodeFailure, shownNode } from '../nodes/node-port.ts';
import type { ChainNode } from '../nodes/node.ts';
import { mapSome } from '../some-at-once.ts';
import { commitOfJson } from '../trust/commit-json.ts';
import type { KnownHeader, SignedHeader, TrustedChain } from '../trust/trusted-chain.ts';
import { askBlock } from './ask-block.ts';
import { BlockCache } from './block-cache.ts';
import { BlockNotAvailable, BlockPruned, ChainReplaced } from './block-errors.ts';
import { BlockLie, demand, headerOfJson } from './header-json.ts';
import { VerifiedBlock } from './verified-block.ts';

const PRUNED = /^height \d+ is not available, lowest height is (\d+)$/;
const TOO_HIGH = /^height \d+ must be less than or equal to the current blockchain height (\d+)$/;

/** Blocks whose results the ledger contradicts, waiting for the header that decides: a few of the newest block's, one of each node. */
const DISPUTED_MAX = 64;

export interface BlockSourceParts {
  pool: NodePool;
  trusted: TrustedChain;
  logger: Logger;
  /** Called when the results of a block that was returned before prove to be forged. */
  onForgedResults?: () => void;
}

/** Reads header and commit from the answer to `commit`. Throws BlockLie when it has none. */
export function signedHeaderOf(result: unknown): SignedHeader {
  const { header, commit } = ((result as { signed_header?: unknown } | null)?.signed_header ?? {}) as {
    header?: unknown;
    commit?: unknown;
  };
  return { header: headerOfJson((header ?? {}) as Record<string, unknown>), commit: commitOfJson(commit) };
}

export class BlockSource {
  readonly cache = new BlockCache();
  readonly #parts: BlockSourceParts;
  #disputed: VerifiedBlock[] = [];

  constructor(parts: BlockSourceParts) {
    this.#parts = parts;
  }

  /** Returns a block up to the newest verified one, from the cache if possible. Rejects with BlockNotAvailable. */
  async block(height: number): Promise<VerifiedBlock> {
    const kept = this.cache.get(height);
    if (kept !== undefined) return kept;
    const read = await this.#read(height);
    this.cache.add(read);
    return read;
  }

  /** Returns `count` blocks in order from a height on, up to the newest verified one. Rejects with BlockNotAvailable. */
  async range(from: number, count: number): Promise<VerifiedBlock[]> {
    return await mapSome(
      Array.from({ length: count }, (_, i) => from + i),
      BLOCKS_IN_FLIGHT_MAX,
      (height) => this.block(height),
    );
  }

  /** Reads and verifies the block after the newest verified one, and makes it the newest. Rejects with BlockNotAvailable. */
  async next(): Promise<VerifiedBlock> {
    const { trusted } = this.#parts;
    const parent = { height: trusted.height, hash: trusted.hash };
    const block = await this.#read(parent.height + 1, (one) =>
      one.follows(parent) ? undefined : `its block ${one.height} does not follow block ${parent.height} ${parent.hash}`,
    );
    trusted.advance(block);
    this.checkResults(parent.height);
    this.cache.add(block);
    return block;
  }

  /**
   * Records that the ledger contradicts the results of this block. Returns false when a verified header commits to them; otherwise the
   * block is read again, from another node if there is one.
   */
  dispute(height: number): boolean {
    const block = this.cache.get(height);
    if (block === undefined) return true;
    const next = this.#parts.trusted.header(height + 1);
    if (next !== undefined && block.isConfirmedBy(next)) return false;
    this.cache.drop(height);
    this.#disputed = [...this.#disputed.filter(({ source }) => source !== block.source), block].slice(-DISPUTED_MAX);
    this.#parts.logger.warn(
      { height, node: block.source },
      'the results of the newest block are not those that the ledger gives: asking another node, until the next header decides',
    );
    return true;
  }

  /** Compares results with the header that now commits to them: a node that showed others is distrusted, and its block is dropped. */
  checkResults(height: number): void {
    const { trusted, pool, onForgedResults } = this.#parts;
    const next = trusted.header(height + 1);
    const shown = this.cache.get(height);
    const seen = [...this.#disputed.filter((block) => block.height === height), ...(shown ? [shown] : [])];
    this.#disputed = this.#disputed.filter((block) => block.height > height);
    if (next === undefined) return;
    const forged = seen.filter((block) => !block.isConfirmedBy(next));
    for (const { source } of new Map(forged.map((block) => [block.source, block])).values()) {
      const node = pool.nodes.find(({ url }) => url === source);
      if (node !== undefined)
        pool.distrust(node, `the results of its block ${height} are not those that the next header commits to`);
    }
    if (forged.length === 0) return;
    if (shown !== undefined && forged.includes(shown)) this.cache.drop(height);
    onForgedResults?.();
  }

  /** Reads a block from the first node whose answer is true and passes `complaintOf`. */
  async #read(
    height: number,
    complaintOf: (block: VerifiedBlock) => string | undefined = () => undefined,
  ): Promise<VerifiedBlock> {
    const { trusted, pool } = this.#parts;
    const strays: { node: ChainNode; complaint: string }[] = [];
    // Read before the nodes are queried: while one answers, other headers may replace those that are kept.
    const [known, knownNext] = [trusted.header(height), trusted.header(height + 1)];
    const needsNext = height < trusted.height && knownNext === undefined;
    const commitsAt = [...(known === undefined ? [height] : []), ...(needsNext ? [height + 1] : [])];
    const found = await this.#ask(height, async (node) => {
      const answer = await askBlock(node, height, commitsAt);
      if (typeof answer === 'string') return answer;
      const { block, told, commits } = answer;
      const read = VerifiedBlock.read({ chainId: trusted.chainId, height, source: node.url }, block, told);
      if (known === undefined) await this.#assertSigned(read, commits.shift());
      else demand(known.hash === read.hash, `its block ${height} is another one than was verified before`);
      const next = needsNext
        ? await this.#nextHeader(read, commits.shift())
        : (knownNext ?? trusted.header(height + 1));
      demand(
        next === undefined || read.isConfirmedBy(next),
        `the results of its block ${height} are not those that the next header commits to`,
      );
      const complaint = complaintOf(read);
      if (complaint === undefined) return read;
      strays.push({ node, complaint });
      return complaint;
    }).catch((error: unknown) => {
      if (pool.nodes.every((node) => strays.some((stray) => stray.node === node)))
        throw new ChainReplaced(`every node disagrees with what was read before: ${strays[0]?.complaint}`);
      throw error;
    });
    // One answer was right, so those that differ are wrong.
    for (const { node, complaint } of strays) pool.distrust(node, complaint);
    return found;
  }

  async #assertSigned(block: VerifiedBlock, commit: unknown): Promise<void> {
    const signed = signedHeaderOf(commit);
    const { hash, parts } = signed.commit.blockId;
    demand(
      upperHex(hash) === block.hash &&
        parts.total === block.id.parts.total &&
        upperHex(parts.hash) === upperHex(block.id.parts.hash),
      'its commit is of another block',
    );
    await this.#parts.trusted.assertSigned({ header: block.header, commit: signed.commit });
  }

  async #nextHeader(block: VerifiedBlock, commit: unknown): Promise<KnownHeader> {
    const next = signedHeaderOf(commit);
    const { header } = next;
    demand(header.height === block.height + 1, `it is block ${header.height}`);
    await this.#parts.trusted.assertSigned(next);
    demand(
      upperHex(header.lastBlockId.hash) === block.hash,
      `its block ${block.height} is not the one that block ${header.height} follows`,
    );
    return { hash: '', lastResultsHash: header.lastResultsHash, appHash: header.appHash };
  }

  /** Queries the nodes that claim to have a height, one after another, until one returns a result rather than a complaint. */
  async #ask<T extends object>(height: number, question: (node: ChainNode) => Promise<T | string>): Promise<T> {
    const { pool } = this.#parts;
    const complaints: string[] = [];
    for (const node of this.#candidates(height)) {
      try {
        const answer = await question(node);
        if (typeof answer !== 'string') {
          pool.showed(node, height);
          return answer;
        }
        if (!this.#learn(node, height, answer)) pool.didNotShow(node, height);
        complaints.push(`${shownNode(node.url)}: ${answer}`);
      } catch (error) {
        if (error instanceof BlockLie) pool.distrust(node, `asked for block ${height}: ${error.message}`);
        else if (!(error instanceof NodeFailure)) throw error;
        else if (error.kind === 'lost') pool.saidNothing(node);
        complaints.push(`${shownNode(node.url)}: ${error.message}`);
      }
    }
    throw this.#notAvailable(height, complaints);
  }

  /** Nodes to query, those whose answer about this block is in doubt last. */
  #candidates(height: number): ChainNode[] {
    const isDisputed = (node: ChainNode): boolean =>
      this.#disputed.some((block) => block.height === height && block.source === node.url);
    const nodes = this.#parts.pool.usable().filter((one) => one.height >= height && one.earliest <= height);
    return nodes.sort((a, b) => Number(isDisputed(a)) - Number(isDisputed(b)));
  }

  /** Reads the state of the node from its refusal. Returns false when the refusal does not explain the missing block. */
  #learn(node: ChainNode, height: number, answer: string): boolean {
    // It may have pruned since its last status.
    const lowest = PRUNED.exec(answer)?.[1];
    if (lowest !== undefined) {
      node.earliest = Number(lowest);
      node.unshown = undefined;
      return true;
    }
    const reached = TOO_HIGH.exec(answer)?.[1];
    if (reached === undefined) return false;
    this.#parts.pool.distrust(node, `it said that it has block ${height}, and says now that it stands at ${reached}`);
    node.height = Number(reached);
    return true;
  }

  #notAvailable(height: number, complaints: readonly string[]): BlockNotAvailable {
    const { nodes } = this.#parts.pool;
    const pruned = this.#parts.pool.usable().filter(({ earliest }) => earliest > height);
    const [first] = pruned.sort((a, b) => a.earliest - b.earliest);
    if (first !== undefined && pruned.length === nodes.length) {
      return new BlockPruned(
        `block ${height} is no longer on any node: ${shownNode(first.url)} has the lowest, from ${first.earliest} on`,
        first.earliest,
      );
    }
    const below = pruned.map(({ url, earliest }) => `${shownNode(url)}: it has no block below ${earliest}`);
    return new BlockNotAvailable(
      `no node that can be reached has block ${height} (${[...complaints, ...below].join('; ') || this.#parts.pool.troubles() || 'none is that far'})`,
    );
  }
}
