/**
 * The bytes of a snapshot, format 2: lines of JSON, cut into chunks at line ends.
 *
 * The first line holds height, chain and governance record; every further line is an account, in leaf order. The same state gives the same
 * bytes on every node, so that chunks may come from any of them. `metadata` is the SHA-256 of each chunk, one after another, and `hash` is
 * the SHA-256 of that: a node that fetches can check every chunk on its own.
 */
import {
  type Account,
  ADDRESS_PATTERN,
  CHAIN_ID_PATTERN,
  type ChainContext,
  type GovernanceState,
  isAddressPrefix,
} from '../../../ledger/index.ts';
import { sha256 } from '../../encoding/index.ts';
import { isCount, readGovernance } from './snapshot-governance.ts';
import type { SnapshotInfo } from './store.ts';

export const SNAPSHOT_FORMAT = 2;
/** CometBFT refuses chunks above 16 MiB. */
export const CHUNK_BYTES_MAX = 2 * 1024 * 1024;
/** About 80 million accounts, and 8 GiB on disk while a snapshot is fetched; keeps the metadata (128 KiB) far below CometBFT's 4 MiB. */
export const CHUNKS_MAX = 4096;

const HASH_BYTES = 32;
const BALANCE_PATTERN = /^(?:0|[1-9][0-9]{0,38})$/;
const VOIDS_PATTERN = /^(?:|[1-9a-f][0-9a-f]{0,255})$/;

export interface SnapshotHead extends ChainContext {
  readonly height: number;
  readonly governance: GovernanceState;
}

/** Cuts lines into chunks. */
export class ChunkWriter {
  readonly #chunkBytesMax: number;
  #lines: string[] = [];
  #bytes = 0;
  readonly #hashes: Uint8Array[] = [];

  constructor(chunkBytesMax = CHUNK_BYTES_MAX) {
    this.#chunkBytesMax = chunkBytesMax;
  }

  /** Adds a line, and returns the chunk that it completes, if any. */
  add(line: string): Buffer | undefined {
    const full = this.#bytes > 0 && this.#bytes + line.length + 1 > this.#chunkBytesMax;
    const chunk = full ? this.#cut() : undefined;
    this.#lines.push(line);
    this.#bytes += line.length + 1;
    return chunk;
  }

  /** The last chunk. */
  end(): Buffer {
    return this.#cut();
  }

  /** The description of the whole snapshot, once every line was added. */
  info(height: number): SnapshotInfo {
    const metadata = Buffer.concat(this.#hashes);
    return { height, format: SNAPSHOT_FORMAT, chunks: this.#hashes.length, hash: sha256(metadata), metadata };
  }

  #cut(): Buffer {
    // Every line is ASCII, so its length is its bytes.
    const chunk = Buffer.from(this.#lines.map((line) => `${line}\n`).join(''), 'latin1');
    this.#hashes.push(sha256(chunk));
    this.#lines = [];
    this.#bytes = 0;
    return chunk;
  }
}

export function headLine({ chainId, addressPrefix, height, governance }: SnapshotHead): string {
  return JSON.stringify({ chainId, addressPrefix, height, governance });
}

export function accountLine(address: string, { balance, nonce, voids }: Account): string {
  return JSON.stringify([address, balance.toString(), nonce, voids === 0n ? '' : voids.toString(16)]);
}

/** Returns why a snapshot cannot be one of this format, from its offer alone; undefined when it can. */
export function offerFault({ chunks, hash, metadata, height }: SnapshotInfo): string | undefined {
  if (height < 1) return 'it is of no block';
  if (chunks < 1 || chunks > CHUNKS_MAX) return `it has ${chunks} chunks, 1 to ${CHUNKS_MAX} are read`;
  if (metadata.length !== chunks * HASH_BYTES) return 'its metadata are not one hash for each chunk';
  return Buffer.compare(sha256(metadata), hash) === 0 ? undefined : 'its hash is not that of its metadata';
}

/** True when a chunk has the hash that the metadata give for it. */
export function isChunk(metadata: Uint8Array, index: number, chunk: Uint8Array): boolean {
  return Buffer.compare(sha256(chunk), metadata.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)) === 0;
}

/** The lines of a chunk; undefined when it does not end at the end of a line or is too large. */
export function chunkLines(chunk: Uint8Array): string[] | undefined {
  if (chunk.length > CHUNK_BYTES_MAX) return undefined;
  const lines = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1').split('\n');
  return lines.pop() === '' ? lines : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function readHead(line: string | undefined): SnapshotHead | undefined {
  const head = (parse(line ?? '') ?? {}) as Record<string, unknown>;
  const { chainId, addressPrefix, height } = head;
  if (typeof chainId !== 'string' || !CHAIN_ID_PATTERN.test(chainId) || !isAddressPrefix(addressPrefix))
    return undefined;
  const governance = readGovernance(head['governance'], addressPrefix);
  return isCount(height) && governance !== undefined ? { chainId, addressPrefix, height, governance } : undefined;
}

export function readAccount(line: string): { address: string; account: Account } | undefined {
  const fields = parse(line);
  if (!Array.isArray(fields) || fields.length !== 4) return undefined;
  const [address, balance, nonce, voids] = fields as unknown[];
  if (typeof address !== 'string' || !ADDRESS_PATTERN.test(address)) return undefined;
  if (typeof balance !== 'string' || !BALANCE_PATTERN.test(balance) || !isCount(nonce)) return undefined;
  if (typeof voids !== 'string' || !VOIDS_PATTERN.test(voids)) return undefined;
  return { address, account: { balance: BigInt(balance), nonce, voids: voids === '' ? 0n : BigInt(`0x${voids}`) } };
}
