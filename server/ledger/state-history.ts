/** Undo records of the last blocks, for queries and proofs of earlier states. Nothing here is consensus; it is lost with the process. */
import type { VersionUndo } from './state-version.ts';

/** Blocks that can be undone at most. */
export const VERSIONS_KEPT_MAX = 100;
/** Memory that undo records may take together; the state of one block ago is kept in any case. */
export const HISTORY_BYTES_MAX = 64 * 1024 * 1024;

/** Rough memory of one account's row as it was, in bytes. */
const ROW_BYTES_ESTIMATE = 300;

function bytesOf({ accounts, accountTree, governanceTree }: VersionUndo): number {
  return accounts.size * ROW_BYTES_ESTIMATE + accountTree.bytes + governanceTree.bytes;
}

export class StateHistory {
  readonly #versionsMax: number;
  readonly #bytesMax: number;
  /** Oldest first. */
  readonly #undos: { undo: VersionUndo; bytes: number }[] = [];
  #bytes = 0;

  constructor(versionsMax = VERSIONS_KEPT_MAX, bytesMax = HISTORY_BYTES_MAX) {
    this.#versionsMax = versionsMax;
    this.#bytesMax = bytesMax;
  }

  /** Number of blocks that can be undone. */
  get length(): number {
    return this.#undos.length;
  }

  push(undo: VersionUndo): void {
    const bytes = bytesOf(undo);
    this.#undos.push({ undo, bytes });
    this.#bytes += bytes;
    while (this.#undos.length > this.#versionsMax || (this.#bytes > this.#bytesMax && this.#undos.length > 1)) {
      this.#bytes -= this.#undos.shift()?.bytes ?? 0;
    }
  }

  /** Undo records of the last `blocks` blocks, oldest first; undefined when not that many are kept. */
  last(blocks: number): VersionUndo[] | undefined {
    if (!Number.isInteger(blocks) || blocks < 0 || blocks > this.#undos.length) return undefined;
    return this.#undos.slice(this.#undos.length - blocks).map(({ undo }) => undo);
  }
}
