/** One request and its whole answer, within a time of its own. */
import type { Environment } from '../environment.ts';
import { AttemptTimeoutError } from '../errors/AttemptTimeoutError.ts';
import { ConnectionError } from '../errors/ConnectionError.ts';
import { LedgerClientError } from '../errors/LedgerClientError.ts';
import { UnexpectedAnswerError } from '../errors/UnexpectedAnswerError.ts';
import { problemError } from './problem.ts';
import { readBody } from './read-answer.ts';
import { retryAfterMs } from './retry-after.ts';

export interface AttemptOptions {
  readonly baseUrl: string;
  readonly environment: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Resolves with a success of which the whole body has been read. Everything else rejects: with the problem the service named, with an
 * error that says what went wrong on the way, or with the reason of the caller's signal.
 */
export async function attempt(request: Request, { baseUrl, environment, timeoutMs, signal }: AttemptOptions): Promise<Response> {
  const { method, url } = request;
  signal?.throwIfAborted();
  // By hand and not with AbortSignal.any, which on older Node keeps memory for as long as the caller's signal lives.
  const ended = new AbortController();
  let timedOut = false;
  const onAbort = (): void => ended.abort();
  const cancelTimer = environment.setTimer(() => {
    timedOut = true;
    ended.abort();
  }, timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const response = await environment.fetch(new Request(request, { signal: ended.signal }));
    const exchange = { method, url, baseUrl, status: response.status, retryAfterMs: retryAfterMs(response.headers) };
    const text = await readBody(response);
    if (text === undefined) throw new UnexpectedAnswerError(exchange, 'with a body that is too long');
    if (!response.ok) throw problemError(text, exchange);
    if (text === '') throw new UnexpectedAnswerError(exchange, 'without a body');
    const { status, headers } = response;
    return new Response(text, { status, headers });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (timedOut) throw new AttemptTimeoutError({ method, url }, timeoutMs);
    throw error instanceof LedgerClientError ? error : new ConnectionError({ method, url }, error);
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}
