import { ProblemError } from './ProblemError.ts';

/** The service is being stopped and takes no new requests. */
export class ShuttingDownError extends ProblemError<'shutting_down'> {
  declare readonly name: 'ShuttingDownError';
}
