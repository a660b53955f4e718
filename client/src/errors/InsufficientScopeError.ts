import { ProblemError } from './ProblemError.ts';

/** The token is valid but lacks the scope that the operation needs. */
export class InsufficientScopeError extends ProblemError<'insufficient_scope'> {
  declare readonly name: 'InsufficientScopeError';
}
