/** Failures of the store: which of them are worth another attempt, and the answers to callers. */
import type { Logger } from '../engine/ports.ts';
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../store/errors.ts';
import { RETRY_AFTER_S } from './limits.ts';
import { refuse } from './refusals.ts';
import type { Refusal } from './types.ts';

/** The store was unavailable or another writer was faster: the request may be repeated, whether or not it was carried out. */
export function worthRetrying(error: unknown): boolean {
  if (error instanceof StoreOutcomeUnknownError) return error.rereadable;
  return error instanceof StoreUnavailableError || error instanceof StoreConflictError;
}

/**
 * Logs the failure and makes the answer to the caller. Throws an error that is not a failure of the store, or that no other attempt would
 * resolve.
 */
export function refuseStoreFault(error: unknown, logger: Logger): Refusal {
  if (!worthRetrying(error)) throw error;
  logger.error({ err: error }, 'the store did not answer');
  if (error instanceof StoreOutcomeUnknownError) {
    return refuse(
      'store_unavailable',
      'It is not known whether this was stored. Send the same request again: no operation takes effect twice.',
      { retryAfterS: RETRY_AFTER_S },
    );
  }
  return refuse(
    'store_unavailable',
    'The store did not answer. Wait as long as Retry-After says, then send the request again.',
    { retryAfterS: RETRY_AFTER_S },
  );
}

/** Runs a call of the store; an unavailable store becomes a refusal. */
export async function answeringStoreFaults<T>(work: () => Promise<T>, logger: Logger): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    return refuseStoreFault(error, logger);
  }
}
