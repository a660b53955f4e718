/** One request and its whole answer, within a time of its own. */
import { after } from '../deadline.ts';
import type { Environment } from '../environment.ts';
import { AttemptTimeoutError } from '../errors/AttemptTimeoutError.ts';
import { ConnectionError } from '../errors/ConnectionError.ts';
import type { ErrorClasses } from '../errors/error-classes.ts';
import type { Exchange } from '../errors/exchange.ts';
import { RequestError } from '../errors/RequestError.ts';
import { UnexpectedAnswerError } from '../errors/UnexpectedAnswerError.ts';
import { bounded } from './bounded.ts';
import { NOT_AN_ANSWER, problemError } from './problem.ts';
import { retryAfterMs } from './retry-after.ts';

/** What one attempt has to know of the call that it belongs to. */
export interface Expectation<Data> {
  /** Error classes of the codes that only this kind of operation answers with. */
  readonly problems?: Partial<ErrorClasses>;
  /** Whether the body of a success is handed on as it arrives; the time of the attempt then ends with the headers. */
  readonly isStream?: boolean;
  /** Whether a success can be what was asked for; the contract's types say nothing about that. */
  fits(data: Data, status: number): boolean;
}

/** The status of a success that has no body. */
export const NO_CONTENT = 204;

/**
 * Resolves with a success of which the whole body has been read and judged. Everything else rejects: with the problem the service named,
 * with an error that says what went wrong on the way, or with the reason of the caller's signal. `answered` is told of every answer that
 * was read whole.
 */
export async function attempt<Data>(
  request: Request,
  headers: Headers,
  asked: Exchange,
  environment: Environment,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  { problems, isStream, fits }: Expectation<Data>,
  answered: (response: Response) => void,
): Promise<Response> {
  const ended = new AbortController();
  const stop = after(environment, timeoutMs, signal, () => ended.abort());
  try {
    const response = await environment.fetch(new Request(request, { headers, signal: ended.signal }));
    const { status } = response;
    const exchange = { ...asked, status, retryAfterMs: retryAfterMs(response.headers) };
    if (isStream && response.ok) {
      answered(response);
      return response;
    }
    const text = await new Response(
      bounded(response.body, () => new UnexpectedAnswerError(exchange, 'too long')),
    ).text();
    answered(response);
    let body: Data | undefined;
    try {
      body = JSON.parse(text);
    } catch {
      // What is not JSON stays undefined; what to make of that depends on the status.
    }
    if (!response.ok) throw problemError(body, exchange, problems);
    if (status === NO_CONTENT) return response;
    if (!body || !fits(body, status)) throw new UnexpectedAnswerError(exchange, NOT_AN_ANSWER);
    return new Response(text, response);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (signal?.aborted) throw signal.reason;
    throw ended.signal.aborted ? new AttemptTimeoutError(asked, timeoutMs) : new ConnectionError(asked, error);
  } finally {
    stop();
  }
}
