import type { Exchange } from './exchange.ts';
import { RequestError } from './RequestError.ts';

/** No whole answer came in the time given to one attempt, or to the whole call. */
export class AttemptTimeoutError extends RequestError {
  override readonly name = 'AttemptTimeoutError' as const;
  override readonly retriable = true;

  constructor(exchange: Exchange, timeoutMs: number) {
    super(exchange, `no answer within ${Math.round(timeoutMs)} ms`);
  }
}
