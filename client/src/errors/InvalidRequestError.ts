import { ProblemError } from './ProblemError.ts';

/** The request does not fit the contract; `errors` names each place. */
export class InvalidRequestError extends ProblemError<'invalid_request'> {
  declare readonly name: 'InvalidRequestError';
}
