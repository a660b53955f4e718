/** A receiver of webhooks: takes messages, verifies each as Standard Webhooks say, and answers as it is told. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
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

export class Receiver {
  readonly url: string;
  readonly messages: Message[] = [];
  /** That another webhook of the owner was disabled; they are always taken. */
  readonly notices: Message[] = [];
  /** The status of the next answers, the first first; then 204. */
  readonly answers: number[] = [];
  readonly #server: Server;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  /** @param path of the URL, so that several checks can listen behind one address. @throws Skipped when the server cannot reach this machine. */
  static async open(session: Session, path: string): Promise<Receiver> {
    const given = session.listening;
    if (given === undefined && !LOOPBACK.test(new URL(session.baseUrl).hostname))
      throw new Skipped('the server is on another machine: needs --receiver-url and --receiver-port');
    for (let tried = 0; tried < TRIES_MAX; tried++) {
      const port = given?.port ?? PORT_MIN + 2 * Math.floor((Math.random() * PORT_COUNT) / 2);
      const server = createServer();
      const isOpen = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(port, given === undefined ? '127.0.0.1' : undefined, () => resolve(true));
      });
      if (!isOpen) continue;
      const receiver = new Receiver(`${given?.url.replace(/\/$/, '') ?? `http://127.0.0.1:${port}`}${path}`, server);
      receiver.#listen();
      return receiver;
    }
    throw new Error('no port is free to listen for webhooks');
  }

  #listen(): void {
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const header = (name: string): string => String(request.headers[name] ?? '');
        const body: any = JSON.parse(text);
        const isNotice = body.type === 'webhook.disabled';
        (isNotice ? this.notices : this.messages).push({
          id: header('webhook-id'),
          signedAtS: Number(header('webhook-timestamp')),
          signatures: header('webhook-signature').split(' '),
          text,
          body,
        });
        response.writeHead(isNotice ? 204 : (this.answers.shift() ?? 204)).end();
      });
    });
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
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
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
