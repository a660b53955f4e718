/** That there is no database now, apart from what opens one: a command line tells it, and most commands open none. @module */

/** The database cannot be used now; it may be later. A sentence for the operator. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
}
