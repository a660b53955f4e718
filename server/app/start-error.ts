/** A store, a key or the genesis does not fit the others: a sentence for the operator. @module */
import { ExplainedError } from './explained-error.ts';

export class StartError extends ExplainedError {
  override readonly name = 'StartError';
}

/** There is no room to write. Unlike the other errors of a start it can be over without a change: others free the disk. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}
