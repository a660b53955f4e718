/**
 * The client: what every action needs, and the one loop through which every request goes.
 *
 * Actions are functions that take the client (`getAccount(client, ...)`), so that a bundle holds only those that are used.
 */
import createFetchClient from 'openapi-fetch';
import type { Chain, Operations, Paths } from './contract.ts';
import { type Deadline, sleep } from './deadline.ts';
import { type Environment, PLATFORM } from './environment.ts';
import type { Exchange } from './errors/exchange.ts';
import { InvalidArgumentError } from './errors/InvalidArgumentError.ts';
import { UnexpectedAnswerError } from './errors/UnexpectedAnswerError.ts';
import { UnknownOutcomeError } from './errors/UnknownOutcomeError.ts';
import { attempt } from './http/attempt.ts';
import { isPermanentRefusal, isRetriable, mayHaveTakenEffect, pauseMs } from './http/judge.ts';
import { ATTEMPT_TIMEOUT_MS_DEFAULT, ATTEMPTS_MAX } from './limits.ts';
import { type Logger, SILENT } from './logger.ts';

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

/** What an action asks of the loop. */
export interface Call<Answer extends { response: Response }> {
  readonly operation: keyof Operations;
  readonly deadline: Deadline;
  /** How long the service is asked to hold its answer. */
  readonly heldMs?: number;
  /** The transaction that the call changes something about. Without it the call only reads. */
  readonly changes?: { readonly operation: 'submitTransaction' | 'cancelTransaction'; readonly txHash: string };
  readonly attemptsMax?: number;
  /** Makes the request; it is called once for each attempt and must ask for the same thing every time. */
  send(api: Api, init: { fetch: (request: Request) => Promise<Response>; headers: Record<string, string> }): Promise<Answer>;
}

export interface Client {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly chain: Pick<Chain, 'chainId' | 'addressPrefix'> | undefined;
  readonly environment: Environment;
  /** Makes one call of the contract, with its attempts and pauses. For actions; applications call those. */
  call<Answer extends { data?: unknown; response: Response }>(call: Call<Answer>): Promise<Answer & { data: NonNullable<Answer['data']> }>;
  /** An answer that is a success of the contract but cannot be what was asked for. */
  unexpected(response: Response, request: { method: string; path: string }, what: string): UnexpectedAnswerError;
}

export function createClient(options: ClientOptions): Client {
  const baseUrl = readBaseUrl(options.baseUrl);
  const environment: Environment = { ...PLATFORM, ...options.environment };
  const logger = options.logger ?? SILENT;
  const api = createFetchClient<Paths>({ baseUrl, redirect: 'manual' });

  async function call<Answer extends { data?: unknown; response: Response }>({ operation, deadline, heldMs = 0, changes, attemptsMax, send }: Call<Answer>) {
    // One id for the call, and each attempt with its number, so that the service's log tells them apart.
    const callId = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36).padStart(2, '0')).join('');
    let undecided = false;
    for (let attempts = 1; ; attempts++) {
      const requestId = `${callId}-${attempts}`;
      const startedMs = environment.nowMs();
      let started = false;
      let exchange: Exchange | undefined;
      try {
        deadline.signal?.throwIfAborted();
        const headers: Record<string, string> = { 'X-Request-Id': requestId, ...(await authorization(options.token)) };
        const answer = await send(api, {
          headers,
          fetch: async (request) => {
            started = true;
            exchange = { method: request.method, url: request.url, baseUrl, status: 0 };
            const timeoutMs = Math.min(deadline.remainingMs(), (options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS_DEFAULT) + heldMs);
            const response = await attempt(request, { baseUrl, environment, timeoutMs, signal: deadline.signal });
            exchange = { ...exchange, status: response.status };
            return response;
          },
        });
        logger.debug({ operation, requestId, attempts, status: answer.response.status, durationMs: environment.nowMs() - startedMs, ...changes }, 'answered');
        return answer as Answer & { data: NonNullable<Answer['data']> };
      } catch (thrown) {
        // openapi-fetch parses the body; what it throws then knows nothing of the request.
        const error = thrown instanceof SyntaxError && exchange ? new UnexpectedAnswerError(exchange, 'with a body that is no JSON') : thrown;
        const aborted = deadline.signal?.aborted === true;
        undecided ||= started && (aborted || mayHaveTakenEffect(error));
        const pause = pauseMs(error, attempts, environment.random());
        const again = !aborted && isRetriable(error) && attempts < (attemptsMax ?? ATTEMPTS_MAX) && pause !== undefined && pause < deadline.remainingMs();
        const { name, code, status } = error as { name?: string; code?: string; status?: number };
        logger.warn({ operation, requestId, attempts, error: name, code, status, again, pauseMs: again ? pause : undefined, ...changes }, 'attempt failed');
        if (!again) throw changes && undecided && !isPermanentRefusal(error) ? new UnknownOutcomeError(changes.operation, changes.txHash, attempts, error) : error;
        try {
          await sleep(environment, pause, deadline.signal);
        } catch (reason) {
          throw changes && undecided ? new UnknownOutcomeError(changes.operation, changes.txHash, attempts, reason) : reason;
        }
      }
    }
  }

  return {
    baseUrl,
    chain: options.chain,
    environment,
    call,
    unexpected: (response, { method, path }, what) => new UnexpectedAnswerError({ method, url: baseUrl + path, baseUrl, status: response.status }, what),
  };
}

function readBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new InvalidArgumentError('baseUrl', 'is a URL such as https://pay.example');
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new InvalidArgumentError('baseUrl', 'is an http or https URL without credentials, query or fragment');
  }
  return url.href.replace(/\/+$/, '');
}

async function authorization(token: ClientOptions['token']): Promise<{ Authorization?: string }> {
  const value = typeof token === 'function' ? await token() : token;
  if (value === undefined) return {};
  // Checked here because a platform's own complaint about a header would quote the token.
  if (!/^[\x21-\x7e]+$/.test(value)) throw new InvalidArgumentError('token', 'is one or more visible ASCII characters');
  return { Authorization: `Bearer ${value}` };
}
