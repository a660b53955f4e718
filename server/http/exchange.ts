/**
 * One request and its answer: the shared state of the steps of the pipeline, and the only function that sends answers.
 *
 * Every answer, of operations, pages and refusals alike, goes through `send`, so that no header of the contract can be missing from one of
 * them. Answers are written in one piece with their length; one that may have any length is sent by `stream`.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { NextFunction, Request, Response } from 'express';

import type { Span } from '../engine/ports.ts';
import type { Principal } from '../gateway/types.ts';

import type { Connection } from './connections/connection.ts';
import { connectionOf } from './connections/connections.ts';
import { costOfBytes, costOfStream } from './cost.ts';
import type { RateVerdict } from './rate-limit.ts';
import { deprecationHeaders } from './contract/deprecations.ts';
import type { OperationSpec } from './contract/operations.ts';
import { SMALL_ANSWER_BYTES_MAX, STREAM_BYTES_KEPT, STREAM_REST_MS_MAX } from './limits.ts';
import { ANONYMOUS, BATCH, callerOf, type RequestClass, STREAM } from './limits/classes.ts';
import { askedTarget } from './request-target.ts';
import { isRpcPath } from './rpc/path.ts';
import { placeOf } from './problem/problem.ts';

/** Facts about the service that every answer carries. */
export interface ServiceFacts {
  /** The contract that answers follow, as its `info.version`. */
  readonly contractVersion: string;
  /** The base URL for clients, ending in a slash, if the operator has set it. */
  readonly publicUrl?: string | undefined;
}

const NOWHERE: NextFunction = () => {
  throw new Error('Nothing stands behind on this route.');
};

/** Without a leading slash, as {@link placeOf} expects it. */
const CHANGELOG_PAGE = 'docs/changelog';

const NO_QUERY: Record<string, unknown> = Object.freeze(Object.create(null) as Record<string, unknown>);

/**
 * Operations that are answered regardless of the unsent bytes: then an operator needs the first three most, and each rendition of the
 * contract is one buffer for everyone.
 */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set([
  '/livez',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/openapi.yaml',
  '/openapi.client.json',
]);

export class Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** The request target as the client sent it, before it is rewritten here: references in answers are relative to it. */
  readonly target: string;
  /** Monotonic time of its beginning. */
  readonly startedMs: number;
  operation: OperationSpec | undefined;
  /** The class whose turns and bytes it uses. */
  class: RequestClass = ANONYMOUS;
  /** Template of the path, for logs and metrics; never the path itself, which the client chooses. */
  route = 'unmatched';
  /** The method if the path has it, for metrics. */
  method = 'other';
  principal: Principal | undefined;
  /** The client's address as Express computes it: with X-Forwarded-For of a trusted proxy. */
  client: string | undefined;
  /** Hash of the transaction of the request, once it is known. */
  txHash: string | undefined;
  /** The cost charged to the request so far; undefined without limits. */
  rate: RateVerdict | undefined;
  /** Passes the request to the next handler of its route. */
  next: NextFunction = NOWHERE;
  /** The validated query, integers as numbers. */
  query: Record<string, unknown> = NO_QUERY;
  /** The last block that a successful answer reflects. */
  ledgerHeight: number | undefined;
  /** True if an effect was carried out that the answer must report: then it is sent regardless of the waiting bytes. */
  mustSend = false;
  /** Headers that let a page of an allowed origin read the answer. */
  corsHeaders: readonly string[] | undefined;
  /** The span of the request, if it is traced. */
  span: Span | undefined;
  isSpanEnded = false;
  /** The problem code of the answer, for the log. */
  code: string | undefined;
  /** The sentence of the problem, for a log that people read. */
  detail: string | undefined;
  bytesOut = 0;
  /** Number of written events, if the answer is a stream of events. */
  eventsSent: number | undefined;
  /** Called when an answer without an end of its own begins, because the metrics count it then. */
  onBegun: (() => void) | undefined;
  /** Facts about the JSON body that is being sent through `response.json`. */
  pending: { mediaType: string; headers: Readonly<Record<string, string>>; text?: string } | undefined;
  /** Faults that the response validator found in the answer. */
  violation: Error | undefined;
  /** The connection that the answer is written to, with its unsent bytes. */
  readonly #connection: Connection | undefined;
  /** Counted bytes of the answer: reserved for it, or given to the socket and not taken by the kernel. */
  #heldBytes = 0;
  /** Caller and class that the bytes are counted for, from the first byte to the last, because both may become known in between. */
  #heldFor: { caller: string; of: RequestClass } | undefined;
  #gone: AbortController | undefined;
  readonly #service: ServiceFacts;

  constructor(service: ServiceFacts, request: Request, response: Response, requestId: string, startedMs: number) {
    this.#service = service;
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.target = askedTarget(request);
    this.startedMs = startedMs;
    this.#connection = connectionOf(request.socket);
  }

  /** Aborts when the client disconnects before the answer is sent. Made on demand, because most answers need none. */
  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      this.#gone = gone;
      if (this.response.closed) gone.abort();
      else {
        this.response.once('close', () => {
          if (!this.response.writableFinished) gone.abort();
        });
      }
    }
    return this.#gone.signal;
  }

  /** True if its target is the chain's RPC, which has an envelope of its own. */
  get rpc(): boolean {
    return isRpcPath(this.request.url);
  }

  /** True if its answer is sent regardless of the waiting bytes. */
  get isAlwaysSent(): boolean {
    const { url } = this.request;
    const at = url.indexOf('?');
    return ALWAYS_ANSWERED.has(at < 0 ? url : url.slice(0, at));
  }

  /** True when no answer can be sent any longer, or the answer is already being sent. */
  get over(): boolean {
    return this.response.headersSent || this.response.destroyed || this.response.writableEnded;
  }

  /** The caller whose share of turns, searches and bytes it uses. */
  get caller(): string {
    return callerOf(this.principal, this.client);
  }

  /**
   * Reserves room for further bytes of an answer before they are made, so that no more answers are made than can be sent. False if there is
   * no room, or the client has disconnected: bytes reserved after `close` would never be released.
   */
  reserve(bytes: number): boolean {
    return this.keep(this.#heldBytes + bytes);
  }

  /** Sets the reserved total to a number of bytes, more or fewer than now. */
  keep(bytes: number): boolean {
    return this.#keep(bytes, this.class);
  }

  /**
   * Does the same for a body that is being read, for any target: a body that arrives slowly takes no room from answers about rows or pages.
   */
  keepBody(bytes: number): boolean {
    return this.#keep(bytes, this.principal === undefined ? ANONYMOUS : BATCH);
  }

  /**
   * Sends a complete answer. `headers` has `Cache-Control` if the answer may be cached. False if the answer is not sent, because too many
   * bytes are already waiting: then a small answer has to report that.
   */
  send(
    status: number,
    mediaType: string | undefined,
    body: string | Buffer,
    headers: Readonly<Record<string, string>>,
  ): boolean {
    const { response } = this;
    if (this.over) return true;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    // A Buffer is shared by all answers, so that keeping it costs nothing; a text was made for this answer.
    const isOwn = typeof body === 'string';
    const needsRoom = length > SMALL_ANSWER_BYTES_MAX && isOwn && !this.isAlwaysSent && !this.mustSend;
    if (needsRoom && length > this.#heldBytes && !this.#hold(length)) return false;
    this.bytesOut = length;
    this.#writeHead(status, mediaType, length, headers);
    // With as many bytes as characters the text is ASCII, and Latin-1 is written by a plain copy.
    if (isOwn && length === body.length) response.end(body, 'latin1');
    else response.end(body);
    // The kernel has taken all answers now, except large ones and those to a client that does not read.
    const waits = this.#connection !== undefined && this.#connection.socket.writableLength > 0;
    this.#hold(waits && isOwn ? length : 0, true);
    if (waits) this.#connection?.watchUnsent();
    return true;
  }

  /**
   * Sends an answer of any length piece by piece: the next piece is sent when the kernel has taken the one before. Room for two pieces is
   * reserved until it ends; undefined when there is no room. As with any answer, a client that reads nothing is cut off. Each piece is made
   * in a turn (`turn`), after the caller's debt to its quota is paid off.
   */
  stream(
    status: number,
    mediaType: string,
    pieces: AsyncIterable<string>,
    headers: Readonly<Record<string, string>>,
    turn: () => Promise<void> | undefined,
  ): Promise<void> | undefined {
    if (this.over) return Promise.resolve();
    this.class = STREAM;
    return this.reserve(STREAM_BYTES_KEPT) ? this.#stream(status, mediaType, pieces, headers, turn) : undefined;
  }

  /** Answers HEAD if GET would begin an answer without an end. */
  head(status: number, mediaType: string, headers: Readonly<Record<string, string>>): void {
    if (this.over) return;
    this.#writeHead(status, mediaType, undefined, headers);
    this.response.end();
  }

  /** Begins an answer that continues until one side ends it; its pieces are pushed. */
  begin(status: number, mediaType: string, headers: Readonly<Record<string, string>>): void {
    this.#writeHead(status, mediaType, undefined, headers);
    this.onBegun?.();
  }

  /**
   * Sends a piece of an answer that was begun. `onTaken` is called when the kernel has all of it, but not after the end. False if nothing
   * was written, because too many bytes are already waiting.
   */
  push(piece: Buffer, onTaken: () => void): boolean {
    const { length } = piece;
    if (!this.#hold(this.#heldBytes + length)) return false;
    this.bytesOut += length;
    this.response.write(piece, (error) => {
      // A socket that closes also calls back for bytes that it never took; `close` releases those.
      if (error || this.response.destroyed) return;
      this.#hold(this.#heldBytes - length);
      onTaken();
    });
    // node:http gathers the writes of a turn of the event loop: without `uncork` a turn with many answers would end with all their system
    // calls at once.
    this.response.socket?.uncork();
    this.#connection?.watchUnsent();
    return true;
  }

  /** True if the service itself ended the connection. */
  get wasCutOff(): boolean {
    return this.#connection?.cutFor !== undefined;
  }

  #keep(bytes: number, of: RequestClass): boolean {
    return (bytes <= this.#heldBytes || !this.over) && this.#hold(bytes, false, of);
  }

  /**
   * Sets the number of counted bytes. False if there is no room for more. `isSent`: the bytes are already waiting and are counted in any
   * case.
   */
  #hold(bytes: number, isSent = false, asked = this.class): boolean {
    const more = bytes - this.#heldBytes;
    const all = this.#connection?.all;
    if (all === undefined || more === 0) return true;
    if (this.#heldFor === undefined) this.response.once('close', () => this.#hold(0));
    if (this.#heldFor === undefined || this.#heldBytes === 0) this.#heldFor = { caller: this.caller, of: asked };
    const { caller, of } = this.#heldFor;
    if (more < 0 || isSent) all.hold(caller, more, of);
    else if (!all.tryHold(caller, more, of)) return false;
    this.#heldBytes = bytes;
    return true;
  }

  async #stream(
    status: number,
    mediaType: string,
    pieces: AsyncIterable<string>,
    headers: Readonly<Record<string, string>>,
    turn: () => Promise<void> | undefined,
  ): Promise<void> {
    const { request, response } = this;
    try {
      for await (const piece of pieces) {
        // The head is written with the first piece, so that an earlier failure can still be answered.
        if (!response.headersSent) this.#writeHead(status, mediaType, undefined, headers);
        if (request.method === 'HEAD' || response.destroyed) break;
        const length = Buffer.byteLength(piece);
        this.bytesOut += length;
        this.rate?.charge(costOfStream(length));
        const isTaken = response.write(piece, length === piece.length ? 'latin1' : 'utf8');
        this.#connection?.watchUnsent();
        if (!isTaken) await taken(response);
        for (let restMs = this.#restMs; restMs > 0 && !response.destroyed; restMs = this.#restMs) await sleep(restMs);
        await turn();
        // No more pieces are read after a disconnect.
        if (response.destroyed) break;
      }
      response.end();
    } catch (error) {
      // The regular end of the answer must not be sent: its absence shows the client that the answer is incomplete.
      if (response.headersSent) response.destroy();
      throw error;
    }
  }

  /** Without a length the answer is sent in chunks. */
  #writeHead(
    status: number,
    mediaType: string | undefined,
    length: number | undefined,
    headers: Readonly<Record<string, string>>,
  ): void {
    const { request, response } = this;
    // Names and values alternate: node:http writes such a list without a look-up.
    const all = [
      'X-Request-Id',
      this.requestId,
      'X-Content-Type-Options',
      'nosniff',
      'Contract-Version',
      this.#service.contractVersion,
    ];
    if (headers['Cache-Control'] === undefined) all.push('Cache-Control', 'no-store');
    // 204 has no body, and must not carry a length; 304 has no body either, and its length would be that of another answer (RFC 9110
    // section 8.6).
    if (status !== 204 && status !== 304 && length !== undefined) all.push('Content-Length', String(length));
    if (mediaType !== undefined) all.push('Content-Type', mediaType);
    // Refused before its body was requested: the client may or may not send the body now, so the next bytes on this connection could be
    // either that body or a new request (RFC 9110 section 10.1.1).
    if (request.headers.expect !== undefined && !request.readableDidRead) all.push('Connection', 'close');
    if (this.rate !== undefined) {
      if (length !== undefined) this.rate.charge(costOfBytes(length));
      // Answers outside every operation declare these fields only if they are the reason for the answer.
      if (this.operation !== undefined || status === 429) pushAll(all, this.rate.headers);
    }
    if (this.ledgerHeight !== undefined && status < 400) all.push('Ledger-Height', String(this.ledgerHeight));
    if (this.corsHeaders !== undefined) all.push(...this.corsHeaders);
    if (this.operation?.deprecations !== undefined)
      pushAll(
        all,
        deprecationHeaders(
          this.operation.deprecations,
          { query: this.query, headers: request.headers, body: request.body },
          placeOf(CHANGELOG_PAGE, this.target, this.#service.publicUrl),
        ) ?? {},
      );
    pushAll(all, headers);
    response.writeHead(status, all);
  }

  /** Time until the quota is paid off, cut into steps that are short enough to notice a disconnect. */
  get #restMs(): number {
    return Math.min(this.rate?.debtMs ?? 0, STREAM_REST_MS_MAX);
  }
}

/** Resolves when the written bytes have been taken, or will never be. */
function taken(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}

function pushAll(all: string[], headers: Readonly<Record<string, string>>): void {
  for (const name in headers) all.push(name, headers[name] as string);
}

/**
 * Key of the exchange on a response of node:http. `response.locals` of Express is an object that would have to be made for every request.
 */
const EXCHANGE = Symbol('exchange');
type Carrier = Response & { [EXCHANGE]?: Exchange };

export function attachExchange(response: Response, exchange: Exchange): void {
  (response as Carrier)[EXCHANGE] = exchange;
}

/** Undefined before the entry step. */
export function exchangeOf(response: Response): Exchange | undefined {
  return (response as Carrier)[EXCHANGE];
}
