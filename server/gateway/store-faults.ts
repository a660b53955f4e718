/** Which failures of the store are worth another attempt, and what a caller hears of them. */
import type { Logger } from '../engine/ports.ts';
import { StoreConflictError, StoreOutcomeUnknownError, StoreUnavailableError } from '../store/errors.ts';
import { RETRY_AFTER_S } from './limits.ts';
import { refuse } from './refusals.ts';
import type { Refusal } from './types.ts';

/** The store was away or somebody else was faster: what was asked may be asked again, whether or not it was done. */
export function worthRetrying(error: unknown): boolean {
  if (error instanceof StoreOutcomeUnknownError) return error.rereadable;
  return error instanceof StoreUnavailableError || error instanceof StoreConflictError;
}

/** Tells the log and the caller. Throws what is no failure of the store, and what no other attempt would mend. */
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

/** Runs what asks the store; a store that is away is an answer. */
export async function answeringStoreFaults<T>(work: () => Promise<T>, logger: Logger): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    return refuseStoreFault(error, logger);
  }
}
