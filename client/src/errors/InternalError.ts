import { ProblemError } from './ProblemError.ts';

/** A fault of the service; it is in its log under `requestId`. */
export class InternalError extends ProblemError<'internal'> {
  declare readonly name: 'InternalError';
}
