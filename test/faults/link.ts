/**
 * One link of the network: a TCP relay in front of a port, which can be cut, reset, refused, slowed down, or made to forget its connections.
 *
 * A cut is half open, as behind a firewall that drops packets: new connections are accepted, old ones stay, and no byte moves in the directions that are cut. What
 * was sent meanwhile, an end of the connection included, arrives when the cut is over, as TCP sends it again then.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** `up`: from who connects to the port behind; `down`: back. */
export type Direction = 'up' | 'down';
export const BOTH: readonly Direction[] = ['up', 'down'];

/** One direction of one connection. What it has read and not written yet is kept in order, whatever becomes of the delay meanwhile. */
class Flow {
  readonly #link: Link;
  readonly #from: Socket;
  readonly #to: Socket;
  readonly direction: Direction;
  readonly #queue: { dueMs: number; chunk: Buffer | undefined }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isBroken = false;

  constructor(link: Link, from: Socket, to: Socket, direction: Direction) {
    this.#link = link;
    this.#from = from;
    this.#to = to;
    this.direction = direction;
    from.on('data', (chunk: Buffer) => this.#take(chunk));
    from.on('end', () => this.#take(undefined));
    // A reset is told to the other side like everything else: not while the link is cut.
    from.on('error', () => (this.#isBroken = true));
    from.on('close', () => this.#passBreak());
    to.on('drain', () => this.#read());
    if (link.isCut(direction)) this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    this.#from.pause();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  go(): void {
    this.#isStopped = false;
    this.#write();
    this.#read();
    if (this.#from.destroyed) this.#passBreak();
  }

  #read(): void {
    if (!this.#isStopped) this.#from.resume();
  }

  #take(chunk: Buffer | undefined): void {
    this.#queue.push({ dueMs: performance.now() + this.#link.delayMs, chunk });
    this.#link.tries += 1;
    this.#write();
  }

  #write(): void {
    while (!this.#isStopped && this.#timer === undefined) {
      const [next] = this.#queue;
      if (next === undefined) return;
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#write();
        }, waitMs);
        return;
      }
      this.#queue.shift();
      if (this.#to.destroyed) continue;
      if (next.chunk === undefined) this.#to.end();
      else {
        this.#link.onMoved(this.direction, next.chunk.length);
        if (!this.#to.write(next.chunk)) this.#from.pause();
      }
    }
  }

  #passBreak(): void {
    if (this.#isStopped || this.#to.destroyed) return;
    if (this.#isBroken) this.#to.resetAndDestroy();
    else if (!this.#to.writableEnded && this.#queue.length === 0) this.#to.end();
  }
}

class Connection {
  readonly #sockets: readonly [Socket, Socket];
  readonly #flows: readonly [Flow, Flow];

  constructor(link: Link, client: Socket, upstream: Socket) {
    this.#sockets = [client, upstream];
    this.#flows = [new Flow(link, client, upstream, 'up'), new Flow(link, upstream, client, 'down')];
  }

  /** The other end is told of a reset, as TCP tells it. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  get isOver(): boolean {
    return this.#sockets.every(({ destroyed }) => destroyed);
  }

  stop(directions: readonly Direction[]): void {
    for (const flow of this.#flows) if (directions.includes(flow.direction)) flow.stop();
  }

  go(): void {
    for (const flow of this.#flows) flow.go();
  }
}

export class Link {
  readonly name: string;
  readonly port: number;
  /** The port behind; another one when the server there was replaced. */
  target: number;
  delayMs = 0;
  /** Bytes handed on since the link was made. */
  readonly moved: Record<Direction, number> = { up: 0, down: 0 };
  /** How often anyone tried to connect or to send. */
  tries = 0;
  readonly #server: Server;
  #connections = new Set<Connection>();
  /** Accepted while the way up is cut: they go on when it is not. */
  readonly #unanswered = new Set<Socket>();
  readonly #forgotten: Connection[] = [];
  #cut: readonly Direction[] = [];

  private constructor(name: string, port: number, target: number) {
    this.name = name;
    this.port = port;
    this.target = target;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client));
  }

  static async open(name: string, port: number, target: number): Promise<Link> {
    const link = new Link(name, port, target);
    await link.#listen();
    return link;
  }

  isCut(direction: Direction): boolean {
    return this.#cut.includes(direction);
  }

  onMoved(direction: Direction, bytes: number): void {
    this.moved[direction] += bytes;
  }

  /** Half open in these directions, until `heal`. */
  cut(directions: readonly Direction[] = BOTH): void {
    this.#cut = directions;
    for (const connection of this.#connections) connection.stop(directions);
  }

  /** Nobody listens, and what was open is reset. Its `close` event is not waited for: forgotten connections stay. */
  refuse(): void {
    this.#server.close();
    this.reset();
  }

  reset(): void {
    for (const connection of this.#connections) connection.reset();
    for (const client of this.#unanswered) client.resetAndDestroy();
  }

  /** What is open stays so for both ends, and never moves a byte again, as when a firewall lost its table. New connections work. */
  forget(): number {
    const forgotten = [...this.#connections].filter(({ isOver }) => !isOver);
    for (const connection of forgotten) connection.stop(BOTH);
    this.#forgotten.push(...forgotten);
    this.#connections = new Set();
    return forgotten.length;
  }

  /** As if nothing had been. */
  async heal(): Promise<void> {
    this.#cut = [];
    this.delayMs = 0;
    for (const connection of this.#connections) connection.go();
    for (const client of this.#unanswered) this.#connect(client);
    this.#unanswered.clear();
    if (!this.#server.listening) await this.#listen();
  }

  close(): void {
    for (const connection of this.#forgotten) connection.reset();
    this.refuse();
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.port, HOST);
    await once(this.#server, 'listening');
  }

  #accept(client: Socket): void {
    this.tries += 1;
    // What its sender does to it is told by the flows.
    client.on('error', () => undefined);
    if (!this.isCut('up')) {
      this.#connect(client);
      return;
    }
    this.#unanswered.add(client);
    client.once('close', () => this.#unanswered.delete(client));
  }

  #connect(client: Socket): void {
    if (client.destroyed) return;
    const upstream = connect({ port: this.target, host: HOST, allowHalfOpen: true, noDelay: true });
    const connection = new Connection(this, client, upstream);
    this.#connections.add(connection);
    const forgetOver = (): void => {
      if (connection.isOver) this.#connections.delete(connection);
    };
    client.once('close', forgetOver);
    upstream.once('close', forgetOver);
  }
}
