/** CometBFT v0.38 block encoding: bytes, hashes, sign bytes and proofs, each by its own file. Pure functions of their arguments. */
export * from './block.ts';
export * from './commit.ts';
export * from './consensus-params.ts';
export * from './header.ts';
export * from './merkle.ts';
export * from './part-set.ts';
export * from './results.ts';
export * from './sha256.ts';
export * from './time.ts';
export * from './transaction-at.ts';
export * from './transactions.ts';
export * from './types.ts';
export * from './validators.ts';
export * from './version.ts';
export * from './vote.ts';
