import { ProblemError } from './ProblemError.ts';

/** The chain behind the service is out of reach. */
export class EngineUnavailableError extends ProblemError<'engine_unavailable'> {
  declare readonly name: 'EngineUnavailableError';
}
