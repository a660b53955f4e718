/** Reads and decodes stored blocks. The last few are kept with the values computed from them: requests come in bunches about one block. */
import {
  decodeBlock,
  decodeCommit,
  MerkleTree,
  sha256,
  SHA256_BYTES,
  transactionAt,
  upperHex,
  type Block,
  type Commit,
  type MerkleProof,
} from '../../encoding/index.ts';
import type { Chain } from '../chain.ts';
import { codesOf, type Failure, resultAt, resultsOf, type StoredResult } from '../../results.ts';
import type { Executed, StoredBlock } from '../stores.ts';

/** Blocks kept; each takes at most a few megabytes with everything kept beside it. */
const BLOCKS_KEPT_MAX = 16;

const NO_BYTES = new Uint8Array(0);

export class ReadBlock {
  readonly stored: StoredBlock;
  readonly block: Block;
  #hashes: Buffer[] | undefined;
  #tree: MerkleTree | undefined;

  constructor(stored: StoredBlock) {
    this.stored = stored;
    this.block = decodeBlock(stored.bytes);
  }

  /** SHA-256 of a transaction, 64 upper-case hex digits. */
  hash(index: number): string {
    return upperHex(this.#hashes?.[index] ?? sha256(this.block.transactions[index] ?? NO_BYTES));
  }

  /** Position of the transaction with this hash, 64 upper-case hex digits; -1 when it is not in the block. */
  indexOf(hash: string): number {
    const wanted = Buffer.from(hash, 'hex');
    this.#hashes ??= this.block.transactions.map(sha256);
    return this.#hashes.findIndex((one) => one.equals(wanted));
  }

  /** Proof that the transaction at `index` is in the block. */
  proof(index: number): MerkleProof {
    this.#hashes ??= this.block.transactions.map(sha256);
    this.#tree ??= new MerkleTree(this.#hashes);
    return this.#tree.proof(index);
  }
}

export class BlockReader {
  readonly #chain: Pick<Chain, 'store' | 'tip'>;
  readonly #blocks = new Map<number, ReadBlock>();
  readonly #results = new Map<number, readonly StoredResult[]>();
  readonly #undecoded = new Map<number, { bytes: Uint8Array; failures: readonly Failure[] }>();

  constructor(chain: Pick<Chain, 'store' | 'tip'>) {
    this.#chain = chain;
  }

  /** Returns an executed block. The caller has checked that the height was executed. */
  block(height: number): ReadBlock {
    return this.#keep(this.#blocks, height, () => new ReadBlock(this.#stored(height)));
  }

  /** One transaction of an executed block with its result, without decoding the others; undefined when the block has fewer. */
  transaction(height: number, index: number): { raw: Uint8Array; result: StoredResult } | undefined {
    const { bytes, failures } = this.#keep(this.#undecoded, height, () => ({
      bytes: this.#stored(height).bytes,
      failures: this.#executed(height).failures,
    }));
    const raw = transactionAt(bytes, index);
    return raw && { raw, result: resultAt(raw, index, failures) };
  }

  /** The results of an executed block. */
  results(height: number): readonly StoredResult[] {
    return this.#keep(this.#results, height, () => this.resultsOnce(height));
  }

  /**
   * The same for a caller that reads one block after the other and none of them again, as an index does after a start: nothing of it is
   * kept. Most blocks that an index reads are empty: such a block is not decoded.
   */
  resultsOnce(height: number): readonly StoredResult[] {
    const stored = this.#stored(height);
    if (stored.transactionCount === 0) return [];
    return resultsOf(decodeBlock(stored.bytes).transactions, this.#executed(height).failures);
  }

  /** The code of each transaction of an executed block. */
  codes(height: number): readonly number[] {
    return codesOf(this.block(height).block.transactions.length, this.#executed(height).failures);
  }

  /** The application hash after an executed block. */
  appHash(height: number): Uint8Array {
    return this.#executed(height).appHash;
  }

  /** The commit of an executed block. */
  commit(height: number): Commit {
    const bytes = this.#chain.store.commit(height);
    if (bytes === undefined) throw new Error(`chain.db lost the commit of height ${height}`);
    return decodeCommit(bytes);
  }

  /** Height of the executed block with this hash. */
  heightOf(blockHash: Uint8Array): number | undefined {
    return this.#chain.store.heightOf(blockHash);
  }

  /** Position of an executed transaction. */
  locate(transactionHash: Uint8Array): { height: number; index: number } | undefined {
    if (transactionHash.length !== SHA256_BYTES) return undefined;
    for (const { height, index } of this.#chain.store.locate(transactionHash)) {
      const found = this.transaction(height, index);
      if (found !== undefined && sha256(found.raw).equals(transactionHash)) return { height, index };
    }
    return undefined;
  }

  #stored(height: number): StoredBlock {
    const stored = this.#chain.store.block(height);
    if (stored === undefined) throw new Error(`chain.db lost block ${height}`);
    return stored;
  }

  #executed(height: number): Executed {
    const executed = this.#chain.store.executed(height);
    if (executed === undefined) throw new Error(`chain.db lost the results of height ${height}`);
    return executed;
  }

  #keep<T>(kept: Map<number, T>, height: number, load: () => T): T {
    const found = kept.get(height) ?? load();
    // The least recently used is the first in the map.
    kept.delete(height);
    kept.set(height, found);
    for (const oldest of kept.keys()) {
      if (kept.size <= BLOCKS_KEPT_MAX) break;
      kept.delete(oldest);
    }
    return found;
  }
}
