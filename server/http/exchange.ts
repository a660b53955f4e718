/**
 * One request and its answer: the state that the steps of the pipeline share, and the one function that sends answers.
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
  /** The base URL that clients use, ending in a slash, where the operator named it. */
  readonly publicUrl?: string | undefined;
}

const NOWHERE: NextFunction = () => {
  throw new Error('Nothing stands behind on this route.');
};

/** Without a slash before it, as {@link placeOf} takes it. */
const CHANGELOG_PAGE = 'docs/changelog';

const NO_QUERY: Record<string, unknown> = Object.freeze(Object.create(null) as Record<string, unknown>);

/** Answered however many bytes wait to be sent: an operator needs the first three most then, and each rendition of the contract is one buffer for everyone. */
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
  /** The request target as the client sent it, before anything here rewrites it: references in answers are relative to it. */
  readonly target: string;
  /** Monotonic. */
  readonly startedMs: number;
  operation: OperationSpec | undefined;
  /** Whose turns and bytes it takes. */
  class: RequestClass = ANONYMOUS;
  /** Template of the path, for logs and metrics; never the path itself, which a client may choose. */
  route = 'unmatched';
  /** The method when the path has it, for metrics. */
  method = 'other';
  principal: Principal | undefined;
  /** The client's address as Express computes it: with X-Forwarded-For of a trusted proxy. */
  client: string | undefined;
  /** The transaction that the request is about, once it is known. */
  txHash: string | undefined;
  /** The cost charged to the request so far; undefined where nothing is limited. */
  rate: RateVerdict | undefined;
  /** Passes the request to the next handler of its route. */
  next: NextFunction = NOWHERE;
  /** The validated query, integers as numbers. */
  query: Record<string, unknown> = NO_QUERY;
  /** The last block that a successful answer reflects. */
  ledgerHeight: number | undefined;
  /** Something was carried out that the answer must report: it is sent however many bytes are already waiting. */
  mustSend = false;
  /** Headers that let a page of an allowed origin read the answer. */
  corsHeaders: readonly string[] | undefined;
  /** The span of the request, where it is traced. */
  span: Span | undefined;
  isSpanEnded = false;
  /** The problem code of the answer, for the log. */
  code: string | undefined;
  /** The sentence of the problem, for a log that people read. */
  detail: string | undefined;
  bytesOut = 0;
  /** Events that were written, where the answer is a stream of them. */
  eventsSent: number | undefined;
  /** Called when an answer without an end of its own begins: the metrics count it then. */
  onBegun: (() => void) | undefined;
  /** Facts about the JSON body that is being sent through `response.json`. */
  pending: { mediaType: string; headers: Readonly<Record<string, string>>; text?: string } | undefined;
  /** Faults that the response validator found in the answer. */
  violation: Error | undefined;
  /** The connection that the answer is written to, with its unsent bytes. */
  readonly #connection: Connection | undefined;
  /** Bytes of the answer that are counted: reserved for it, or given to the socket and not taken. */
  #heldBytes = 0;
  /** The share that they are counted in, from the first to the last: the caller and the class may become known in between. */
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

  /** Aborts when the client goes away before it has been answered. Made on demand: most answers need none. */
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

  /** Its answer is sent however many bytes wait to be sent. */
  get isAlwaysSent(): boolean {
    const { url } = this.request;
    const at = url.indexOf('?');
    return ALWAYS_ANSWERED.has(at < 0 ? url : url.slice(0, at));
  }

  /** True when no client is left to answer, or the answer is already being sent. */
  get over(): boolean {
    return this.response.headersSent || this.response.destroyed || this.response.writableEnded;
  }

  /** Whose share of turns, searches and bytes it takes. */
  get caller(): string {
    return callerOf(this.principal, this.client);
  }

  /**
   * Reserves room for so many bytes more of an answer before they are made, so that answers are not made of which only some can be sent.
   * False when there is no room, or no longer a client: bytes reserved after `close` would never be released.
   */
  reserve(bytes: number): boolean {
    return this.keep(this.#heldBytes + bytes);
  }

  /** The same for so many bytes in all, more or fewer than now. */
  keep(bytes: number): boolean {
    return this.#keep(bytes, this.class);
  }

  /**
   * The same for a body that is being read, whatever the target: a body that arrives slowly takes no room from answers about rows or pages.
   */
  keepBody(bytes: number): boolean {
    return this.#keep(bytes, this.principal === undefined ? ANONYMOUS : BATCH);
  }

  /**
   * `cacheControl` is part of `headers` where an answer may be cached. False when the answer is not sent, because too many bytes are
   * already waiting: then a small answer has to report that.
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
    // Bytes that are not a text made for this answer are one buffer for all, which costs nothing to keep.
    const isOwn = typeof body === 'string';
    const needsRoom = length > SMALL_ANSWER_BYTES_MAX && isOwn && !this.isAlwaysSent && !this.mustSend;
    if (needsRoom && length > this.#heldBytes && !this.#hold(length)) return false;
    this.bytesOut = length;
    this.#writeHead(status, mediaType, length, headers);
    // As many bytes as characters: it is ASCII, and Latin-1 is written by a plain copy.
    if (isOwn && length === body.length) response.end(body, 'latin1');
    else response.end(body);
    // All but large answers, or those to a client that does not read, are in the kernel now.
    const waits = this.#connection !== undefined && this.#connection.socket.writableLength > 0;
    this.#hold(waits && isOwn ? length : 0, true);
    if (waits) this.#connection?.watchUnsent();
    return true;
  }

  /**
   * Sends an answer piece by piece, the next one when the kernel has taken the one before, so that its length does not matter. Room for two
   * pieces is reserved until it ends; undefined when there is no room. A client that reads nothing is cut off as with any answer. Each
   * piece is made in a turn (`turn`), after the caller's debt to its quota is paid off.
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

  /** Answers HEAD where GET begins an answer that has no end. */
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
   * Sends a piece of an answer that was begun. `onTaken` is called when the kernel has all of it, and not at all after the end. False when
   * nothing was written, because too many bytes wait to be sent already.
   */
  push(piece: Buffer, onTaken: () => void): boolean {
    const { length } = piece;
    if (!this.#hold(this.#heldBytes + length)) return false;
    this.bytesOut += length;
    this.response.write(piece, (error) => {
      // A socket that closes still calls back for the bytes that it never took; `close` releases those.
      if (error || this.response.destroyed) return;
      this.#hold(this.#heldBytes - length);
      onTaken();
    });
    // node:http gathers what is written in a turn of the event loop, so that a turn with many answers would end with all their system calls at once.
    this.response.socket?.uncork();
    this.#connection?.watchUnsent();
    return true;
  }

  /** The service itself ended the connection. */
  get wasCutOff(): boolean {
    return this.#connection?.cutFor !== undefined;
  }

  #keep(bytes: number, of: RequestClass): boolean {
    return (bytes <= this.#heldBytes || !this.over) && this.#hold(bytes, false, of);
  }

  /** Sets the number of counted bytes. False when there is no room for more; `isSent`: they are already waiting, room or not. */
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
        // With the first piece, so that what fails before it can still be answered.
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
        // Nothing more is read for a client that has disconnected.
        if (response.destroyed) break;
      }
      response.end();
    } catch (error) {
      // The end of a whole answer must not be sent: its absence shows the client that the answer is incomplete.
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
    // Names and values in turn: what node:http writes without looking for either of them.
    const all = [
      'X-Request-Id',
      this.requestId,
      'X-Content-Type-Options',
      'nosniff',
      'Contract-Version',
      this.#service.contractVersion,
    ];
    if (headers['Cache-Control'] === undefined) all.push('Cache-Control', 'no-store');
    // 204 has no body, and must not carry its length; 304 has none either, and would carry the length of another answer (RFC 9110 section
    // 8.6).
    if (status !== 204 && status !== 304 && length !== undefined) all.push('Content-Length', String(length));
    if (mediaType !== undefined) all.push('Content-Type', mediaType);
    // Refused before its body was requested: the client may or may not send the body now, so the next bytes on this connection could be
    // either that body or a new request (RFC 9110 section 10.1.1).
    if (request.headers.expect !== undefined && !request.readableDidRead) all.push('Connection', 'close');
    if (this.rate !== undefined) {
      if (length !== undefined) this.rate.charge(costOfBytes(length));
      // Answers outside every operation declare the fields only where they are the reason for the answer.
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

  /** Waits until the quota is paid off, in steps short enough that a disconnect is noticed. */
  get #restMs(): number {
    return Math.min(this.rate?.debtMs ?? 0, STREAM_REST_MS_MAX);
  }
}

/** Resolves when what was written has been taken, or will never be. */
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

/** On a response of node:http: `response.locals`, Express's own place, is an object that would be made for it at every request. */
const EXCHANGE = Symbol('exchange');
type Carrier = Response & { [EXCHANGE]?: Exchange };

export function attachExchange(response: Response, exchange: Exchange): void {
  (response as Carrier)[EXCHANGE] = exchange;
}

/** Undefined before the entry step. */
export function exchangeOf(response: Response): Exchange | undefined {
  return (response as Carrier)[EXCHANGE];
}
