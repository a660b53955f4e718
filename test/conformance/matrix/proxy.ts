/** Stands in front of a real server and changes one thing about its answers: a server with one fault. */
import { once } from 'node:events';
import {
  createServer,
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed when it is JSON, else undefined. */
  readonly body: any;
}

/** What the server has answered, to be changed in place. */
export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed when it is JSON; sent in place of the text then. */
  body: any;
  text: string;
}

/** Changes an answer. One is made for each run, so it may remember what it has seen. */
export type Fault = (asked: Asked, answered: Answered) => void;

export interface Proxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Headers between two neighbours (RFC 9110, section 7.6.1), and the length, which changes. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** @param freePort of the machine's own, because those that the kernel hands out may be taken at any moment. */
export async function startProxy(serverUrl: string, port: number, fault: Fault): Promise<Proxy> {
  const upstream = new URL(serverUrl);
  const own = `127.0.0.1:${port}`;
  const toUpstream = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
    // An offer of HTTP/2, which the client in Java makes with its first request, is between neighbours.
    const { connection: _connection, upgrade: _upgrade, 'http2-settings': _settings, ...plain } = headers;
    const kept = isWebsocket(headers) ? headers : plain;
    return { ...kept, host: headers.host === own ? upstream.host : headers.host };
  };

  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: 0,
      maxHeaderSize: 64 * 1024,
      shouldUpgradeCallback: ({ headers }) => isWebsocket(headers),
    },
    (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      const { method = 'GET', url: path = '/' } = incoming;
      const forwarded = send({
        hostname: upstream.hostname,
        port: upstream.port,
        method,
        path,
        headers: toUpstream(incoming.headers),
        agent: false,
      });
      forwarded.on('error', () => outgoing.destroyed || outgoing.headersSent || outgoing.destroy());
      // As it comes, so that half a request stays half a request.
      incoming.pipe(forwarded);
      incoming.on('error', () => forwarded.destroy());
      forwarded.on('response', (response) => {
        void pass(
          response,
          outgoing,
          (answered) =>
            fault({ method, path, headers: incoming.headers, body: json(Buffer.concat(chunks).toString()) }, answered),
          incoming.complete,
        );
      });
    },
  );
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
    tunnel(upstream, toUpstream(incoming.headers), incoming, socket, head, fault),
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isWebsocket = ({ upgrade }: IncomingHttpHeaders): boolean => upgrade?.toLowerCase() === 'websocket';

async function pass(
  response: IncomingMessage & { req?: { method: string } },
  outgoing: ServerResponse,
  change: (answered: Answered) => void,
  complete: boolean,
): Promise<void> {
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
  if (headers['content-type']?.includes('text/event-stream') === true) {
    await passStream(response, outgoing, headers, change);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const answered: Answered = { status: response.statusCode ?? 0, headers, body: json(text), text };
  change(answered);
  const body = answered.body === undefined ? answered.text : JSON.stringify(answered.body);
  for (const [name, value] of Object.entries(answered.headers))
    if (value !== undefined) outgoing.setHeader(name, value);
  if (!complete) outgoing.setHeader('connection', 'close');
  // The length of an answer to HEAD is that of a body which does not come.
  const length =
    response.req?.method === 'HEAD' && body === '' ? response.headers['content-length'] : Buffer.byteLength(body);
  outgoing.writeHead(answered.status, length === undefined ? {} : { 'content-length': length });
  outgoing.end(body, () => {
    if (!complete) outgoing.socket?.destroySoon();
  });
}

/** A stream never ends: a fault sees what has come each time as an answer of its own. */
async function passStream(
  response: IncomingMessage,
  outgoing: ServerResponse,
  headers: Answered['headers'],
  change: (answered: Answered) => void,
): Promise<void> {
  outgoing.writeHead(response.statusCode ?? 0, headers as Record<string, string>);
  outgoing.on('close', () => response.destroy());
  response.setEncoding('utf8');
  try {
    for await (const text of response as AsyncIterable<string>) {
      const answered: Answered = { status: response.statusCode ?? 0, headers, body: undefined, text };
      change(answered);
      outgoing.write(answered.text);
    }
  } catch {
    // Who read it has gone away.
  }
  outgoing.end();
}

/** A websocket goes through as it is; a fault sees each frame of the server as an answer to its path. */
function tunnel(
  upstream: URL,
  headers: IncomingHttpHeaders,
  incoming: IncomingMessage,
  socket: Socket,
  head: Buffer,
  fault: Fault,
): void {
  const behind = connect(Number(upstream.port), upstream.hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  behind.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  behind.write(head);
  socket.pipe(behind);
  let upgraded = false;
  behind.on('data', (chunk: Buffer) => {
    // The first chunk is the handshake; frames of a few bytes less than the small limit are changed without a new length.
    if (upgraded) {
      const answered: Answered = { status: 101, headers: {}, body: undefined, text: chunk.toString('latin1') };
      fault({ method: 'GET', path: incoming.url ?? '/', headers, body: undefined }, answered);
      socket.write(Buffer.from(answered.text, 'latin1'));
    } else {
      upgraded = true;
      socket.write(chunk);
    }
  });
  const end = (): void => {
    socket.destroy();
    behind.destroy();
  };
  for (const each of [socket, behind]) {
    each.on('error', end);
    each.on('close', end);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
