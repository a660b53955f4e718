import { ProblemError } from './ProblemError.ts';

/** The gateway that answered has not reached the block that another gateway has shown to this client. */
export class HeightNotReachedError extends ProblemError<'height_not_reached'> {
  declare readonly name: 'HeightNotReachedError';
}
