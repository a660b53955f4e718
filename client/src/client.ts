/**
 * The client: what every action needs, and the one loop through which every request goes.
 *
 * Actions are functions that take the client (`getAccount(client, ...)`), so that a bundle holds only those that are used.
 */
import createFetchClient from 'openapi-fetch';
import type { Chain, Paths } from './contract.ts';
import { type CallOptions, deadlineOf, sleep } from './deadline.ts';
import { type Environment, PLATFORM } from './environment.ts';
import { InvalidArgumentError } from './errors/InvalidArgumentError.ts';
import { attempt, type Expectation } from './http/attempt.ts';
import { pauseMs } from './http/pause.ts';
import { ATTEMPT_TIMEOUT_MS_DEFAULT, ATTEMPTS_MAX } from './limits.ts';
import type { Logger } from './logger.ts';

export interface ClientOptions {
  /** Where the service is, with its path if it has one: `https://pay.example/ledger`. */
  readonly baseUrl: string;
  /** The bearer token, or a function that is asked for it before every attempt. `getChain` needs none. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * The chain that is signed for. When it is left out the service is asked once; pin it where a signature for another chain than
   * intended would be worse than an error.
   */
  readonly chain?: Pick<Chain, 'chainId' | 'addressPrefix'> | undefined;
  readonly logger?: Logger | undefined;
  /** Longest time for one attempt, in milliseconds, not counting how long the service is asked to hold its answer. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Replaces `fetch`, clock, timers or randomness, for tests and unusual platforms. */
  readonly environment?: Partial<Environment> | undefined;
}

type Api = ReturnType<typeof createFetchClient<Paths>>;

/** What openapi-fetch answers with; what is not a success never gets that far. */
interface AnyAnswer {
  readonly data?: unknown;
  readonly response: Response;
}

type DataOf<Answer extends AnyAnswer> = NonNullable<Answer['data']>;

/** What an action asks of the loop. */
export interface Call<Answer extends AnyAnswer> extends Expectation<DataOf<Answer>> {
  readonly options: CallOptions;
  /** How long the service is asked to hold its answer. */
  readonly heldMs?: number;
  readonly attemptsMax?: number | undefined;
  /** Is told of every failed attempt, and whether anything was sent in it; answers with the error to throw if it was the last. */
  failed?(error: unknown, sent: boolean, attempts: number): unknown;
  /** Makes the request; it is called once for each attempt and must ask for the same thing every time. */
  send(api: Api, init: { fetch: (request: Request) => Promise<Response>; headers: Record<string, string> }): Promise<Answer>;
}

export interface Client {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly chain: ClientOptions['chain'];
  readonly environment: Environment;
  /** Makes one call of the contract, with its attempts and pauses. For actions; applications call those. */
  call<Answer extends AnyAnswer>(call: Call<Answer>): Promise<{ data: DataOf<Answer>; response: Response }>;
}

export function createClient({ token, chain, logger, attemptTimeoutMs = ATTEMPT_TIMEOUT_MS_DEFAULT, ...options }: ClientOptions): Client {
  const { href, origin, pathname } = new URL(options.baseUrl);
  // Credentials would end up in logs and errors; query and fragment would swallow the paths.
  if (href !== origin + pathname) throw new InvalidArgumentError('baseUrl', 'is a plain URL');
  const baseUrl = href.replace(/\/+$/, '');
  const environment: Environment = { ...PLATFORM, ...options.environment };
  const api = createFetchClient<Paths>({ baseUrl, redirect: 'manual' });

  async function call<Answer extends AnyAnswer>(asked: Call<Answer>): Promise<{ data: DataOf<Answer>; response: Response }> {
    const { options: callOptions, heldMs = 0, attemptsMax = ATTEMPTS_MAX, failed = (error: unknown) => error } = asked;
    const deadline = deadlineOf(environment, callOptions);
    const { signal } = deadline;
    let pause = 0;
    for (let attempts = 1; ; attempts++) {
      let sent: { method: string; url: string } | undefined;
      try {
        if (pause) await sleep(environment, pause, signal);
        signal?.throwIfAborted();
        const answer = await asked.send(api, {
          headers: await authorization(token),
          fetch: (request) => {
            sent = { method: request.method, url: request.url };
            const timeoutMs = Math.min(deadline.timeoutMs, attemptTimeoutMs + heldMs);
            return attempt(request, { ...sent, baseUrl, status: 0 }, environment, timeoutMs, signal, asked);
          },
        });
        logger?.debug({ ...sent, attempts }, 'attempt');
        return answer as { data: DataOf<Answer>; response: Response };
      } catch (error) {
        const last = failed(error, !!sent, attempts);
        const { name, code, retriable } = error as { name?: string; code?: string; retriable?: boolean };
        logger?.warn({ ...sent, attempts, error: code ?? name }, 'attempt');
        pause = pauseMs(error, attempts, environment.random());
        if (!retriable || signal?.aborted || attempts >= attemptsMax || pause >= deadline.timeoutMs) throw last;
      }
    }
  }

  return { baseUrl, chain, environment, call };
}

async function authorization(token: ClientOptions['token']): Promise<Record<string, string>> {
  const value = typeof token === 'function' ? await token() : token;
  if (value === undefined) return {};
  // Checked here because a platform's own complaint about a header would quote the token.
  if (!/^[!-~]+$/.test(value)) throw new InvalidArgumentError('token', 'is visible ASCII');
  return { Authorization: `Bearer ${value}` };
}
