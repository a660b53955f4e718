/** Error of a missing database, apart from the code that opens one: a command line reports it, and most commands open none. @module */

/** The database cannot be used now; it may be later. A sentence for the operator. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
}
