/** The blocks that statements are made from. */

export interface StatementBlock {
  height: number;
  /** Of the header. */
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
  /** An executed block. A source that has to ask for it promises it; when that fails, it is asked again later. */
  block(height: number): StatementBlock | Promise<StatementBlock>;
  /**
   * Whether the codes of the last block are what the chain commits to. Where they are not yet, a block whose codes the ledger does not give is
   * asked for again once there is another one behind it.
   */
  readonly isCertain: boolean;
}

/** What a source rejects with when it will never have the block. */
export class BlocksLost extends Error {
  override readonly name = 'BlocksLost';
}
