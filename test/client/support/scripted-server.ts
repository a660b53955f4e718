/** A real HTTP server whose answers a test writes down one by one, damaged ones included. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { catalogue } from './contract.ts';
import { freePort } from '../../e2e/support/server.ts';

export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Answer =
  /** A whole answer; a string as body is sent as it stands. */
  | { status: number; body: unknown; headers?: Record<string, string> }
  /** The connection ends without an answer. */
  | 'drop'
  /** Headers and half of a body, then the connection ends. */
  | 'cut'
  /** No answer at all; the connection stays open. */
  | 'hang';

export class ScriptedServer {
  readonly seen: Seen[] = [];
  baseUrl = '';
  #answers: (Answer | ((request: Seen) => Answer))[] = [];
  #server: Server | undefined;
  #arrived: (() => void) | undefined;

  /** What to answer, in order; the last one again and again. */
  script(...answers: (Answer | ((request: Seen) => Answer))[]): void {
    this.#answers = answers;
    this.seen.length = 0;
  }

  /** Resolves when the next request has been read. */
  arrival(): Promise<void> {
    return new Promise((resolve) => (this.#arrived = resolve));
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    const port = await freePort();
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.baseUrl = `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    if (this.#server?.listening) await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const seen: Seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    this.seen.push(seen);
    this.#arrived?.();
    const next = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (!next) throw new Error('the script is empty');
    const answer = typeof next === 'function' ? next(seen) : next;
    if (answer === 'drop') request.socket.destroy();
    else if (answer === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"half":');
      setImmediate(() => request.socket.destroy());
    } else if (answer !== 'hang') {
      const isText = typeof answer.body === 'string';
      const mediaType = isText ? 'text/html' : answer.status < 400 ? 'application/json' : 'application/problem+json';
      response.writeHead(answer.status, { 'content-type': mediaType, ...answer.headers });
      response.end(isText ? answer.body : JSON.stringify(answer.body));
    }
  }
}

/** A problem of the contract as a service sends it. */
export function problem(code: string, members: object = {}, headers: Record<string, string> = {}): Answer {
  const { status, title, retriable } = catalogue[code]!;
  // Every problem about a nonce names the next one.
  const next = code.startsWith('nonce_') ? { nextNonce: 7 } : {};
  const body = { type: `docs/errors#${code}`, title, status, detail: `It is ${code}.`, code, retriable, requestId: 'r-1', ...next, ...members };
  return { status, body, headers };
}
