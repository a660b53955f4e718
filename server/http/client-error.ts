/**
 * Answers input that node:http refuses before there is a request: bytes that are not HTTP, a header section that is too large, a request
 * that did not arrive in time. Its own answers have no body; these are problem documents like all others, written straight onto the socket.
 */
import type { Duplex } from 'node:stream';

import type { Sentence } from '../gateway/types.ts';

import type { Connection } from './connections/connection.ts';
import type { ProblemCatalogue } from './contract/catalogue.ts';
import { HEADER_BYTES_MAX, REQUEST_MS_MAX } from './limits.ts';
import { buildProblem, PROBLEM_MEDIA_TYPE } from './problem/problem.ts';
import type { ProblemInit } from './problem/problem.ts';

/**
 * Returns the problem for a code of node:http and llhttp (https://nodejs.org/api/http.html#event-clienterror). Only codes that are not
 * plain bad syntax are listed.
 */
function problemOf(code: string | undefined): ProblemInit {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        code: 'headers_too_large',
        detail: `Request line and headers together are larger than ${HEADER_BYTES_MAX} bytes. Send fewer or shorter headers.`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        code: 'request_timeout',
        detail: `The request was not complete within ${REQUEST_MS_MAX / 1000} s. Send it again over a better connection.`,
      };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { code: 'body_too_large', detail: 'The chunk extensions of the body are too large.' };
    default: {
      const detail: Sentence = `The request is not valid HTTP/1.1${code === undefined ? '' : ` (${code})`}.`;
      return { code: 'invalid_request', detail, errors: [{ pointer: '#/header/*', message: detail }] };
    }
  }
}

/** Returns the answered code; undefined if no answer can be sent. */
export function answerClientError(
  catalogue: ProblemCatalogue,
  requestId: string,
  error: Error & { code?: string },
  socket: Duplex,
  connection: Connection | undefined,
): string | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable || connection === undefined || connection.ending) {
    socket.destroy();
    return undefined;
  }
  const init = problemOf(error.code);
  const end = (): void => connection.end(rawProblem(catalogue, requestId, init));
  const { request, response } = connection;
  if (request === undefined || response === undefined) end();
  else if (!request.complete && response.socket === null && !response.headersSent) {
    // The malformed or late request follows another one, whose answer is sent first.
    connection.ending = true;
    response.once('socket', end);
  } else if (!request.complete) {
    // The request that is being served is itself malformed or late: this is its answer, unless it has one already.
    if (response.headersSent) {
      socket.destroy();
      return undefined;
    }
    end();
  } else if (response.writableFinished) end();
  else {
    // The bytes after the request are malformed. The request's own answer is sent first; otherwise the client would take this one for it.
    response.once('finish', end);
  }
  return init.code;
}

/**
 * A complete answer as bytes. It ends the connection, because the following bytes cannot be parsed. `target`: of the request, if one was
 * read.
 */
export function rawProblem(catalogue: ProblemCatalogue, requestId: string, init: ProblemInit, target?: string): string {
  const { status, headers, body } = buildProblem(
    catalogue,
    { requestId, ...(target !== undefined && { target }) },
    init,
  );
  const text = JSON.stringify(body);
  const lines = {
    'X-Request-Id': requestId,
    'Contract-Version': catalogue.contractVersion,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': PROBLEM_MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
    ...init.headers,
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}\r\n${head.join('')}\r\n${text}`;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};
