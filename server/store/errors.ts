/**
 * The three ways in which a write can fail, told apart because each asks for something else: try later, read again, or stop.
 */

/** Nothing was written and the caller knows it: the disk is full, the database is busy or away. Worth trying again. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** A unique index held another writer's row. Nothing was written; read again and answer from the winner. */
export class StoreConflictError extends Error {
  override readonly name = 'StoreConflictError';
}

/**
 * The commit itself failed in a way that leaves open whether it is on the disk. Whoever goes on from here may
 * acknowledge or forget the wrong thing, so the process must end and read its state from the disk again.
 */
export class StoreOutcomeUnknownError extends Error {
  override readonly name = 'StoreOutcomeUnknownError';
}
