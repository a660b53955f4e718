/** The blocks that statements are made from. */

export interface StatementBlock {
  height: number;
  /** Hash of the header. */
  hash: Uint8Array;
  /** Header time, nanoseconds since the Unix epoch. */
  timeNs: bigint;
  transactions: readonly Uint8Array[];
  /** The code of each transaction. */
  codes: readonly number[];
}

export interface StatementSource {
  /** The last executed block; undefined while that is not known. */
  height(): number | undefined;
  /** An executed block, or a promise of it where the source has to fetch it; when that fails, it is requested again later. */
  block(height: number): StatementBlock | Promise<StatementBlock>;
  /**
   * True when the codes of the last block are those that the chain commits to. Otherwise a block whose codes differ from the ledger's is
   * requested again once there is another block after it.
   */
  readonly isCertain: boolean;
}

/** Rejection of a source that will never have the block. */
export class BlocksLost extends Error {
  override readonly name = 'BlocksLost';
}
