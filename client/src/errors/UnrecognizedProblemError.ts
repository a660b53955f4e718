import type { Exchange } from './exchange.ts';
import { LedgerClientError } from './LedgerClientError.ts';

/** A problem whose code this version of the package does not know yet: a newer contract may add codes. */
export class UnrecognizedProblemError extends LedgerClientError {
  override readonly name = 'UnrecognizedProblemError' as const;
  readonly code: string;
  readonly retriable: boolean;
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(problem: { code: string; detail: string; retriable: boolean; requestId: string }, { method, url, status, retryAfterMs }: Exchange) {
    super(`${method} ${url}: ${status} ${problem.code}. ${problem.detail} (request ${problem.requestId})`);
    this.code = problem.code;
    this.retriable = problem.retriable;
    this.requestId = problem.requestId;
    this.method = method;
    this.url = url;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
