import type { Exchange } from './exchange.ts';
import { RequestError } from './RequestError.ts';

/** The members of a problem document with a code that this version of the package does not have. */
export interface UnknownProblem {
  readonly code: string;
  readonly detail: string;
  readonly retriable: boolean;
  readonly requestId: string;
}

/**
 * An answer that this version of the package cannot interpret: the page of a proxy, the answer of another service, another transaction
 * than the requested one, or a problem with a code of a newer contract, which is then in `problem`.
 */
export class UnexpectedAnswerError extends RequestError {
  override readonly name = 'UnexpectedAnswerError' as const;
  override readonly retriable: boolean;
  readonly problem: UnknownProblem | undefined;

  constructor(exchange: Exchange, what: string, problem?: UnknownProblem) {
    const { status } = exchange;
    super(exchange, `${status}, ${what}`);
    // Without a problem these are the statuses with which proxies answer while the service behind them is down.
    this.retriable = problem?.retriable ?? (status === 408 || status === 429 || status >= 500);
    this.problem = problem;
  }
}
