import { ProblemError } from './ProblemError.ts';

/** A fault of the service; its log has an entry with the `requestId`. */
export class InternalError extends ProblemError<'internal'> {
  declare readonly name: 'InternalError';
}
