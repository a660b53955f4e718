/**
 * Takes a snapshot of the committed state every `intervalBlocks` blocks, a slice at a time between blocks.
 *
 * It reads from a view of the database that stays at its height while later blocks are committed, so execution never waits for it. A
 * snapshot that fails (a full disk) is abandoned with a warning: it serves other nodes, and the chain does not depend on it.
 */
import type { Logger } from '../../ports.ts';
import { accountLine, ChunkWriter, headLine } from './snapshot-format.ts';
import type { SnapshotStore, StateReader } from './store.ts';

/** Snapshots kept: a node has until this many newer ones are taken to fetch one. */
export const SNAPSHOTS_KEPT = 3;
/** Accounts of one slice; about 5 ms. */
const SLICE_ACCOUNTS = 1_000;

export interface SnapshotTakerParts {
  readonly snapshots: SnapshotStore;
  /** Blocks between two snapshots; 0 takes none. */
  readonly intervalBlocks: number;
  /** Opens a view of the state that is committed now. */
  readonly reader: () => StateReader | undefined;
  /** Runs a function in a later turn of the event loop. */
  readonly later: (fn: () => void) => void;
  readonly logger: Logger;
  /** For tests; the format's own default otherwise. */
  readonly chunkBytesMax?: number;
}

export class SnapshotTaker {
  readonly #parts: SnapshotTakerParts;
  #reader: StateReader | undefined;
  #closed = false;

  constructor(parts: SnapshotTakerParts) {
    this.#parts = parts;
  }

  /** Starts a snapshot when one is due. While one is being taken, the next one is left out. */
  committed(height: number): void {
    const { intervalBlocks, reader } = this.#parts;
    if (this.#closed || intervalBlocks === 0 || height % intervalBlocks !== 0 || this.#reader) return;
    this.#reader = reader();
    if (!this.#reader) return;
    const { chain, governance } = this.#reader;
    const writer = new ChunkWriter(this.#parts.chunkBytesMax);
    writer.add(headLine({ ...chain, height, governance }));
    this.#slice(this.#reader, writer, { leaf: 0, chunks: 0 });
  }

  /** Abandons the snapshot in progress. */
  close(): void {
    this.#closed = true;
    this.#done();
  }

  #slice(reader: StateReader, writer: ChunkWriter, at: { leaf: number; chunks: number }): void {
    this.#parts.later(() => {
      if (this.#closed) return;
      try {
        this.#run(reader, writer, at);
      } catch (error) {
        this.#parts.logger.warn({ err: error, height: reader.height }, 'a snapshot could not be taken and is given up');
        this.#done();
      }
    });
  }

  #run(reader: StateReader, writer: ChunkWriter, at: { leaf: number; chunks: number }): void {
    const { snapshots, logger } = this.#parts;
    const { height } = reader;
    const rows = reader.page(at.leaf, SLICE_ACCOUNTS);
    let { chunks } = at;
    for (const { address, account } of rows) {
      const chunk = writer.add(accountLine(address, account));
      if (chunk) snapshots.putChunk(height, chunks++, chunk);
    }
    if (rows.length === SLICE_ACCOUNTS) {
      this.#slice(reader, writer, { leaf: at.leaf + rows.length, chunks });
      return;
    }
    snapshots.putChunk(height, chunks, writer.end());
    const info = writer.info(height);
    snapshots.finish(info, SNAPSHOTS_KEPT);
    logger.info({ height, chunks: info.chunks }, 'took a snapshot');
    this.#done();
  }

  #done(): void {
    this.#reader?.close();
    this.#reader = undefined;
  }
}
