import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** The place is far ahead of the event log: it is of another chain, or of a time before the service was restored from a backup. */
export class PlaceAheadError extends ProblemError<'place_ahead'> {
  declare readonly name: 'PlaceAheadError';
  /** The last block of the log. */
  readonly height: number;

  constructor(problem: Problems['place_ahead'], exchange: Exchange) {
    super(problem, exchange);
    this.height = problem.height;
  }
}
