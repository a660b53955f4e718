/** A store, a key or the genesis does not match the others: a sentence for the operator. @module */
import { ExplainedError } from './explained-error.ts';

export class StartError extends ExplainedError {
  override readonly name = 'StartError';
}

/** The disk is full. Unlike the other errors of a start it may end without a change by the operator, when others free the disk. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
}
