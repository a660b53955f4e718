/**
 * An HTTP proxy that does to requests and answers what networks do: it drops, delays, duplicates and cuts them, and answers for a
 * service that it cannot reach. Streams of events it cuts.
 */
import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './chance.ts';

/** Shares of all requests; what is left passes untouched. */
const SHARES = {
  dropRequest: 0.06,
  dropAnswer: 0.08,
  cutAnswer: 0.03,
  badGateway: 0.03,
  delayRequest: 0.08,
  delayAnswer: 0.05,
  /** A second copy arrives later, also after the answer to the first. */
  duplicate: 0.08,
} as const;
type Fault = keyof typeof SHARES;

const DELAY_MS_MAX = 1_500;
const DUPLICATE_DELAY_MS_MAX = 4_000;
/** Streams of events live up to this long. */
const STREAM_MS_MAX = 8_000;

interface Whole {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export class ChaosProxy {
  readonly counts: Record<Fault | 'passed' | 'streams', number> = {
    streams: 0,
    dropRequest: 0,
    dropAnswer: 0,
    cutAnswer: 0,
    badGateway: 0,
    delayRequest: 0,
    delayAnswer: 0,
    duplicate: 0,
    passed: 0,
  };
  readonly #target: URL;
  readonly #random: Chance;
  readonly #agent = new Agent({ keepAlive: false });
  readonly #server: Server;

  constructor(target: string, random: Chance) {
    this.#target = new URL(target);
    this.#random = random;
    this.#server = createServer((request, response) => {
      // What fails on the way to the service is one fault more.
      this.#pass(request, response).catch(() => request.socket.destroy());
    });
  }

  async listen(port: number): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #draw(): Fault | 'passed' {
    let left = this.#random();
    for (const [fault, share] of Object.entries(SHARES)) {
      left -= share;
      if (left < 0) return fault as Fault;
    }
    return 'passed';
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (request.headers.accept === 'text/event-stream') {
      await this.#passStream(request, response);
      return;
    }
    const fault = this.#draw();
    this.counts[fault] += 1;
    const ask = (): Promise<Whole> => this.#ask(request, body);

    if (fault === 'dropRequest') {
      request.socket.destroy();
      return;
    }
    if (fault === 'delayRequest') await sleep(this.#random() * DELAY_MS_MAX);
    if (fault === 'duplicate')
      void sleep(this.#random() * DUPLICATE_DELAY_MS_MAX)
        .then(ask)
        .catch(() => undefined);
    const answer = await ask();
    if (fault === 'delayAnswer') await sleep(this.#random() * DELAY_MS_MAX);
    if (fault === 'dropAnswer') {
      request.socket.destroy();
    } else if (fault === 'badGateway') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>');
    } else {
      response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
      if (fault === 'cutAnswer') {
        response.write(answer.body.subarray(0, answer.body.length / 2));
        setImmediate(() => request.socket.destroy());
      } else {
        response.end(answer.body);
      }
    }
  }

  /** It has no whole answer: it passes as it comes, and is cut after a while, in the middle of whatever it says. */
  async #passStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.counts.streams += 1;
    const outgoing = this.#toService(request);
    outgoing.end();
    const cut = setTimeout(() => request.socket.destroy(), this.#random() * STREAM_MS_MAX);
    response.once('close', () => {
      clearTimeout(cut);
      outgoing.destroy();
    });
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    for (const end of [outgoing, incoming]) end.on('error', () => request.socket.destroy());
    response.writeHead(incoming.statusCode ?? 502, { 'content-type': incoming.headers['content-type'] });
    incoming.pipe(response);
  }

  #toService(request: IncomingMessage): ClientRequest {
    const { hostname, port } = this.#target;
    // The service answers to its own name only; hop-by-hop headers stay here.
    const { connection: _, ...headers } = request.headers;
    return httpRequest({
      hostname,
      port,
      method: request.method,
      path: request.url,
      headers: { ...headers, host: this.#target.host },
      agent: this.#agent,
    });
  }

  async #ask(request: IncomingMessage, body: Buffer): Promise<Whole> {
    const outgoing = this.#toService(request);
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { connection: __, 'transfer-encoding': ___, 'keep-alive': ____, ...passed } = incoming.headers;
    return { status: incoming.statusCode ?? 502, headers: passed, body: Buffer.concat(chunks) };
  }
}
