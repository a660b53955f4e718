/**
 * Sends messages over HTTP to targets that anyone with a token may name, from inside the operator's network.
 *
 * A name is resolved for each new connection, every address is checked, and the connection goes to one of the checked addresses, without a
 * second look-up. Certificates are verified against the name. No redirect is followed and no proxy variable is read. The read part of an
 * answer is bounded in bytes and in time; the status alone decides.
 *
 * The delivery log must not reveal the operator's network. An unknown name, a name with a private address, and an allowed private target
 * that does not answer all fail with the same code and text, after the same time; the operator's log has the real reason. Of the answer of
 * a private target the owner sees only the status.
 *
 * @module
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Clock, Logger, Timer } from '../../engine/ports.ts';
import {
  hostName,
  isNameAllowed,
  judgeAddress,
  judgeTarget,
  type TargetJudgement,
  type TargetRules,
  type TargetUse,
} from '../../gateway/webhooks/target.ts';
import { AnswerReader } from './answer-reader.ts';
import type { FailureCode, Message, Sender, SendOutcome } from '../../gateway/webhooks/delivery/ports.ts';
import type { Resolve } from './resolver.ts';

/** Time from the beginning of a request to an established connection, including the look-up of its name and TLS. */
export const CONNECT_MS_MAX = 5000;
/** Time from the beginning of a request to the head of its answer. The contract promises it. */
export const SEND_MS_MAX = 15_000;
/** An idle connection is closed after this time, which is shorter than the usual timeout of servers. */
const IDLE_MS_MAX = 4000;
/** Size of the head of an answer; more is not read. */
const HEAD_BYTES_MAX = 16 * 1024;
const MS_PER_S = 1000;

export interface HttpSenderOptions {
  rules: TargetRules;
  resolve: Resolve;
  clock: Clock;
  /** Receives the reason why a private target was not reached, which the owner of the webhook does not see. */
  logger: Pick<Logger, 'info'>;
  userAgent: string;
  /** Certificate authorities beside those of Node.js; for tests with an authority of their own. Verification cannot be turned off. */
  authorities?: string[];
  limits?: { connectMs?: number; sendMs?: number };
}

/** A failure with its code in the contract. */
class Failure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** The message to the owner of a webhook if a more precise one would reveal the operator's network. */
export const NOT_REACHED =
  'There was no connection to the receiver: its name is unknown, its address is not public, or nothing answers there. Check the URL, or ask the operator.';

/** Kind of the network that an attempt leads to: `unknown` until every address of the name is checked. */
type Reach = 'unknown' | 'public' | 'private';

/** Kept for an endpoint between messages: one connection, and the kind of its target. */
interface Kept {
  agent: http.Agent | https.Agent;
  reach: Reach;
}

export class HttpSender implements Sender {
  readonly #options: HttpSenderOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #connectMs: number;
  readonly #sendMs: number;

  constructor(options: HttpSenderOptions) {
    this.#options = options;
    this.#connectMs = options.limits?.connectMs ?? CONNECT_MS_MAX;
    this.#sendMs = options.limits?.sendMs ?? SEND_MS_MAX;
  }

  async send(message: Message, signal: AbortSignal): Promise<SendOutcome> {
    const { clock } = this.#options;
    const beganMs = clock.monotonicMs();
    const durationMs = (): number => Math.round(clock.monotonicMs() - beganMs);
    const stopped = (): SendOutcome => ({
      ok: false,
      code: 'stopped',
      detail: 'This service stopped.',
      durationMs: durationMs(),
    });
    const judged = judgeTarget(message.url, this.#options.rules, message.owner);
    if (!judged.ok && !judged.isInternal)
      return { ok: false, code: 'url_refused', detail: judged.detail, durationMs: durationMs() };
    const target = judged.ok ? this.#targetOf(message.endpointId, judged) : undefined;
    try {
      if (target === undefined) throw new Failure('url_refused', 'The address is not allowed to this owner and port.');
      const answer = await this.#exchange(message, target, signal);
      return outcomeOf(answer, target.kept.reach, durationMs(), clock.nowMs());
    } catch (error) {
      if (signal.aborted) return stopped();
      const { code, message: detail } = error instanceof Failure ? error : explained(error);
      if (target?.kept.reach === 'public') return { ok: false, code, detail, durationMs: durationMs() };
      const { host } = new URL(message.url);
      this.#options.logger.info(
        { webhook: message.endpointId, owner: message.owner, host, code, cause: detail, durationMs: durationMs() },
        'a webhook was not delivered to a target that is private or cannot be resolved',
      );
      // The duration would distinguish an unknown name from a closed port.
      await this.#until(beganMs + this.#connectMs, signal);
      if (signal.aborted) return stopped();
      return { ok: false, code: 'connection_failed', detail: NOT_REACHED, durationMs: durationMs() };
    }
  }

  forget(endpointId: string): void {
    this.#kept.get(endpointId)?.agent.destroy();
    this.#kept.delete(endpointId);
  }

  close(): void {
    for (const id of this.#kept.keys()) this.forget(id);
  }

  /** Resolves at that time, or when the service stops. */
  #until(atMs: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const timer = clock.setTimer(end, Math.max(0, atMs - clock.monotonicMs()));
      signal.addEventListener('abort', end, { once: true });
      function end(): void {
        timer.cancel();
        signal.removeEventListener('abort', end);
        resolve();
      }
    });
  }

  async #exchange(message: Message, target: Target, signal: AbortSignal): Promise<Answer> {
    try {
      return await this.#request(message, target, signal);
    } catch (error) {
      // The receiver closed the kept connection while this request was sent on it.
      if (!(error instanceof StaleConnection)) throw error;
      return await this.#request(message, target, signal);
    }
  }

  #request(message: Message, { url, use, kept }: Target, signal: AbortSignal): Promise<Answer> {
    const { clock, userAgent } = this.#options;
    return new Promise((resolve, reject) => {
      const body = Buffer.from(message.body);
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: kept.agent,
        headers: { ...message.headers, 'content-length': body.length, 'user-agent': userAgent, accept: '*/*' },
        maxHeaderSize: HEAD_BYTES_MAX,
        lookup: this.#lookupFor(use, kept),
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
      // The request did not ask for another protocol. Without this listener node:http drops such an answer and its connection without an
      // event.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        settle(() => resolve({ response, excerpt: undefined }));
      });
      request.on('error', (error) =>
        settle(() => reject(request.reusedSocket && isReset(error) ? new StaleConnection() : error)),
      );
      // In every other case: a request without a result would block its endpoint's queue and a place in flight.
      request.once('close', () => {
        if (!isAnswered)
          settle(() => reject(new Failure('connection_failed', 'The connection ended without an answer.')));
      });
      request.end(body);
    });
  }

  #lookupFor(use: TargetUse, kept: Kept): LookupFunction {
    return (host, lookupOptions, callback) => {
      this.#addresses(host, use, kept).then(
        (addresses) => {
          const [first] = addresses;
          if (lookupOptions.all === true) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family ?? 4);
        },
        (error: unknown) => callback(error as NodeJS.ErrnoException, []),
      );
    };
  }

  async #addresses(host: string, use: TargetUse, kept: Kept): ReturnType<Resolve> {
    const { rules, resolve } = this.#options;
    kept.reach = 'unknown';
    let addresses;
    try {
      addresses = await resolve(hostName(host), isNameAllowed(rules, use));
    } catch (error) {
      throw new Failure('connection_failed', `The name ${host} could not be resolved: ${textOf(error)}.`);
    }
    if (addresses.length === 0) throw new Failure('connection_failed', `The name ${host} has no address.`);
    let isPrivate = false;
    for (const { address } of addresses) {
      const judged = judgeAddress(address, rules, { ...use, host });
      // Even if other addresses of the name are allowed: there is no good reason to mix both.
      if (!judged.ok) throw new Failure('url_refused', `The name ${host} resolves to ${judged.kind}, ${address}.`);
      isPrivate ||= judged.isPrivate;
    }
    kept.reach = isPrivate ? 'private' : 'public';
    return addresses;
  }

  #targetOf(endpointId: string, { url, use, isPrivate }: TargetJudgement & { ok: true }): Target {
    const kept = this.#keptOf(endpointId, url);
    // An address in the URL needs no look-up.
    if (use.host === undefined) kept.reach = isPrivate ? 'private' : 'public';
    return { url, use, kept };
  }

  /** Returns the one connection of an endpoint, which is kept between messages. */
  #keptOf(endpointId: string, url: URL): Kept {
    const known = this.#kept.get(endpointId);
    if (known && known.agent instanceof https.Agent === (url.protocol === 'https:')) return known;
    known?.agent.destroy();
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
    const kept: Kept = { agent, reach: 'unknown' };
    this.#kept.set(endpointId, kept);
    return kept;
  }
}

interface Target {
  url: URL;
  use: TargetUse;
  kept: Kept;
}

interface Answer {
  response: IncomingMessage;
  excerpt: string | undefined;
}

class StaleConnection extends Error {}

/** NODE_USE_ENV_PROXY makes Node.js read proxy variables; an agent with an empty set of its own does not read them. */
const withoutProxy = { proxyEnv: {} };

function outcomeOf({ response, excerpt }: Answer, reach: Reach, durationMs: number, nowMs: number): SendOutcome {
  const answer = reach === 'public' ? excerpt : undefined;
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

/** Parses seconds or a date; undefined when it is neither. */
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
  // Of several addresses that were tried, the last failure represents all of them.
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
