/** Error of a missing database, in a file of its own: every command reports it, but most open no database. @module */

/** The database cannot be used now; it may be later. A sentence for the operator. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
}
