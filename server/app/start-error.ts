/** A store, a key or the genesis does not fit the others: a sentence for the operator. @module */
export class StartError extends Error {
  override readonly name = 'StartError';
}
