import { ProblemError } from './ProblemError.ts';

/** The service does not have this method at this path: the base URL may be that of another service. */
export class MethodNotAllowedError extends ProblemError<'method_not_allowed'> {
  declare readonly name: 'MethodNotAllowedError';
}
