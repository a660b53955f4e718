/** Sorts SQLite's error codes into the three ways in which a write can fail. */
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../errors.ts';
import { sqliteCode } from './library.ts';

/** Any error from a statement before the commit: the transaction is rolled back. */
export function statementFailure(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return new StoreConflictError(code, { cause: error });
  // A broken rule of the schema or a wrong statement is a defect, and another attempt would not resolve it.
  if (code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_ERROR') return error;
  return new StoreUnavailableError(code, { cause: error });
}

/**
 * An error from COMMIT. Busy and full are raised before the frame that makes the transaction valid is complete, so
 * nothing of it can come back; after any other error (a failed write or fsync) the frame may or may not survive.
 */
export function commitFailure(error: unknown): Error {
  const code = sqliteCode(error);
  if (code !== undefined && (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_FULL'))
    return new StoreUnavailableError(code, { cause: error });
  return new StoreOutcomeUnknownError('the outcome of a database commit is unknown', {
    cause: error,
    rereadable: false,
  });
}
