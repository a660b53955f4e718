import { ProblemError } from './ProblemError.ts';

/** The service cannot answer in a form that the request accepts. */
export class NotAcceptableError extends ProblemError<'not_acceptable'> {
  override readonly name = 'NotAcceptableError' as const;
}
