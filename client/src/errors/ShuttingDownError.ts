import { ProblemError } from './ProblemError.ts';

/** The service is shutting down and accepts no new requests. */
export class ShuttingDownError extends ProblemError<'shutting_down'> {
  declare readonly name: 'ShuttingDownError';
}
