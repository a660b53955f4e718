/**
 * The client: the settings that every action needs, and the one retry loop through which every request goes.
 *
 * Actions are functions that take the client (`getAccount(client, ...)`), so that a bundle holds only those that are used.
 */
import createFetchClient, { type Client as Api } from 'openapi-fetch';
import type { Chain, Paths } from './contract.ts';
import { type CallOptions, deadlineOf, sleep } from './deadline.ts';
import { type Environment, PLATFORM } from './environment.ts';
import { InvalidArgumentError } from './errors/InvalidArgumentError.ts';
import type { Hooks } from './hooks.ts';
import { attempt, type Expectation } from './http/attempt.ts';
import { pauseMs } from './http/pause.ts';
import { seenHeight } from './http/seen-height.ts';
import { userAgentOf } from './http/user-agent.ts';
import { ATTEMPT_TIMEOUT_MS_DEFAULT, ATTEMPTS_MAX } from './limits.ts';
import type { Logger } from './logger.ts';

export interface ClientOptions extends Hooks {
  /** The URL of the service, with its path if it has one: `https://pay.example/ledger`. */
  readonly baseUrl: string;
  /** The bearer token, or a function that is called for it before every attempt. `getChain` needs no token. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * The chain that transfers are signed for. When it is left out, the client gets it from the service once. Set it where a signature for
   * another chain than intended would be worse than an error.
   */
  readonly chain?: Pick<Chain, 'chainId' | 'addressPrefix'> | undefined;
  readonly logger?: Logger | undefined;
  /**
   * Attempts after the first, while the error is retriable and time is left. A call can have its own number.
   * @default 9
   */
  readonly maxRetries?: number | undefined;
  /**
   * True: reads send the highest `Ledger-Height` that this client has received, so that no gateway of the service answers with an earlier
   * state than another one did before. A gateway that is behind holds its answer for some seconds. Set false to get its current state at
   * once.
   * @default true
   */
  readonly neverReadsBack?: boolean | undefined;
  /**
   * Your application, `shop/1.2`, for the operator's log: `User-Agent` begins with it, before this package's name. A browser sends its own.
   */
  readonly userAgent?: string | undefined;
  /**
   * Maximum time for one attempt, in milliseconds, in addition to the time for which the service holds its answer on request.
   * @default 15_000
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** Replaces `fetch`, clock, timers or randomness, for tests and unusual platforms. */
  readonly environment?: Partial<Environment> | undefined;
}

/**
 * The result of openapi-fetch, always a success: everything else has been thrown by then.
 * @internal
 */
interface AnyAnswer {
  readonly data?: unknown;
  readonly response: Response;
}

/** @internal */
type DataOf<Answer extends AnyAnswer> = NonNullable<Answer['data']>;

/**
 * The call of an action, as input of the retry loop.
 * @internal
 */
export interface Call<Answer extends AnyAnswer> extends Expectation<DataOf<Answer>> {
  readonly options: CallOptions;
  /** Called after every failed attempt; `sent`: its request was sent. Returns the error to throw if it was the last attempt. */
  failed?(error: unknown, sent: boolean, attempts: number): unknown;
  /** Makes the request; it is called once for each attempt and must make the same request every time. */
  send(api: Api<Paths>, init: ReturnType<typeof attempt>): Promise<Answer>;
}

export interface Client {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly chain: ClientOptions['chain'];
  readonly environment: Environment;
  /**
   * Makes one call of the contract, with its attempts and pauses. For actions only; applications call the actions.
   * @internal
   */
  call<Answer extends AnyAnswer>(call: Call<Answer>): Promise<{ data: DataOf<Answer>; response: Response }>;
}

/**
 * Makes a client. Use one in a process: it counts the nonces of its accounts and requests the chain once.
 *
 * @throws {InvalidArgumentError} `baseUrl` has credentials, a query or a fragment, or `userAgent` is not valid text of a header.
 * @example
 * const client = createClient({
 *   baseUrl: 'https://pay.example/ledger',
 *   token: () => readToken(),
 *   maxRetries: 4,
 *   onResponse: ({ method, url, status, requestId, durationMs }) => console.log(method, url, status, requestId, durationMs),
 * });
 */
export function createClient({
  token,
  chain,
  logger,
  maxRetries = ATTEMPTS_MAX - 1,
  attemptTimeoutMs = ATTEMPT_TIMEOUT_MS_DEFAULT,
  neverReadsBack = true,
  ...options
}: ClientOptions): Client {
  const { href, origin, pathname } = new URL(options.baseUrl);
  // Credentials would end up in logs and errors; query and fragment would swallow the paths.
  if (href !== origin + pathname) throw new InvalidArgumentError('baseUrl', 'is a plain URL');
  const baseUrl = href.replace(/\/+$/, '');
  const environment: Environment = { ...PLATFORM, ...options.environment };
  const api = createFetchClient<Paths>({
    baseUrl,
    headers: { 'User-Agent': userAgentOf(options.userAgent) },
    redirect: 'manual',
    fetch: (request) => environment.fetch(request),
  });
  const seen = neverReadsBack ? seenHeight() : undefined;
  const settings = {
    baseUrl,
    environment,
    hooks: options,
    token,
    logger,
    deprecated: new Set<string>(),
    attemptTimeoutMs,
    seen,
  };

  // The loop is around openapi-fetch and not in its middleware, which cannot send a request again. Each attempt passes all of the
  // middleware, so that the hooks are called and the token is read every time.
  async function call<Answer extends AnyAnswer>(
    asked: Call<Answer>,
  ): Promise<{ data: DataOf<Answer>; response: Response }> {
    const { failed = (error: unknown) => error } = asked;
    const deadline = deadlineOf(environment, asked.options);
    const { signal } = deadline;
    let pause = 0;
    for (let attempts = 1; ; attempts++) {
      let sent: object | undefined;
      try {
        if (pause) await sleep(environment, pause, signal);
        const answer = await asked.send(
          api,
          attempt(settings, deadline, attempts, asked, (request) => {
            sent = request;
          }),
        );
        logger?.debug({ ...sent }, 'attempt');
        return answer as { data: DataOf<Answer>; response: Response };
      } catch (error) {
        const last = failed(error, !!sent, attempts);
        const { name, code, retriable } = error as { name?: string; code?: string; retriable?: boolean };
        logger?.warn({ ...sent, attempts, error: code ?? name }, 'attempt');
        pause = pauseMs(error, attempts, environment.random());
        if (
          !retriable ||
          signal?.aborted ||
          attempts > (deadline.maxRetries ?? maxRetries) ||
          pause >= deadline.timeoutMs
        )
          throw last;
      }
    }
  }
  return { baseUrl, chain, environment, call };
}
