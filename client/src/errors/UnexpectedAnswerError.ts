import type { Exchange } from './exchange.ts';
import { LedgerClientError } from './LedgerClientError.ts';

/** An answer that the contract does not know: a proxy's page, another service, a body cut short, or another transaction than asked for. */
export class UnexpectedAnswerError extends LedgerClientError {
  override readonly name = 'UnexpectedAnswerError' as const;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor({ method, url, status, retryAfterMs }: Exchange, what: string) {
    super(`${method} ${url}: ${status}, ${what}`);
    this.method = method;
    this.url = url;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
