import { ProblemError } from './ProblemError.ts';

/** The process of the service that answered has not reached the block that this client has seen elsewhere. */
export class HeightNotReachedError extends ProblemError<'height_not_reached'> {
  declare readonly name: 'HeightNotReachedError';
}
