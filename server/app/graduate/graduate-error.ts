/** Why a chain cannot be carried on elsewhere: a sentence for the operator. @module */
import { ExplainedError } from '../explained-error.ts';

export class GraduateError extends ExplainedError {
  override readonly name = 'GraduateError';
}
