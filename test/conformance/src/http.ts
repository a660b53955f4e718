/** Requests with full control over headers and bytes, a bound on time and size, and no pool: what one check leaves behind, no other meets. */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Broken } from './expect.ts';

export interface Answer {
  readonly baseUrl: string;
  /** What relative references in the answer are relative to. */
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed when the media type is JSON, else undefined. */
  readonly body: any;
}

export interface Ask {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: object | string | Uint8Array | undefined;
}

/** Longer than any wait that the contract knows (30 s) and than the time to send a request (15 s). */
const ANSWER_MS_MAX = 45_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export function ask(baseUrl: string, path: string, { method = 'GET', headers = {}, body }: Ask): Promise<Answer> {
  const url = new URL(baseUrl);
  const bytes =
    body === undefined
      ? undefined
      : typeof body === 'string' || body instanceof Uint8Array
        ? Buffer.from(body)
        : Buffer.from(JSON.stringify(body));
  const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = send({
      hostname: url.hostname,
      port: url.port,
      method,
      path: url.pathname.replace(/\/$/, '') + path,
      agent: false,
      headers: { ...length, ...headers },
      timeout: ANSWER_MS_MAX,
    });
    let answered = false;
    outgoing.on('timeout', () =>
      outgoing.destroy(new Broken(`${method} ${path} was not answered within ${ANSWER_MS_MAX / 1000} s`)),
    );
    outgoing.on('error', (error) => {
      // A server that refuses a large body may close while it is still being sent; the answer counts.
      if (!answered) reject(error);
    });
    outgoing.on('response', (response) => {
      answered = true;
      read(response).then((text) => resolve(answerOf(baseUrl, method, path, response, text)), reject);
    });
    outgoing.end(bytes);
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Broken('an answer is larger than 16 MiB');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answerOf(
  baseUrl: string,
  method: string,
  path: string,
  { statusCode = 0, headers }: IncomingMessage,
  text: string,
): Answer {
  let body: unknown;
  if (/[/+]json\b/.test(headers['content-type'] ?? '') && text !== '') {
    try {
      body = JSON.parse(text);
    } catch {
      throw new Broken(
        `${method} ${path} answered ${statusCode} with JSON that cannot be parsed: ${text.slice(0, 200)}`,
      );
    }
  }
  return { baseUrl, url: baseUrl + path, method, path, status: statusCode, headers, text, body };
}

/** A stream of server-sent events, as far as it was read. */
export interface EventStream {
  readonly status: number;
  readonly mediaType: string;
  /** Everything that came, as it came. */
  readonly text: () => string;
  /** The data of each event, parsed, with the `id` and `event` lines. */
  readonly events: () => readonly { id: string; event: string; data: any }[];
  /** Waits until `enough` is true of what came. @throws Broken after `msMax`. */
  until(enough: () => boolean, msMax: number, what: string): Promise<void>;
  close(): void;
}

const LOOK_MS = 20;

export async function openStream(
  baseUrl: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const url = new URL(baseUrl);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = send({
    hostname: url.hostname,
    port: url.port,
    path: url.pathname.replace(/\/$/, '') + path,
    agent: false,
    headers: { accept: 'text/event-stream', ...headers },
  });
  outgoing.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
  });
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => (text += chunk));
  // An end is seen by what does not come any more.
  response.on('error', () => undefined);
  const events = (): { id: string; event: string; data: any }[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .flatMap((block) => {
        const lines = block.split('\n');
        const of = (name: string): string | undefined =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = of('data');
        return data === undefined ? [] : [{ id: of('id') ?? '', event: of('event') ?? '', data: JSON.parse(data) }];
      });
  return {
    status: response.statusCode ?? 0,
    mediaType: (response.headers['content-type'] ?? '').split(';')[0] ?? '',
    text: () => text,
    events,
    until: async (enough, msMax, what) => {
      const deadline = Date.now() + msMax;
      while (!enough()) {
        if (Date.now() > deadline) throw new Broken(`${what} did not come within ${msMax / 1000} s`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    close: () => outgoing.destroy(),
  };
}

/** Sends bytes that need not be a whole request, and listens until the other side closes. @returns what came back. */
export function sendRaw(baseUrl: string, bytes: string, msMax: number): Promise<string> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const secure = protocol === 'https:';
  const to = { host: hostname, port: Number(port === '' ? (secure ? 443 : 80) : port) };
  return new Promise((resolve, reject) => {
    const socket: Socket = secure ? connectTls({ ...to, servername: hostname }) : connectTcp(to);
    let text = '';
    const timer = setTimeout(() => socket.destroy(), msMax);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(bytes);
  });
}
