import { ProblemError } from './ProblemError.ts';

/** The service cannot reach the chain. */
export class EngineUnavailableError extends ProblemError<'engine_unavailable'> {
  declare readonly name: 'EngineUnavailableError';
}
