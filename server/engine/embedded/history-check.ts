/**
 * Checks that the blocks that were executed before this start are still the ones that were signed: from the tip, whose commit is verified,
 * each block names the hash of the one before it.
 *
 * They are not executed again, so nothing of them can move money here; but others read them. The newest are checked before the first new
 * block is made, all others in the background, a slice at a time.
 */
import { blockId, dataHash, decodeBlock, type Block } from '../encoding/index.ts';
import { EngineStartError } from '../start-error.ts';
import type { ChainStore, StoredBlock } from './stores.ts';

/** Bytes checked at the start: a full block or two, or an hour and a half of an idle chain; 20 to 50 ms. */
export const AT_START_BYTES = 2 * 1024 * 1024;
export const AT_START_BLOCKS = 100;
/** Bytes checked in one background slice: a few milliseconds, or a single block. */
export const SLICE_BYTES = 64 * 1024;
export const SLICE_BLOCKS = 50;

/** Reads a stored block, whose bytes must give the id under which it is stored. */
export function readBlock(store: ChainStore, height: number): { stored: StoredBlock; block: Block } {
  const stored = store.block(height);
  if (stored === undefined) throw new EngineStartError(`chain.db is damaged: there is no block ${height}`);
  let block: Block;
  try {
    block = decodeBlock(stored.bytes);
  } catch (error) {
    throw new EngineStartError(`chain.db is damaged: block ${height} is unreadable (${(error as Error).message})`);
  }
  const id = blockId(block.header, stored.bytes);
  const isWhole =
    block.header.height === height &&
    sameBytes(id.hash, stored.id.hash) &&
    sameBytes(id.parts.hash, stored.id.parts.hash) &&
    sameBytes(dataHash(block.transactions), block.header.dataHash);
  if (!isWhole)
    throw new EngineStartError(
      `chain.db is damaged: the bytes of block ${height} do not give its hash. Put a backup of chain.db back`,
    );
  if (block.header.timeNs !== stored.timeNs)
    throw new EngineStartError(
      `chain.db is damaged: block ${height}: its row says another time (${stored.timeNs} ns) than its header (${block.header.timeNs} ns). Put a backup of chain.db back`,
    );
  return { stored, block };
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

export class HistoryCheck {
  readonly #store: ChainStore;
  #height: number;
  #hash: Uint8Array;

  /** `tip`: the last block, verified by its commit. */
  constructor(store: ChainStore, tip: { height: number; hash: Uint8Array }) {
    this.#store = store;
    this.#height = tip.height;
    this.#hash = tip.hash;
  }

  get done(): boolean {
    return this.#height === 0;
  }

  /** Goes back until so many bytes or blocks were read. Throws EngineStartError at a block that is not the one that the next names. */
  check(bytesMax: number, blocksMax: number): void {
    let bytes = 0;
    for (let count = 0; count < blocksMax && bytes < bytesMax && !this.done; count++) {
      const { stored, block } = readBlock(this.#store, this.#height);
      if (!sameBytes(stored.id.hash, this.#hash)) {
        throw new EngineStartError(
          `chain.db is damaged: block ${this.#height} is not the one that block ${this.#height + 1} follows. Put a backup of chain.db back`,
        );
      }
      bytes += stored.bytes.length;
      this.#hash = block.header.lastBlockId.hash;
      this.#height -= 1;
    }
  }
}
