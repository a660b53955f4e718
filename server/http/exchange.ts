/**
 * One request and its answer: what the steps of the pipeline learn about it, and the one way in which answers leave.
 *
 * Every answer, of operations, pages and refusals alike, goes through `send`, so that no header of the contract can be
 * forgotten on one of them. Answers are written in one piece with their length; nothing is streamed.
 */
import type { Request, Response } from 'express';

import type { Principal } from '../gateway/types.ts';

import { isRpcPath } from './rpc/path.ts';
import type { OperationSpec } from './contract/operations.ts';

export class Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
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
  /** Headers that earlier steps put on whatever answer follows: CORS, RateLimit. */
  readonly headers: Record<string, string> = {};
  /** The problem code of the answer, for the log. */
  code: string | undefined;
  bytesOut = 0;
  /** What goes with the JSON body that is on its way through `response.json`. */
  pending: { mediaType: string; headers: Record<string, string>; text?: string } = { mediaType: 'application/json', headers: {} };
  /** What the response validator found wrong with the answer. */
  violation: Error | undefined;
  #gone: AbortController | undefined;

  constructor(request: Request, response: Response, requestId: string, startedMs: number) {
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.startedMs = startedMs;
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

  /** `cacheControl` is part of `headers` where an answer may be cached. */
  send(status: number, mediaType: string | undefined, body: string | Buffer, headers: Record<string, string>): void {
    if (this.over) return;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
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
    Object.assign(all, this.headers, headers);
    this.response.writeHead(status, all);
    this.response.end(body);
  }
}

/** The exchange that the entry step attached. */
export function exchangeOf(response: Response): Exchange {
  return (response.locals as { exchange: Exchange }).exchange;
}
