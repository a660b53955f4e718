/** One attempt of a call, as middleware of openapi-fetch: hooks, token, time and errors. */
import type { Middleware } from 'openapi-fetch';
import { after, type Deadline } from '../deadline.ts';
import type { Environment } from '../environment.ts';
import { AttemptTimeoutError } from '../errors/AttemptTimeoutError.ts';
import { ConnectionError } from '../errors/ConnectionError.ts';
import type { ErrorClasses } from '../errors/error-classes.ts';
import type { Exchange } from '../errors/exchange.ts';
import { RequestError } from '../errors/RequestError.ts';
import { UnexpectedAnswerError } from '../errors/UnexpectedAnswerError.ts';
import type { AttemptRequest, Hooks } from '../hooks.ts';
import type { Logger } from '../logger.ts';
import { bounded } from './bounded.ts';
import { headerText } from './header-text.ts';
import { NOT_AN_ANSWER, problemError } from './problem.ts';
import { retryAfterMs } from './retry-after.ts';

/** Facts about the call that an attempt belongs to. */
export interface Expectation<Data> {
  /** Time for which the service is requested to hold its answer. */
  readonly heldMs?: number;
  /** Error classes of the codes that only this kind of operation answers with. */
  readonly problems?: Partial<ErrorClasses>;
  /** True if a success can be the requested answer; the contract's types do not express that. */
  fits(data: Data, status: number): boolean;
}

/** State that all attempts of a client have in common. */
export interface AttemptSettings {
  readonly baseUrl: string;
  readonly environment: Environment;
  readonly hooks: Hooks;
  readonly token: string | (() => string | Promise<string>) | undefined;
  readonly logger: Logger | undefined;
  /** Operations for which a deprecation (of the operation or a part of it) has been logged. */
  readonly deprecated: Set<string>;
  /** Maximum time of an attempt, in addition to the time for which the service holds its answer on request. */
  readonly attemptTimeoutMs: number;
  /** Middleware that keeps reads from going back behind the highest height received. */
  readonly seen: Middleware | undefined;
}

/** The status of a success that has no body. */
const NO_CONTENT = 204;

/**
 * The options with which openapi-fetch makes the attempt. It resolves with a success whose whole body has been read and checked; for a
 * stream, with one whose headers have come. Everything else rejects: with the service's problem, with an error of the connection, or with
 * the reason of the caller's signal. `leaves` is called just before the request is sent.
 */
export function attempt<Data>(
  { baseUrl, environment, hooks: ofClient, token, logger, deprecated, attemptTimeoutMs, seen }: AttemptSettings,
  deadline: Deadline,
  attempts: number,
  { heldMs = 0, problems, fits }: Expectation<Data>,
  leaves: (sent: Omit<AttemptRequest, 'headers'>) => void,
): { signal: AbortSignal; middleware: Middleware[] } {
  const hooks = [ofClient, deadline];
  const ended = new AbortController();
  let exchange: Exchange;
  let startMs: number;
  let timeoutMs: number;
  let stop: () => void;
  let text: string | undefined;

  const errors: Middleware = {
    onResponse({ response: { ok, status }, options: { parseAs } }) {
      if (ok && (parseAs === 'stream' || status === NO_CONTENT)) return;
      let body: Data | undefined;
      try {
        body = JSON.parse(text as string);
      } catch {
        // A body that is not JSON stays undefined; the status decides below which error that is.
      }
      if (!ok) throw problemError(body, exchange, problems);
      if (!body || !fits(body, status)) throw new UnexpectedAnswerError(exchange, NOT_AN_ANSWER);
    },
  };

  const applicationHooks: Middleware = {
    async onRequest({ request }) {
      const { method, url } = request;
      // The hooks get a copy of the headers, so that they never have the token.
      const headers = new Headers(request.headers);
      for (const { onRequest } of hooks) await onRequest?.({ method, url, attempts, headers });
      return new Request(request, { headers });
    },
    onResponse({ request: { method, url }, schemaPath: path, response: { status, headers } }) {
      const about = { method, url, attempts };
      const requestId = headers.get('X-Request-Id') ?? undefined;
      const response = { ...about, status, headers, requestId, durationMs: environment.nowMs() - startMs };
      // An error of a hook, now or later, must not discard an answer that has come. The error is not logged, because it may contain
      // anything.
      for (const { onResponse } of hooks)
        (async () => onResponse?.(response))().catch(() => logger?.warn(about, 'onResponse'));
      const deprecation = headers.get('Deprecation');
      if (!deprecation || deprecated.has(method + path)) return;
      deprecated.add(method + path);
      logger?.warn(
        { method, path, deprecation, sunset: headers.get('Sunset'), link: headers.get('Link') },
        'deprecated',
      );
    },
  };

  const bearer: Middleware = {
    async onRequest({ request }) {
      const value = typeof token === 'function' ? await token() : token;
      if (value) request.headers.set('Authorization', `Bearer ${headerText('token', value)}`);
    },
  };

  const fail = (error: unknown): never => {
    stop();
    if (error instanceof RequestError) throw error;
    if (deadline.signal?.aborted) throw deadline.signal.reason;
    throw ended.signal.aborted ? new AttemptTimeoutError(exchange, timeoutMs) : new ConnectionError(exchange, error);
  };
  const wholeInTime: Middleware = {
    onRequest({ request: { method, url } }) {
      deadline.signal?.throwIfAborted();
      exchange = { method, url, attempts, baseUrl, status: 0 };
      leaves({ method, url, attempts });
      startMs = environment.nowMs();
      timeoutMs = Math.min(deadline.timeoutMs, attemptTimeoutMs + heldMs);
      stop = after(environment, timeoutMs, deadline.signal, () => ended.abort());
    },
    async onResponse({ response, options: { parseAs } }) {
      const { body, ok, status, headers } = response;
      const answered = { ...exchange, status, retryAfterMs: retryAfterMs(headers) };
      if (!ok || parseAs !== 'stream')
        text = await new Response(bounded(body, () => new UnexpectedAnswerError(answered, 'too long')))
          .text()
          .catch(fail);
      stop();
      exchange = answered;
      // A Response with one of the statuses that have no body cannot be made.
      return body && text !== undefined ? new Response(text, response) : undefined;
    },
    onError: ({ error }) => fail(error),
  };

  return { signal: ended.signal, middleware: [errors, ...(seen ? [seen] : []), applicationHooks, bearer, wholeInTime] };
}
