/** Error of a chain that cannot be continued elsewhere: a sentence for the operator. @module */
import { ExplainedError } from '../explained-error.ts';

export class GraduateError extends ExplainedError {
  override readonly name = 'GraduateError';
}
