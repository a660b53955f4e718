import { ProblemError } from './ProblemError.ts';

/** The service does not accept the host name in the base URL. */
export class HostNotAllowedError extends ProblemError<'host_not_allowed'> {
  declare readonly name: 'HostNotAllowedError';
}
