/** Sorts SQLite's error codes into the three ways in which a write can fail. */
import { SqliteError } from '../sqlite/library.ts';
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../errors.ts';

/** An error from a statement before the commit: whatever it was, the transaction is rolled back. */
export function statementFailure(error: unknown): unknown {
  if (!(error instanceof SqliteError)) return error;
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return new StoreConflictError(error.message, { cause: error });
  }
  if (error.code.startsWith('SQLITE_CONSTRAINT') || error.code === 'SQLITE_ERROR') return error;
  return new StoreUnavailableError(error.message, { cause: error });
}

/**
 * An error from COMMIT. Busy and full are raised before the frame that makes the transaction valid is complete, so
 * nothing of it can come back; after any other error (a failed write or fsync) the frame may or may not survive.
 */
export function commitFailure(error: unknown): Error {
  if (error instanceof SqliteError && (error.code.startsWith('SQLITE_BUSY') || error.code === 'SQLITE_FULL')) {
    return new StoreUnavailableError(error.message, { cause: error });
  }
  return new StoreOutcomeUnknownError('the outcome of a database commit is unknown', { cause: error });
}
