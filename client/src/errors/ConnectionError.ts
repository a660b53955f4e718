import type { Asked } from './exchange.ts';
import { LedgerClientError } from './LedgerClientError.ts';

/** Codes with which Node says that no connection was made, so that nothing can have been received. Browsers do not tell. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The connection failed before a whole answer was read. `cause` is what the platform said. */
export class ConnectionError extends LedgerClientError {
  override readonly name = 'ConnectionError' as const;
  readonly method: string;
  readonly url: string;
  /** False only when it is certain that the service received nothing. */
  readonly mayHaveArrived: boolean;

  constructor({ method, url }: Asked, cause: unknown) {
    const { code, message } = describe(cause);
    super(`${method} ${url}: the connection failed${message ? ` (${message})` : ''}`, { cause });
    this.method = method;
    this.url = url;
    this.mayHaveArrived = !NEVER_CONNECTED.has(code);
  }
}

/** Node wraps the reason in a TypeError that only says "fetch failed". */
function describe(cause: unknown): { code: string; message: string } {
  const outer = cause as { message?: string; cause?: { code?: string; message?: string } } | undefined;
  const inner = outer?.cause;
  return { code: inner?.code ?? '', message: inner?.message || inner?.code || outer?.message || '' };
}
