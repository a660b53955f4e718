import type { Exchange } from './exchange.ts';
import { LedgerClientError } from './LedgerClientError.ts';

/** The base class of errors of one request; each has the request's method and URL. */
export abstract class RequestError extends LedgerClientError implements Exchange {
  declare readonly method: string;
  declare readonly url: string;
  declare readonly attempts: number;
  declare readonly baseUrl: string;
  declare readonly status: number;
  declare readonly retryAfterMs?: number | undefined;

  constructor(exchange: Exchange, what: string, cause?: unknown) {
    super(`${exchange.method} ${exchange.url}: ${what}`, { cause });
    Object.assign(this, exchange);
  }
}
