/** A receiver of webhooks: takes messages, verifies each as Standard Webhooks say, and answers as it is told. */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { Broken, expect, Skipped } from './expect.ts';
import type { Session } from './session.ts';

export interface Message {
  readonly id: string;
  readonly signedAtS: number;
  readonly signatures: readonly string[];
  readonly text: string;
  readonly body: any;
}

const LOOK_MS = 20;
/** Ports above this are handed out by kernels for connections of their own. */
const PORT_MIN = 20_001;
const PORT_COUNT = 6_000;
const TRIES_MAX = 20;
const SKEW_S_MAX = 300;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Of each port, the receivers behind it: several checks listen behind one address. */
const listeners = new Map<number, { server: Server; receivers: Set<Receiver> }>();

async function listen(port: number, host: string | undefined): Promise<Server | undefined> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const receiver = [...(listeners.get(port)?.receivers ?? [])].find(({ path }) => request.url?.endsWith(path));
      if (receiver === undefined) response.writeHead(404).end();
      else response.writeHead(receiver.take(request.headers, Buffer.concat(chunks).toString())).end();
    });
  });
  const isOpen = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => resolve(true));
  });
  return isOpen ? server : undefined;
}

export class Receiver {
  readonly url: string;
  readonly path: string;
  readonly messages: Message[] = [];
  /** That another webhook of the owner was disabled; they are always taken. */
  readonly notices: Message[] = [];
  /** The status of the next answers, the first first; then 204. */
  readonly answers: number[] = [];
  readonly #port: number;

  private constructor(url: string, path: string, port: number) {
    this.url = url;
    this.path = path;
    this.#port = port;
  }

  /** @param name of the URL's path. @throws Skipped when the server cannot reach this machine. */
  static async open(session: Session, name: string): Promise<Receiver> {
    const given = session.listening;
    if (given === undefined && !LOOPBACK.test(new URL(session.baseUrl).hostname))
      throw new Skipped('the server is on another machine: needs --receiver-url and --receiver-port');
    const path = `/${name}-${randomUUID()}`;
    for (let tried = 0; tried < TRIES_MAX; tried++) {
      const port = given?.port ?? PORT_MIN + 2 * Math.floor((Math.random() * PORT_COUNT) / 2);
      const url = given?.url.replace(/\/$/, '') ?? `http://127.0.0.1:${port}`;
      const receiver = new Receiver(url + path, path, port);
      const shared = given === undefined ? undefined : listeners.get(port);
      if (shared !== undefined) {
        shared.receivers.add(receiver);
        return receiver;
      }
      const server = await listen(port, given === undefined ? '127.0.0.1' : undefined);
      if (server === undefined) continue;
      listeners.set(port, { server, receivers: new Set([receiver]) });
      return receiver;
    }
    throw new Error('no port is free to listen for webhooks');
  }

  /** @returns the status to answer. */
  take(headers: IncomingHttpHeaders, text: string): number {
    const header = (name: string): string => String(headers[name] ?? '');
    const body: any = JSON.parse(text);
    const isNotice = body.type === 'webhook.disabled';
    (isNotice ? this.notices : this.messages).push({
      id: header('webhook-id'),
      signedAtS: Number(header('webhook-timestamp')),
      signatures: header('webhook-signature').split(' '),
      text,
      body,
    });
    return isNotice ? 204 : (this.answers.shift() ?? 204);
  }

  async until(count: number, msMax: number): Promise<void> {
    const deadline = Date.now() + msMax;
    while (this.messages.length < count) {
      if (Date.now() > deadline)
        throw new Broken(`${this.messages.length} of ${count} messages came within ${msMax / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async close(): Promise<void> {
    const listener = listeners.get(this.#port);
    if (listener === undefined) return;
    listener.receivers.delete(this);
    if (listener.receivers.size > 0) return;
    listeners.delete(this.#port);
    listener.server.closeAllConnections();
    await new Promise((resolve) => listener.server.close(resolve));
  }
}

/** How many of the secrets have signed the message. @throws Broken unless it was signed now. */
export function signedBy({ id, signedAtS, signatures, text }: Message, secrets: readonly string[]): number {
  expect(
    Math.abs(Date.now() / 1000 - signedAtS) < SKEW_S_MAX,
    `the timestamp of message ${id} is of now, got ${signedAtS}`,
  );
  return secrets.filter((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${signedAtS}.${text}`).digest('base64')}`);
    return signatures.some((each) => each.length === wanted.length && timingSafeEqual(Buffer.from(each), wanted));
  }).length;
}
