/** Stands between a store and its database, and breaks the connection in ways that a killed server does not. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../e2e/support/server.ts';

/** A COMMIT as the simple protocol sends it: type, four bytes of length, text, zero. */
const COMMIT = /Q[^]{4}commit\0/;

type AtCommit =
  /** Goes through, and its answer too. */
  | 'pass'
  /** Never arrives; the client's connection breaks. */
  | 'cut'
  /** Arrives; the client's connection breaks instead of bringing the answer. */
  | 'answer lost';

export class Proxy {
  atCommit: AtCommit = 'pass';
  /** What clients sent, all of them together: as often as one sent something after it had been answered. */
  flights: string[] = [];
  #answered = true;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #frozen = false;

  readonly #delayMs: number;

  private constructor(server: Server, delayMs: number) {
    this.#server = server;
    this.#delayMs = delayMs;
  }

  /** Returns the proxy and the URL that leads through it. `delayMs`: what each way takes. */
  static async before(url: string, { delayMs = 0 } = {}): Promise<{ proxy: Proxy; url: string }> {
    const { hostname, port: serverPort } = new URL(url);
    const port = await freePort();
    const server = createServer();
    const proxy = new Proxy(server, delayMs);
    server.on('connection', (client) => proxy.#join(client, connect(Number(serverPort), hostname)));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const through = new URL(url);
    through.port = String(port);
    return { proxy, url: through.href };
  }

  /** From now on nothing gets through and nobody is told, as when the server's host vanishes. */
  freeze(): void {
    this.#frozen = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** What is open never moves a byte again and nobody is told; new connections work: a firewall has lost its table. */
  forget(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** What clients send over open connections arrives, and no answer comes back; new connections work. */
  loseAnswers(): void {
    for (const [, server] of this.#pairs) server.pause();
  }

  thaw(): void {
    this.#frozen = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  /** Resolves when a client connects anew; throws when none does within this time. */
  async joined(withinMs: number): Promise<void> {
    await once(this.#server, 'connection', { signal: AbortSignal.timeout(withinMs) });
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const part = (): void => {
      client.destroy();
      server.destroy();
      this.#pairs.delete(pair);
    };
    for (const socket of pair) {
      socket.on('error', part);
      socket.on('close', part);
      if (this.#frozen) socket.pause();
    }
    let commitSent = false;
    client.on('data', (data) => {
      const commits = COMMIT.test(data.toString('latin1'));
      if (commits && this.atCommit === 'cut') return part();
      commitSent ||= commits && this.atCommit === 'answer lost';
      if (this.#answered) this.flights.push('');
      this.#answered = false;
      this.flights.push(`${this.flights.pop()}${data.toString('latin1')}`);
      this.#later(() => server.write(data));
    });
    server.on('data', (data) => {
      // The server answers a COMMIT after it is durable.
      if (commitSent) return part();
      this.#later(() => {
        this.#answered = true;
        client.write(data);
      });
    });
  }

  /** Each after those before it: timers of one length keep their order. */
  #later(pass: () => void): void {
    if (this.#delayMs === 0) pass();
    else setTimeout(pass, this.#delayMs);
  }
}
