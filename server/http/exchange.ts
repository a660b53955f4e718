/**
 * One request and its answer: what the steps of the pipeline learn about it, and the one way in which answers leave.
 *
 * Every answer, of operations, pages and refusals alike, goes through `send`, so that no header of the contract can be
 * forgotten on one of them. Answers are written in one piece with their length; nothing is streamed.
 */
import type { Request, Response } from 'express';

import type { Principal } from '../gateway/types.ts';

import type { Connection } from './connections/connection.ts';
import { connectionOf } from './connections/connections.ts';
import { costOfBytes } from './cost.ts';
import type { RateVerdict } from './rate-limit.ts';
import type { OperationSpec } from './contract/operations.ts';
import { SMALL_ANSWER_BYTES_MAX } from './limits.ts';
import { isRpcPath } from './rpc/path.ts';

export class Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  /** What the client asked for, before anything here rewrites it: references in answers are relative to it. */
  readonly target: string;
  /** Monotonic. */
  readonly startedMs: number;
  operation: OperationSpec | undefined;
  /** Template of the path, for logs and metrics; never the path itself, which a client may choose. */
  route = 'unmatched';
  /** The method when the path has it, for metrics. */
  method = 'other';
  principal: Principal | undefined;
  /** The client's address as Express sees it: with X-Forwarded-For of a trusted proxy. */
  client: string | undefined;
  /** The transaction that the request is about, once it is known. */
  txHash: string | undefined;
  /** What the request was charged so far; undefined where nothing is limited. */
  rate: RateVerdict | undefined;
  /** Headers that earlier steps put on every answer: the version of the contract, CORS. */
  readonly headers: Record<string, string> = {};
  /** Its answer is sent however many bytes wait to be sent. */
  isAlwaysSent = false;
  /** The problem code of the answer, for the log. */
  code: string | undefined;
  bytesOut = 0;
  /** What goes with the JSON body that is on its way through `response.json`. */
  pending: { mediaType: string; headers: Record<string, string>; text?: string } = { mediaType: 'application/json', headers: {} };
  /** What the response validator found wrong with the answer. */
  violation: Error | undefined;
  /** Where the answer goes, and what waits there to be sent. */
  readonly #connection: Connection | undefined;
  /** Whose share the answer counts against; found when it matters. */
  #holder: string | undefined;
  #reservedBytes = 0;
  #gone: AbortController | undefined;

  constructor(request: Request, response: Response, requestId: string, startedMs: number) {
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.target = request.url;
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

  /** Whether it asks for something of the chain's RPC, which has an envelope of its own. */
  get rpc(): boolean {
    return isRpcPath(this.request.url);
  }

  /** True when nobody is left to answer, or the answer is on its way already. */
  get over(): boolean {
    return this.response.headersSent || this.response.destroyed || this.response.writableEnded;
  }

  /**
   * Keeps room for an answer of so many bytes before it is made, so that not every answer is made of which only some can be sent. False when
   * there is no room, or no client any more: a reservation made after `close` would never end.
   */
  reserve(bytes: number): boolean {
    if (this.over) return false;
    if (this.#connection === undefined || bytes === 0) return true;
    const address = this.#addressOf(this.#connection);
    if (!this.#connection.mayHold(address, bytes)) return false;
    this.#reservedBytes = bytes;
    this.#connection.hold(address, bytes);
    this.response.once('close', () => this.#endReservation());
    return true;
  }

  /**
   * `cacheControl` is part of `headers` where an answer may be cached. False when the answer is not sent, because too much waits to be sent
   * already: then a small one has to say so.
   */
  send(status: number, mediaType: string | undefined, body: string | Buffer, headers: Record<string, string>): boolean {
    if (this.over) return true;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    if (this.#reservedBytes > 0) this.#endReservation();
    // Bytes that are not a text made for this answer are one buffer for all, which costs nothing to keep.
    const isOwn = typeof body === 'string';
    if (length > SMALL_ANSWER_BYTES_MAX && isOwn && !this.isAlwaysSent && !this.#mayHold(length)) return false;
    this.bytesOut = length;
    const all: Record<string, string | number> = {
      'X-Request-Id': this.requestId,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    };
    // 204 has no body, and must not tell its length (RFC 9110 section 8.6).
    if (status !== 204) all['Content-Length'] = length;
    if (mediaType !== undefined) all['Content-Type'] = mediaType;
    // Refused before its body was asked for: the client may or may not send the body now, so the next bytes on this
    // connection could be either that body or a new request (RFC 9110 section 10.1.1).
    if (this.request.headers.expect !== undefined && !this.request.readableDidRead) all.Connection = 'close';
    if (this.rate !== undefined) {
      this.rate.charge(costOfBytes(length));
      // Answers outside every operation declare the fields only where they are the reason for the answer.
      if (this.operation !== undefined || status === 429) Object.assign(all, this.rate.headers);
    }
    Object.assign(all, this.headers, headers);
    this.response.writeHead(status, all);
    this.response.end(body);
    // All but large answers, or those to a client that does not read, are in the kernel now.
    const connection = this.#connection;
    if (connection !== undefined && connection.socket.writableLength > 0) connection.sent(this.response, this.#addressOf(connection), isOwn ? length : 0);
    return true;
  }

  #mayHold(bytes: number): boolean {
    return this.#connection?.mayHold(this.#addressOf(this.#connection), bytes) ?? true;
  }

  #addressOf(connection: Connection): string {
    return (this.#holder ??= connection.addressOf(this.client));
  }

  #endReservation(): void {
    if (this.#connection !== undefined && this.#holder !== undefined) this.#connection.release(this.#holder, this.#reservedBytes);
    this.#reservedBytes = 0;
  }
}

/** The exchange that the entry step attached. */
export function exchangeOf(response: Response): Exchange {
  return (response.locals as { exchange: Exchange }).exchange;
}
