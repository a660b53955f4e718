/**
 * Sends messages over HTTP to targets that anyone with a token may name, from inside the operator's network.
 *
 * A name is resolved for each new connection, every address is judged, and the connection goes to one of those that were judged: between the
 * two nothing is asked again. Certificates are verified against the name. No redirect is followed and no proxy variable is read. What is
 * read of an answer is bounded in bytes and in time; the status alone decides.
 *
 * @module
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock, Timer } from '../../engine/ports.ts';
import { addressFault, hostName, judgeTarget, type TargetRules } from '../../gateway/webhooks/target.ts';
import { AnswerReader } from './answer-reader.ts';
import type { FailureCode, Message, Sender, SendOutcome } from '../../gateway/webhooks/delivery/ports.ts';
import type { Resolve } from './resolver.ts';

/** From the beginning of a request to an established connection, the look-up of its name and TLS included. */
export const CONNECT_MS_MAX = 5000;
/** From the beginning of a request to the head of its answer. The contract promises it. */
export const SEND_MS_MAX = 15_000;
/** A connection that nothing was sent on for so long is closed: shorter than what servers wait for as a rule. */
const IDLE_MS_MAX = 4000;
/** The head of an answer; more is not read. */
const HEAD_BYTES_MAX = 16 * 1024;
const MS_PER_S = 1000;

export interface HttpSenderOptions {
  rules: TargetRules;
  resolve: Resolve;
  clock: Clock;
  userAgent: string;
  /** Beside those of Node.js; for tests with an authority of their own. Nothing turns verification off. */
  authorities?: string[];
  limits?: { connectMs?: number; sendMs?: number };
}

/** A failure with the name that the contract has for it. */
class Failure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

export class HttpSender implements Sender {
  readonly #options: HttpSenderOptions;
  readonly #agents = new Map<string, http.Agent | https.Agent>();
  readonly #lookup: LookupFunction;
  readonly #connectMs: number;
  readonly #sendMs: number;

  constructor(options: HttpSenderOptions) {
    this.#options = options;
    this.#connectMs = options.limits?.connectMs ?? CONNECT_MS_MAX;
    this.#sendMs = options.limits?.sendMs ?? SEND_MS_MAX;
    this.#lookup = (host, lookupOptions, callback) => {
      this.#addresses(host).then(
        (addresses) => {
          const [first] = addresses;
          if (lookupOptions.all === true) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family ?? 4);
        },
        (error: unknown) => callback(error as NodeJS.ErrnoException, []),
      );
    };
  }

  async send(message: Message, signal: AbortSignal): Promise<SendOutcome> {
    const { clock } = this.#options;
    const beganMs = clock.monotonicMs();
    const durationMs = (): number => Math.round(clock.monotonicMs() - beganMs);
    try {
      const answer = await this.#exchange(message, signal);
      return outcomeOf(answer, durationMs(), clock.nowMs());
    } catch (error) {
      if (signal.aborted)
        return { ok: false, code: 'stopped', detail: 'This service stopped.', durationMs: durationMs() };
      const { code, message: detail } = error instanceof Failure ? error : explained(error);
      return { ok: false, code, detail, durationMs: durationMs() };
    }
  }

  forget(endpointId: string): void {
    this.#agents.get(endpointId)?.destroy();
    this.#agents.delete(endpointId);
  }

  close(): void {
    for (const id of this.#agents.keys()) this.forget(id);
  }

  async #exchange(message: Message, signal: AbortSignal): Promise<Answer> {
    const judged = judgeTarget(message.url, this.#options.rules);
    if (!judged.ok) throw new Failure('url_refused', judged.detail);
    try {
      return await this.#request(message, judged.url, signal);
    } catch (error) {
      // The receiver closed the kept connection as this request went out on it.
      if (!(error instanceof StaleConnection)) throw error;
      return await this.#request(message, judged.url, signal);
    }
  }

  #request(message: Message, url: URL, signal: AbortSignal): Promise<Answer> {
    const { clock, userAgent } = this.#options;
    return new Promise((resolve, reject) => {
      const body = Buffer.from(message.body);
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: this.#agentOf(message.endpointId, url),
        headers: { ...message.headers, 'content-length': body.length, 'user-agent': userAgent, accept: '*/*' },
        maxHeaderSize: HEAD_BYTES_MAX,
        lookup: this.#lookup,
        signal,
      });
      const timers: Timer[] = [];
      const timeOut = (ms: number, failure: () => Failure): Timer => {
        const timer = clock.setTimer(() => request.destroy(failure()), ms);
        timers.push(timer);
        return timer;
      };
      const settle = (done: () => void): void => {
        for (const timer of timers) timer.cancel();
        done();
      };
      timeOut(
        this.#sendMs,
        () => new Failure('timeout', `The receiver did not answer within ${seconds(this.#sendMs)}.`),
      );
      request.on('socket', (socket) => {
        if (!socket.connecting) return;
        const timer = timeOut(
          this.#connectMs,
          () =>
            new Failure(
              'connection_failed',
              `There was no connection to ${url.host} within ${seconds(this.#connectMs)}.`,
            ),
        );
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => timer.cancel());
      });
      let isAnswered = false;
      request.on('response', (response) => {
        isAnswered = true;
        settle(() =>
          new AnswerReader(response, clock).read().then((excerpt) => resolve({ response, excerpt }), reject),
        );
      });
      // Nobody asked for another protocol. Without a listener node:http drops such an answer and its connection, and says nothing.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        settle(() => resolve({ response, excerpt: undefined }));
      });
      request.on('error', (error) =>
        settle(() => reject(request.reusedSocket && isReset(error) ? new StaleConnection() : error)),
      );
      // However it ended: a request of which nothing more is heard would keep its endpoint's lane and a place in flight.
      request.once('close', () => {
        if (!isAnswered)
          settle(() => reject(new Failure('connection_failed', 'The connection ended without an answer.')));
      });
      request.end(body);
    });
  }

  async #addresses(host: string): ReturnType<Resolve> {
    let addresses;
    try {
      addresses = await this.#options.resolve(hostName(host));
    } catch (error) {
      throw new Failure('name_not_resolved', `The name ${host} could not be resolved: ${textOf(error)}.`);
    }
    for (const { address } of addresses) {
      const fault = addressFault(address, this.#options.rules, host);
      // Also with other addresses that may be used: whoever names both has no good reason.
      if (fault !== undefined)
        throw new Failure(
          'url_refused',
          `The name ${host} resolves to ${fault}. Use a name of public addresses, or ask the operator to allow this one.`,
        );
    }
    if (addresses.length === 0) throw new Failure('name_not_resolved', `The name ${host} has no address.`);
    return addresses;
  }

  /** One connection for each endpoint, kept between messages. */
  #agentOf(endpointId: string, url: URL): http.Agent | https.Agent {
    const known = this.#agents.get(endpointId);
    if (known && known instanceof https.Agent === (url.protocol === 'https:')) return known;
    known?.destroy();
    const options = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1, timeout: IDLE_MS_MAX, ...withoutProxy };
    const { authorities } = this.#options;
    const host = hostName(url.hostname);
    const agent =
      url.protocol === 'https:'
        ? new https.Agent({
            ...options,
            rejectUnauthorized: true,
            minVersion: 'TLSv1.2',
            maxCachedSessions: 1,
            ...(isIP(host) === 0 && { servername: host }),
            ...(authorities && { ca: authorities }),
          })
        : new http.Agent(options);
    this.#agents.set(endpointId, agent);
    return agent;
  }
}

interface Answer {
  response: IncomingMessage;
  excerpt: string | undefined;
}

class StaleConnection extends Error {}

/** Node.js can be told by NODE_USE_ENV_PROXY to read proxy variables; an agent with its own empty set does not. */
const withoutProxy = { proxyEnv: {} };

function outcomeOf({ response, excerpt: answer }: Answer, durationMs: number, nowMs: number): SendOutcome {
  const httpStatus = response.statusCode ?? 0;
  if (httpStatus >= 200 && httpStatus < 300) return { ok: true, httpStatus, durationMs, answer };
  const failure = { ok: false, durationMs, httpStatus, answer } as const;
  if (httpStatus >= 300 && httpStatus < 400)
    return {
      ...failure,
      code: 'redirected',
      detail: `The receiver answered ${httpStatus}, and redirects are not followed. Set the URL to where it leads.`,
    };
  return {
    ...failure,
    code: 'status_code',
    detail: `The receiver answered ${httpStatus}.`,
    retryAfterMs: retryAfterMs(response.headers['retry-after'], nowMs),
  };
}

/** Seconds or a date; undefined when it is neither. */
export function retryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * MS_PER_S;
  const atMs = /^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

const seconds = (ms: number): string => `${ms / MS_PER_S} seconds`;

const textOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'no answer';

const isReset = (error: NodeJS.ErrnoException): boolean => error.code === 'ECONNRESET' || error.code === 'EPIPE';

const TLS_CODES = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

function explained(error: unknown): { code: FailureCode; message: string } {
  // Of several addresses that were tried the last failure says as much as all of them.
  const one = error instanceof AggregateError ? (error.errors.at(-1) as unknown) : error;
  if (one instanceof Failure) return one;
  const { code = 'unknown' } = one as NodeJS.ErrnoException;
  if (TLS_CODES.test(code))
    return { code: 'tls_failed', message: `The certificate or the TLS of the receiver cannot be accepted: ${code}.` };
  if (code.startsWith('HPE_'))
    return {
      code: 'connection_failed',
      message: `The receiver answered something that is not HTTP, or too large a head: ${code}.`,
    };
  return { code: 'connection_failed', message: `The connection failed: ${code}.` };
}
