import { ProblemError } from './ProblemError.ts';

/** The receiver has no account yet, and the amount is smaller than the first one that an account of this chain receives. */
export class BelowOpeningMinimumError extends ProblemError<'below_opening_minimum'> {
  declare readonly name: 'BelowOpeningMinimumError';
}
