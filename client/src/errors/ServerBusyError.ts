import { ProblemError } from './ProblemError.ts';

/** The service has too many open connections, or too many bytes of answers that are not read yet. */
export class ServerBusyError extends ProblemError<'server_busy'> {
  declare readonly name: 'ServerBusyError';
}
