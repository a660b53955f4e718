import { ProblemError } from './ProblemError.ts';

/** The path has no such method: the base URL may be that of another service. */
export class MethodNotAllowedError extends ProblemError<'method_not_allowed'> {
  declare readonly name: 'MethodNotAllowedError';
}
