/**
 * A block with its results from a node or its application, verified as far as it can be recomputed: the header's hash is the block's id;
 * the hashes of transactions, evidence and last commit are those in the header; chain and height are the requested ones. The trusted chain
 * checks that validators signed it (../trust). What only other blocks can prove (that it follows its parent, and that the results are those
 * that the next header commits to) is checked with `follows` and `isConfirmedBy`.
 */
import type { LedgerEvent, Misbehavior } from '../../../ledger/index.ts';
import {
  commitHash,
  headerHash,
  merkleRoot,
  MerkleTree,
  resultsHash,
  resultsTree,
  sha256,
  upperHex,
  type BlockId,
  type DeterministicResult,
  type Header,
  type MerkleProof,
} from '../../encoding/index.ts';
import type { BlockCodes } from '../block-codes.ts';
import { commitOfJson } from '../trust/commit-json.ts';
import type { KnownHeader } from '../trust/trusted-chain.ts';
import { type BlockResultsJson, blockResultsOf, type TxResultJson } from './block-results-json.ts';
import { evidenceOfJson } from './evidence-json.ts';
import { BlockLie, blockIdOf, demand, headerOfJson } from './header-json.ts';

/** Result of `block` (rpc/core/types/responses.go, v0.38), as far as it is read. */
export interface BlockJson {
  block_id: { hash: string; parts: { total: number; hash: string } };
  block: {
    header: Record<string, unknown>;
    data: { txs: string[] | null };
    evidence?: { evidence?: unknown[] | null };
    last_commit: unknown;
  };
}

const NO_BYTES = new Uint8Array(0);

/** Checks fields that no hash covers: an index and subscribers must at least be able to read them. */
function isResult({ code, log, codespace, events }: TxResultJson): boolean {
  const isText = (value: unknown) => typeof value === 'string';
  const isEvent = ({ type, attributes }: LedgerEvent) =>
    isText(type) && attributes.every(({ key, value }) => isText(key) && isText(value));
  return typeof code === 'number' && isText(log) && isText(codespace) && (events ?? []).every(isEvent);
}

/** The part of a result that the next header commits to. */
function deterministic({ code, data, gas_wanted: wanted, gas_used: used }: TxResultJson): DeterministicResult {
  return {
    code,
    data: data === null ? NO_BYTES : Buffer.from(data, 'base64'),
    gasWanted: BigInt(wanted),
    gasUsed: BigInt(used),
  };
}

export interface AskedBlock {
  chainId: string;
  height: number;
  /** The node that answers. */
  source: string;
}

/** A block's results as received: the application's codes, or the node's `block_results`, which is still to be read. */
export type ToldResults = { readonly codes: BlockCodes } | { readonly blockResults: unknown };

export class VerifiedBlock {
  readonly header: Header;
  readonly id: BlockId;
  /** Upper-case hex; '' for the parent of the first block. */
  readonly hash: string;
  readonly parentHash: string;
  readonly transactions: readonly Uint8Array[];
  readonly transactionHashes: readonly Uint8Array[];
  readonly results: readonly TxResultJson[];
  /** Misbehavior in its evidence, in order. */
  readonly misbehavior: readonly Misbehavior[];
  /** Application hash after this block. */
  readonly appHash: Uint8Array;
  /** Bytes of all transactions. */
  readonly bytes: number;
  readonly block: BlockJson;
  readonly blockResults: BlockResultsJson;
  /** The node that answered it. */
  readonly source: string;
  readonly #resultsHash: Uint8Array;
  #tree: MerkleTree | undefined;
  #resultsTree: MerkleTree | undefined;

  /** Throws BlockLie when the answers contradict each other or are not the requested block. */
  static read(asked: AskedBlock, blockResult: unknown, told: ToldResults): VerifiedBlock {
    try {
      return new VerifiedBlock(asked, blockResult, told);
    } catch (error) {
      // A field that is missing or of another type is a fault of the node, not a defect of this program.
      throw error instanceof BlockLie ? error : new BlockLie(`it cannot be read: ${(error as Error).message}`);
    }
  }

  private constructor(asked: AskedBlock, blockResult: unknown, told: ToldResults) {
    this.source = asked.source;
    this.block = blockResult as BlockJson;
    const { block_id: id, block } = this.block;
    demand(typeof block === 'object' && block !== null && typeof id === 'object', 'there is no block in the answer');
    this.header = headerOfJson(block.header);
    demand(this.header.chainId === asked.chainId, `it is a block of chain ${this.header.chainId}`);
    demand(this.header.height === asked.height, `it is block ${this.header.height}`);
    this.hash = upperHex(headerHash(this.header));
    this.id = blockIdOf(id, 'block_id');
    demand(upperHex(this.id.hash) === this.hash, 'the hash of the header is not that of the block id');
    this.parentHash = upperHex(this.header.lastBlockId.hash);
    const txs = block.data?.txs ?? [];
    demand(Array.isArray(txs) && txs.every((tx) => typeof tx === 'string'), 'the transactions are no list of texts');
    this.transactions = txs.map((tx) => Buffer.from(tx, 'base64'));
    this.transactionHashes = this.transactions.map(sha256);
    demand(
      Buffer.from(merkleRoot(this.transactionHashes)).equals(this.header.dataHash),
      'the transactions are not those that the header commits to',
    );
    const last = commitOfJson(block.last_commit);
    demand(
      upperHex(commitHash(last)) === upperHex(this.header.lastCommitHash),
      'the last commit is not the one that the header commits to',
    );
    demand(
      last.height === asked.height - 1 && upperHex(last.blockId.hash) === this.parentHash,
      'the last commit is of another block than the parent',
    );
    const evidence = block.evidence?.evidence ?? [];
    demand(Array.isArray(evidence), 'the evidence is no list');
    const read = evidence.map(evidenceOfJson);
    demand(
      Buffer.from(merkleRoot(read.map(({ bytes }) => bytes))).equals(this.header.evidenceHash),
      'the evidence is not that which the header commits to',
    );
    this.misbehavior = read.flatMap(({ misbehavior }) => misbehavior);
    this.bytes = this.transactions.reduce((sum, raw) => sum + raw.length, 0);
    this.blockResults =
      'codes' in told ? blockResultsOf(told.codes, this.transactions) : (told.blockResults as BlockResultsJson);
    const { height, txs_results: results, app_hash: appHash } = this.blockResults ?? {};
    demand(height === String(asked.height), 'the results are those of another block');
    this.results = results ?? [];
    demand(
      Array.isArray(this.results) && this.results.length === this.transactions.length,
      `there are ${this.results.length} results of ${this.transactions.length} transactions`,
    );
    for (const result of this.results) demand(isResult(result), 'a result is none');
    this.appHash = Buffer.from(appHash ?? '', 'base64');
    this.#resultsHash = resultsHash(this.results.map(deterministic));
  }

  get height(): number {
    return this.header.height;
  }

  /** Events of each transaction. */
  get events(): readonly (readonly LedgerEvent[])[] {
    return this.results.map(({ events }) => events ?? []);
  }

  /** The results as far as the next header commits to them. */
  get deterministicResults(): readonly DeterministicResult[] {
    return this.results.map(deterministic);
  }

  /** Proof that the result at `index` is among those of the block. */
  resultProof(index: number): MerkleProof {
    this.#resultsTree ??= resultsTree(this.deterministicResults);
    return this.#resultsTree.proof(index);
  }

  /** True when the other block is the one before this. */
  follows(parent: { hash: string; height: number }): boolean {
    return this.height === parent.height + 1 && this.parentHash === parent.hash;
  }

  /** True when the header after this one commits to these results and this application hash. */
  isConfirmedBy(next: Pick<KnownHeader, 'lastResultsHash' | 'appHash'>): boolean {
    return (
      Buffer.from(this.#resultsHash).equals(next.lastResultsHash) && Buffer.from(this.appHash).equals(next.appHash)
    );
  }

  /** Proof that the transaction at `index` is in the block. */
  proof(index: number): MerkleProof {
    this.#tree ??= new MerkleTree(this.transactionHashes);
    return this.#tree.proof(index);
  }
}
