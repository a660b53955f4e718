/**
 * Turns what a handler returned, or what a step refused, into an answer.
 *
 * JSON bodies are sent with `response.json` when the response validator is switched on, because it hooks that method; `installJson` puts
 * our own writer below it.
 */
import type { Express, Response } from 'express';

import type { Clock, Logger } from '../engine/ports.ts';
import { type Turns, turnsOf } from '../gateway/turns.ts';
import type { Sentence } from '../gateway/types.ts';

import type { ProblemCatalogue } from './contract/catalogue.ts';
import { exchangeOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { PAGE_CACHE_S, RETRY_AFTER_S_DEFAULT } from './limits.ts';
import { ANONYMOUS } from './limits/classes.ts';
import { buildProblem, problemOfRefusal, PROBLEM_MEDIA_TYPE } from './problem/problem.ts';
import type { ProblemInit } from './problem/problem.ts';
import { errorText, INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, NO_ID } from './rpc/envelope.ts';
import { bodyOf } from './reply-body.ts';
import { sendDocument, storeDocument } from './stored.ts';
import type { StoredDocument } from './stored.ts';
import type { Live, Streamed, Verbatim } from './typed/types.ts';

const JSON_MEDIA_TYPE = 'application/json';
const NONE: Record<string, string> = {};
const RETRY_SOON: Record<string, string> = { 'Retry-After': String(RETRY_AFTER_S_DEFAULT) };
/**
 * Media types with the parameters that they are sent with. The types of Prometheus and OpenMetrics contain the version of their text
 * format. Text without a charset is not defined to be UTF-8. RFC 9727 section 4.2 marks a set of links as an API catalogue.
 */
const WIRE_TYPES: Readonly<Record<string, string>> = {
  'text/csv': 'text/csv; charset=utf-8; header=present',
  'text/plain': 'text/plain; version=0.0.4; charset=utf-8',
  'application/openmetrics-text': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  'application/linkset+json': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
};

interface SuccessfulReply {
  status: number;
  body?: unknown;
  headers?: object;
  mediaType?: string;
  text?: () => string;
  cost?: number;
  ledgerHeight?: number | undefined;
}

/** A reply of any operation: its type was checked where the handler returned it. */
export type AnyReply =
  | SuccessfulReply
  | {
      problem: {
        code: ProblemInit['code'];
        detail: ProblemInit['detail'];
        txHash?: string;
        errors?: ProblemInit['errors'];
        headers?: ProblemInit['headers'];
      } & Record<string, unknown>;
    }
  | { refusal: Parameters<typeof problemOfRefusal>[0] };

/** Statuses under /rpc that are the method's own, in CometBFT's envelope; any other refusal is a problem document. */
const ENVELOPED = new Set([400, 404, 503]);
/** CometBFT's codes and messages for these refusals. */
const ENVELOPED_AS: Readonly<Record<number, { code: number; message: string }>> = {
  400: INVALID_PARAMS,
  404: { code: METHOD_NOT_FOUND.code, message: METHOD_NOT_FOUND.message },
};

export const SERVER_BUSY: ProblemInit = {
  code: 'server_busy',
  detail:
    'Too many bytes of earlier answers wait to be read, by this client or by all. Read them, or ask for a smaller page.',
};

export class Answers {
  readonly #catalogue: ProblemCatalogue;
  readonly #logger: Logger;
  readonly #validated: boolean;
  readonly #turns: Turns;
  readonly #documents = new WeakMap<Buffer, Promise<StoredDocument>>();

  /** @param validated answers are compared with the contract, which needs their values and not only their text. */
  constructor(catalogue: ProblemCatalogue, logger: Logger, validated: boolean, clock: Clock) {
    this.#catalogue = catalogue;
    this.#logger = logger;
    this.#validated = validated;
    this.#turns = turnsOf(clock);
  }

  /** Sends a reply. Returns a promise only if the answer is sent while it is made. */
  reply(exchange: Exchange, reply: AnyReply): Promise<void> | undefined {
    if ('refusal' in reply) this.#declared(exchange, problemOfRefusal(reply.refusal));
    else if ('problem' in reply) {
      const { code, detail, txHash, errors, headers, ...members } = reply.problem;
      this.#declared(exchange, { code, detail, txHash, errors, members, ...(headers && { headers }) });
    } else return this.#success(exchange, reply);
    return undefined;
  }

  /** Takes the turn of the request's class. Await the result only if it is a promise. */
  turn(exchange: Exchange): Promise<void> | undefined {
    return this.#turns.enter(exchange.class.kind, exchange.caller);
  }

  /**
   * Refuses a request whose class is not known yet, or because of its caller. Making, sending and logging the problem takes longer than all
   * other work for such a request, so a flood of them is held back like other anonymous work. Bytes that are not HTTP have no turn
   * (client-error.ts): their connection ends with a prepared text.
   */
  refuse(exchange: Exchange, init: ProblemInit): Promise<void> | undefined {
    exchange.class = ANONYMOUS;
    const turn = this.turn(exchange);
    if (turn !== undefined) return turn.then(() => this.problem(exchange, init));
    this.problem(exchange, init);
    return undefined;
  }

  /** Answers with a problem, for any operation or for none. */
  problem(exchange: Exchange, init: ProblemInit): void {
    if (exchange.over) return;
    const { status, headers, body } = buildProblem(this.#catalogue, exchange, init);
    exchange.code = init.code;
    exchange.detail = init.detail;
    exchange.txHash ??= init.txHash;
    if (exchange.rpc && ENVELOPED.has(status)) {
      const id = exchange.operation?.rpcMethod === undefined && exchange.operation !== undefined ? undefined : NO_ID;
      const text = errorText(id, { ...(ENVELOPED_AS[status] ?? INTERNAL_ERROR), data: init.detail });
      this.#text(exchange, status, text, { ...init.headers, ...headers });
    } else this.#json(exchange, status, body, PROBLEM_MEDIA_TYPE, { ...init.headers, ...headers });
    // The answer was withheld because it does not match the contract: the caller must not wait forever.
    if (!exchange.over) this.defect(exchange, exchange.violation ?? new Error('the answer was withheld'));
  }

  /** Sends an answer of the chain's RPC, whose text is complete. */
  envelope(exchange: Exchange, status: 200 | 400 | 404 | 503, text: string): void {
    if (exchange.operation?.statuses.has(status) !== true) {
      this.defect(
        exchange,
        new Error(
          `${exchange.operation?.id} answered ${status}, which its contract does not declare: ${text.slice(0, 500)}`,
        ),
      );
      return;
    }
    this.#text(exchange, status, text, status === 503 ? RETRY_SOON : NONE);
    if (!exchange.over) this.defect(exchange, exchange.violation ?? new Error('the answer was withheld'));
  }

  #text(exchange: Exchange, status: number, text: string, headers: Record<string, string>): void {
    if (!this.#validated) {
      if (!exchange.send(status, JSON_MEDIA_TYPE, text, headers)) this.busy(exchange);
      return;
    }
    exchange.response.statusCode = status;
    exchange.pending = { mediaType: JSON_MEDIA_TYPE, headers, text };
    exchange.response.json(JSON.parse(text));
  }

  #json(
    exchange: Exchange,
    status: number,
    body: unknown,
    mediaType: string,
    headers: Record<string, string>,
    text = () => JSON.stringify(body),
  ): void {
    if (!this.#validated) {
      if (!exchange.send(status, mediaType, text(), headers)) this.busy(exchange);
      return;
    }
    if (text() !== JSON.stringify(body))
      return this.defect(exchange, new Error(`${exchange.operation?.id} has another text than its body: ${text()}`));
    exchange.response.statusCode = status;
    exchange.pending = { mediaType, headers };
    exchange.response.json(body);
  }

  /** Refuses because too many unsent bytes wait already. */
  busy(exchange: Exchange): void {
    this.problem(exchange, SERVER_BUSY);
  }

  /** Reports a defect of ours: it is logged with its cause, and answered without it. */
  defect(exchange: Exchange, error: unknown): void {
    this.#logger.error(
      { err: error, requestId: exchange.requestId, route: exchange.route },
      'a request failed because of a defect',
    );
    const detail: Sentence = `The service failed to answer. Its log names the cause under requestId ${exchange.requestId}.`;
    if (exchange.over) return;
    const { status, headers, body } = buildProblem(this.#catalogue, exchange, { code: 'internal', detail });
    exchange.code = 'internal';
    exchange.send(status, PROBLEM_MEDIA_TYPE, JSON.stringify(body), headers);
  }

  /** Sends a document that a client may have in its cache. It is compressed once, for the first caller. */
  async #document(
    exchange: Exchange,
    mediaType: string,
    bytes: Buffer,
    headers: Record<string, string>,
  ): Promise<void> {
    const stored = this.#documents.get(bytes) ?? storeDocument(mediaType, bytes, true);
    this.#documents.set(bytes, stored);
    await sendDocument(exchange, await stored, headers);
  }

  /** Sends a problem. A code that the contract does not declare for the operation is a defect, wherever it comes from. */
  #declared(exchange: Exchange, init: ProblemInit): void {
    if (exchange.operation !== undefined && !exchange.operation.codes.has(init.code)) {
      this.defect(
        exchange,
        new Error(
          `${exchange.operation.id} answered ${init.code}, which its contract does not declare: ${init.detail}`,
        ),
      );
    } else this.problem(exchange, init);
  }

  #success(exchange: Exchange, reply: SuccessfulReply): Promise<void> | undefined {
    const headers = (reply.headers ?? NONE) as Record<string, string>;
    const isText = reply.text !== undefined && !this.#validated;
    const body = isText ? undefined : bodyOf(reply);
    // The cost is known only after the work, so it is charged to the caller's next requests.
    if (reply.cost !== undefined && reply.cost > 0) exchange.rate?.charge(reply.cost);
    exchange.txHash ??= hashIn(body);
    exchange.ledgerHeight = reply.ledgerHeight;
    if (exchange.operation?.statuses.has(reply.status) !== true) {
      this.defect(
        exchange,
        new Error(`${exchange.operation?.id} answered ${reply.status}, which its contract does not declare`),
      );
    } else if (isText) {
      this.#json(exchange, reply.status, body, JSON_MEDIA_TYPE, headers, reply.text);
    } else if (body === undefined) {
      exchange.send(reply.status, undefined, '', headers);
    } else if (isVerbatim(body)) {
      const mediaType = reply.mediaType ?? JSON_MEDIA_TYPE;
      const cached = { ...headers, 'Cache-Control': `public, max-age=${PAGE_CACHE_S}` };
      if (exchange.operation.statuses.has(304))
        return this.#document(exchange, WIRE_TYPES[mediaType] ?? mediaType, body.verbatim, cached);
      exchange.send(reply.status, WIRE_TYPES[mediaType] ?? mediaType, body.verbatim, cached);
    } else if (isLive(body)) {
      return this.#live(exchange, body);
    } else if (isStreamed(body)) {
      const mediaType = reply.mediaType ?? '';
      const sent = exchange.stream(reply.status, WIRE_TYPES[mediaType] ?? mediaType, body.stream, headers, () =>
        this.turn(exchange),
      );
      if (sent !== undefined) return sent;
      this.busy(exchange);
    } else if (reply.mediaType !== undefined && reply.mediaType !== JSON_MEDIA_TYPE) {
      if (!exchange.send(reply.status, WIRE_TYPES[reply.mediaType] ?? reply.mediaType, String(body), headers))
        this.busy(exchange);
    } else this.#json(exchange, reply.status, body, JSON_MEDIA_TYPE, headers, reply.text);
    if (!exchange.over) this.defect(exchange, exchange.violation ?? new Error('the answer was withheld'));
    return undefined;
  }

  /** Begins a live answer. A refusal by it may depend on the store, so it is known only now. */
  async #live(exchange: Exchange, body: Live): Promise<void> {
    const refused = await body.live(exchange);
    if (refused !== undefined) this.#declared(exchange, refused as ProblemInit);
  }
}

/** Returns the hash in an answer about one transaction. */
function hashIn(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'txHash' in body && typeof body.txHash === 'string'
    ? body.txHash
    : undefined;
}

function isStreamed(body: unknown): body is Streamed {
  return typeof body === 'object' && body !== null && 'stream' in body;
}

function isLive(body: unknown): body is Live {
  return typeof body === 'object' && body !== null && 'live' in body;
}

function isVerbatim(body: unknown): body is Verbatim {
  return typeof body === 'object' && body !== null && 'verbatim' in body && Buffer.isBuffer(body.verbatim);
}

/**
 * Installs the one writer of JSON below every hook of `response.json`.
 * @param failOnViolation withholds an answer that does not match the contract, so that a test gets a 500 and not the wrong answer.
 */
export function installJson(app: Express, answers: Answers, failOnViolation: boolean): void {
  app.response.json = function writeJson(this: Response, body: unknown): Response {
    const exchange = exchangeOf(this);
    if (exchange?.pending === undefined || (exchange.violation !== undefined && failOnViolation)) return this;
    const { mediaType, headers, text } = exchange.pending;
    if (!exchange.send(this.statusCode, mediaType, text ?? JSON.stringify(body), headers)) answers.busy(exchange);
    return this;
  };
}
