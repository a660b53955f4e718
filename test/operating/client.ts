/** What a client does through a proxy: requests from an address of its choice, an event stream, a websocket; the certificate is always checked. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { WebSocket } from 'ws';

const ANSWER_MS_MAX = 40_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  /** An address of this machine that the client has: 127.0.0.2 is another client than 127.0.0.1. */
  from?: string;
}

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly comment: string | undefined;
}

export class Client {
  readonly #base: URL;
  readonly #ca: Buffer;
  readonly #token: string;

  constructor(baseUrl: string, caFile: string, token: string) {
    this.#base = new URL(baseUrl);
    this.#ca = readFileSync(caFile);
    this.#token = token;
  }

  #options(path: string, { method = 'GET', headers = {}, from = '127.0.0.1' }: Asked): object {
    const { port } = this.#base;
    return {
      host: '127.0.0.1',
      servername: 'localhost',
      port,
      path,
      method,
      ca: this.#ca,
      localAddress: from,
      agent: false,
      timeout: ANSWER_MS_MAX,
      headers: { host: this.#base.host, authorization: `Bearer ${this.#token}`, ...headers },
    };
  }

  ask(path: string, asked: Asked = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const json =
        asked.body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(asked.body)) };
      const outgoing = request(
        this.#options(path, { ...asked, headers: { ...json, ...asked.headers } }),
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
          incoming.on('error', reject);
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${path}: no answer`)));
      outgoing.on('error', reject);
      outgoing.end(asked.body);
    });
  }

  /** Reads the stream until `isEnough` says so. */
  events(
    headers: Record<string, string>,
    isEnough: (seen: readonly StreamedEvent[]) => boolean,
  ): Promise<readonly StreamedEvent[]> {
    return new Promise((resolve, reject) => {
      const seen: StreamedEvent[] = [];
      const outgoing = request(
        this.#options('/events', { headers: { accept: 'text/event-stream', ...headers } }),
        (incoming) => {
          if (incoming.statusCode !== 200) reject(new Error(`/events was answered ${incoming.statusCode}`));
          let rest = '';
          incoming.setEncoding('utf8').on('data', (chunk: string) => {
            const records = (rest + chunk).split('\n\n');
            rest = records.pop() ?? '';
            for (const record of records)
              seen.push({ id: /^id: ?(.+)$/m.exec(record)?.[1], comment: /^: ?(.+)$/m.exec(record)?.[1] });
            if (!isEnough(seen)) return;
            outgoing.destroy();
            resolve(seen);
          });
          incoming.on('end', () => reject(new Error(`the stream ended after ${seen.length} records`)));
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error('nothing came on the stream')));
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  /** One call of the chain's RPC over a websocket. */
  status(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`wss://localhost:${this.#base.port}/rpc/websocket`, {
        ca: this.#ca,
        handshakeTimeout: ANSWER_MS_MAX,
        headers: { authorization: `Bearer ${this.#token}` },
      });
      socket.once('open', () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params: {} })));
      socket.once('message', (data: Buffer) => {
        socket.close();
        resolve(
          (JSON.parse(data.toString()) as { result?: { node_info?: { network?: string } } }).result?.node_info?.network,
        );
      });
      socket.once('error', reject);
    });
  }
}
