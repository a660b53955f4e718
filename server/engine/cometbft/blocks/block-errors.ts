/** Errors of a block that cannot be read. */

/** No node that answers has the block; a node that does not answer may have it. */
export class BlockNotAvailable extends Error {
  override readonly name: string = 'BlockNotAvailable';
}

/** No node has the block any longer: all have pruned it. */
export class BlockPruned extends BlockNotAvailable {
  override readonly name = 'BlockPruned';
  /** The lowest height that a node still has. */
  readonly lowest: number;

  constructor(message: string, lowest: number) {
    super(message);
    this.lowest = lowest;
  }
}

/** All nodes agree on another chain than the one that was followed so far. */
export class ChainReplaced extends BlockNotAvailable {
  override readonly name = 'ChainReplaced';
}
