import { ProblemError } from './ProblemError.ts';

/** Too many connections are open, or too many bytes of answers wait to be read. */
export class ServerBusyError extends ProblemError<'server_busy'> {
  declare readonly name: 'ServerBusyError';
}
