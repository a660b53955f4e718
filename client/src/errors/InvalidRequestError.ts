import { ProblemError } from './ProblemError.ts';

/** The request does not fit the contract; `errors` names each place. */
export class InvalidRequestError extends ProblemError<'invalid_request'> {
  override readonly name = 'InvalidRequestError' as const;
}
