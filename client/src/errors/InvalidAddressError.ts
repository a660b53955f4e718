import { ProblemError } from './ProblemError.ts';

/** An address is not one of this chain; `errors` says which and why. */
export class InvalidAddressError extends ProblemError<'invalid_address'> {
  declare readonly name: 'InvalidAddressError';
}
