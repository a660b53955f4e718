/** Statements: the entries of every account, in chain order, from a file that is made from the blocks. */
export { BlocksLost, type StatementBlock, type StatementSource } from './statement-source.ts';
export { damagedMarker } from './statement-file.ts';
export { StatementIndex, type StatementIndexOptions } from './statement-index.ts';
export { type AccountAt, type EntryRange, type StatementEntry, StatementReader } from './statement-reader.ts';
