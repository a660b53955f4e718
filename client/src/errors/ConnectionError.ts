import type { Exchange } from './exchange.ts';
import { RequestError } from './RequestError.ts';

/** The connection failed before a whole answer was read. `cause` is the platform's error. */
export class ConnectionError extends RequestError {
  override readonly name = 'ConnectionError' as const;
  override readonly retriable = true;

  constructor(exchange: Exchange, cause: unknown) {
    // Node wraps the reason in a TypeError that only says "fetch failed".
    super(exchange, `the connection failed: ${(cause as { cause?: unknown }).cause ?? cause}`, cause);
  }
}
