/** A client of server-sent events over a bare socket: parses as WHATWG HTML section 9.2.6 says, and can stop reading. */
import { request, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { TOKEN } from './stub-gateway.ts';

export interface Received {
  id: string;
  event: string;
  data: any;
}

export class EventClient {
  readonly events: Received[] = [];
  readonly comments: string[] = [];
  /** The text as it came. */
  text = '';
  /** What a stock EventSource would send when it connects again. */
  lastEventId = '';
  status = 0;
  headers: IncomingMessage['headers'] = {};
  retryMs: number | undefined;
  /** The answer ended as a whole one. */
  isComplete = false;
  isClosed = false;
  readonly #request: ClientRequest;
  #incoming: IncomingMessage | undefined;
  #rest = '';
  #wake: (() => void)[] = [];

  constructor(
    port: number,
    path = '/events',
    headers: OutgoingHttpHeaders = {},
    options: { localAddress?: string; isPaused?: boolean } = {},
  ) {
    this.#request = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${TOKEN}`, ...headers },
      ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
    });
    this.#request.on('response', (incoming) => {
      this.#incoming = incoming;
      this.status = incoming.statusCode ?? 0;
      this.headers = incoming.headers;
      incoming.setEncoding('utf8');
      if (options.isPaused !== true) incoming.on('data', (chunk: string) => this.#take(chunk));
      incoming.on('end', () => (this.isComplete = incoming.complete));
      incoming.on('error', () => undefined);
      incoming.on('close', () => this.#close());
      this.#notify();
    });
    this.#request.on('error', () => this.#close());
    this.#request.end();
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  /** Resolves when it holds, which is looked at whenever something arrives. */
  async until(holds: () => boolean): Promise<this> {
    while (!holds()) {
      if (this.isClosed) throw new Error(`the stream ended (${this.status}): ${this.text.slice(-300)}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this;
  }

  opened(): Promise<this> {
    return this.until(() => this.retryMs !== undefined);
  }

  async closed(): Promise<this> {
    while (!this.isClosed) await new Promise<void>((resolve) => this.#wake.push(resolve));
    return this;
  }

  /** Reads on after it was opened with `isPaused`. */
  resume(): void {
    this.#incoming?.on('data', (chunk: string) => this.#take(chunk));
  }

  destroy(): void {
    this.#request.destroy();
  }

  #take(chunk: string): void {
    this.text += chunk;
    this.#rest += chunk;
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#block(block);
    this.#notify();
  }

  #block(block: string): void {
    const data: string[] = [];
    let event = 'message';
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
      if (name === '') this.comments.push(value);
      else if (name === 'id') this.lastEventId = value;
      else if (name === 'retry') this.retryMs = Number(value);
      else if (name === 'event') event = value;
      else if (name === 'data') data.push(value);
    }
    if (data.length > 0) this.events.push({ id: this.lastEventId, event, data: JSON.parse(data.join('\n')) });
  }

  #close(): void {
    this.isClosed = true;
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
