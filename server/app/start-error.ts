/** A store, a key or the genesis does not fit the others: a sentence for the operator. @module */
import { ExplainedError } from './explained-error.ts';

export class StartError extends ExplainedError {
  override readonly name = 'StartError';
}
