/** Which failures of the store are worth another attempt. */
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../store/errors.ts';

/** The store was away or somebody else was faster: what was asked may be asked again, whether or not it was done. */
export function worthRetrying(error: unknown): boolean {
  if (error instanceof StoreOutcomeUnknownError) return error.rereadable;
  return error instanceof StoreUnavailableError || error instanceof StoreConflictError;
}
