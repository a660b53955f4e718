import type { Asked } from './exchange.ts';
import { LedgerClientError } from './LedgerClientError.ts';

/** No whole answer came in the time given to one attempt, or to the whole call. */
export class AttemptTimeoutError extends LedgerClientError {
  override readonly name = 'AttemptTimeoutError' as const;
  readonly method: string;
  readonly url: string;

  constructor({ method, url }: Asked, timeoutMs: number) {
    super(`${method} ${url}: no answer within ${Math.round(timeoutMs)} ms`);
    this.method = method;
    this.url = url;
  }
}
