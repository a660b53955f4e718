/**
 * All connections of the process, or of one of its HTTP threads: their number, the bytes that wait to be sent, and the end of those that make no progress.
 *
 * Bytes for a client that does not read are outside V8's heap, so no flag of Node.js bounds them. A socket of node:http stays open
 * until its peer closes it. Both are bounded here, for all connections and for each client address. The counters cost an ordinary
 * request two comparisons; one timer runs only while there are connections to check.
 */
import { BlockList, isIPv4, type Server, type Socket } from 'node:net';

import type { Clock, Timer } from '../../engine/ports.ts';
import { CONNECTION_CHECK_MS, NO_PROGRESS_MS_MAX, PIPELINED_MAX, REFUSED_CONNECTIONS_MAX } from '../limits.ts';
import { CLASSES, type RequestClass, unsentBytesPerAddressMax } from '../limits/classes.ts';
import { clientKey } from '../rate-limit.ts';
import { PLACE, type SharedUses } from '../shared/uses.ts';

import { Connection, type CutReason, type SharedBounds } from './connection.ts';

export interface ConnectionFigures {
  open: number;
  unsentBytes: number;
  refused: number;
  cut: Readonly<Record<CutReason, number>>;
}

export interface ConnectionsOptions {
  connectionsMax: number;
  connectionsPerAddressMax: number;
  /** Addresses or CIDR blocks, whose connections are those of many clients. */
  trustedProxies: readonly string[];
  clock: Clock;
  /** Tests shorten it; nothing else should. */
  noProgressMsMax?: number;
  /** Where several threads have connections: the bounds are those of all together. */
  shared?: SharedUses | undefined;
}

/** What one client address uses. */
interface AddressUse {
  connections: number;
  /** By class of requests. */
  unsentBytes: number[];
}

const CONNECTION = Symbol('connection');
type Carrier = Socket & { [CONNECTION]?: Connection };

/** Undefined when the socket's server was not made by `createHttpServer`. */
export function connectionOf(socket: Socket): Connection | undefined {
  return (socket as Carrier)[CONNECTION];
}

export class Connections implements SharedBounds {
  /** Of all connections, by class of requests: handed to a socket and not taken by the kernel, or reserved for an answer that is being made. */
  readonly #unsentBytes: number[] = CLASSES.map(() => 0);
  /** Requests that wait behind another one of their connection. */
  pipelined = 0;
  readonly #options: ConnectionsOptions;
  readonly #noProgressMsMax: number;
  readonly #shared: SharedUses | undefined;
  readonly #addresses = new Map<string, AddressUse>();
  readonly #proxies = new BlockList();
  readonly #watched = new Set<Connection>();
  readonly #cut: Record<CutReason, number> = { no_progress: 0, not_closed: 0, pipelined: 0 };
  #timer: Timer | undefined;
  #open = 0;
  #refused = 0;
  #closing = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#shared = options.shared;
    this.#noProgressMsMax = options.noProgressMsMax ?? NO_PROGRESS_MS_MAX;
    for (const proxy of options.trustedProxies) {
      const [address = '', bits] = proxy.split('/');
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      if (bits === undefined) this.#proxies.addAddress(address, family);
      else this.#proxies.addSubnet(address, Number(bits), family);
    }
  }

  get figures(): ConnectionFigures {
    return { open: this.#open, unsentBytes: this.unsentBytes, refused: this.#refused, cut: this.#cut };
  }

  /** Client addresses that use something now. */
  get addresses(): number {
    return this.#addresses.size;
  }

  get unsentBytes(): number {
    return this.#unsentBytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** True while no request of the class is begun: its bytes wait to be sent. Other classes are answered. */
  isFull(of: RequestClass): boolean {
    return (this.#shared?.unsentBytes(of) ?? (this.#unsentBytes[of.index] as number)) >= of.unsentBytesMax;
  }

  /**
   * Runs before the server's own listeners. `refusal` makes the whole answer to a connection that is not taken. Sockets of TLS are counted
   * before their handshake, where no answer can be sent.
   */
  guard(server: Server, refusal: () => string): void {
    const isTls = 'setSecureContext' in server;
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const address = this.#admit(socket);
      if (address === undefined) {
        this.#refuse(socket, isTls ? undefined : refusal);
        return;
      }
      if (!isTls) this.#attach(socket, address);
      for (const listener of listeners) listener.call(server, socket);
    });
    if (isTls)
      server.prependListener('secureConnection', (socket: Socket) =>
        this.#attach(socket, clientKey(socket.remoteAddress ?? '')),
      );
  }

  /** Counts so many bytes when they may wait for this client, within its part of the class or alone: one step, also where other threads do the same. */
  tryHold(address: string, bytes: number, of: RequestClass): boolean {
    if (this.#shared === undefined ? !this.#mayHold(address, bytes, of) : !this.#shared.tryHold(address, bytes, of))
      return false;
    this.#countHeld(address, bytes, of);
    return true;
  }

  hold(address: string, bytes: number, of: RequestClass): void {
    this.#shared?.hold(address, bytes, of);
    this.#countHeld(address, bytes, of);
  }

  release(address: string, bytes: number, of: RequestClass): void {
    this.#shared?.release(address, bytes, of);
    this.#countHeld(address, -bytes, of);
  }

  /** Whose share an answer counts against: the peer's, or behind a trusted proxy the client's that the proxy names. */
  addressOf(connection: Connection, clientAddress: string | undefined): string {
    return this.#isProxy(connection.socket.remoteAddress ?? '') ? clientKey(clientAddress ?? '') : connection.address;
  }

  /** One more request waits behind another one of its connection; false when too many do. */
  beginToWait(): boolean {
    if (this.#shared === undefined ? this.pipelined >= PIPELINED_MAX : !this.#shared.takePipelined(PIPELINED_MAX))
      return false;
    this.pipelined += 1;
    return true;
  }

  endWaiting(): void {
    this.pipelined -= 1;
    this.#shared?.givePipelined();
  }

  /** Checks a connection repeatedly until it has no unsent bytes and no close to wait for. */
  watch(connection: Connection): void {
    this.#watched.add(connection);
    if (this.#timer === undefined) this.#timer = this.#options.clock.setTimer(() => this.#check(), CONNECTION_CHECK_MS);
  }

  nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  /** Ends a connection at once. Bytes that the peer does not read are dropped, by the kernel too; those for a peer that only does not close are sent. */
  cutOff(connection: Connection, reason: CutReason): void {
    const { socket } = connection;
    connection.cutFor = reason;
    this.#cut[reason] += 1;
    if (reason === 'not_closed') socket.destroy();
    else reset(socket);
  }

  #mayHold(address: string, bytes: number, of: RequestClass): boolean {
    if ((this.#unsentBytes[of.index] as number) + bytes > of.unsentBytesMax) return false;
    const held = this.#addresses.get(address)?.unsentBytes[of.index] ?? 0;
    return held === 0 || held + bytes <= unsentBytesPerAddressMax(of);
  }

  #countHeld(address: string, bytes: number, { index }: RequestClass): void {
    this.#unsentBytes[index] = (this.#unsentBytes[index] as number) + bytes;
    this.#count(address, 0, bytes, index);
  }

  /** An address is remembered only while it uses something, so the map holds no more entries than there are connections and answers. */
  #count(address: string, connections: number, bytes = 0, index = 0): void {
    const use = this.#addresses.get(address) ?? { connections: 0, unsentBytes: CLASSES.map(() => 0) };
    use.connections += connections;
    use.unsentBytes[index] = (use.unsentBytes[index] as number) + bytes;
    if (use.connections === 0 && use.unsentBytes.every((held) => held === 0)) this.#addresses.delete(address);
    else this.#addresses.set(address, use);
  }

  #isProxy(address: string): boolean {
    if (this.#options.trustedProxies.length === 0) return false;
    const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
    return this.#proxies.check(mapped, isIPv4(mapped) ? 'ipv4' : 'ipv6');
  }

  /** Counts a connection until it is closed; undefined when one of the bounds is reached. */
  #admit(socket: Socket): string | undefined {
    const { connectionsMax, connectionsPerAddressMax } = this.#options;
    const peer = socket.remoteAddress ?? '';
    const address = clientKey(peer);
    const ofAddressMax = this.#isProxy(peer) ? Number.POSITIVE_INFINITY : connectionsPerAddressMax;
    if (this.#shared !== undefined) {
      if (this.#shared.take(PLACE.connection, address, ofAddressMax, connectionsMax) !== 'taken') return undefined;
    } else {
      const openOfAddress = this.#addresses.get(address)?.connections ?? 0;
      if (this.#open >= connectionsMax || openOfAddress >= ofAddressMax) return undefined;
    }
    this.#open += 1;
    this.#count(address, 1);
    socket.once('close', () => {
      this.#open -= 1;
      this.#shared?.giveBack(PLACE.connection, address);
      this.#count(address, -1);
    });
    return address;
  }

  #attach(socket: Socket, address: string): Connection {
    const connection = new Connection(this, socket, address);
    (socket as Carrier)[CONNECTION] = connection;
    return connection;
  }

  #refuse(socket: Socket, refusal: (() => string) | undefined): void {
    this.#refused += 1;
    // A refused peer may go away at any time.
    socket.on('error', () => socket.destroy());
    if (refusal === undefined || this.#closing >= REFUSED_CONNECTIONS_MAX) {
      reset(socket);
      return;
    }
    this.#closing += 1;
    socket.once('close', () => {
      this.#closing -= 1;
    });
    const connection = this.#attach(socket, clientKey(socket.remoteAddress ?? ''));
    // Bytes that are not read would turn the close into a reset, which can take the answer from the peer.
    socket.resume();
    connection.end(refusal());
  }

  #check(): void {
    const nowMs = this.nowMs();
    for (const connection of this.#watched) {
      const fault = connection.fault(nowMs, this.#noProgressMsMax);
      if (fault === 'none') this.#watched.delete(connection);
      else if (fault !== 'waiting') {
        this.#watched.delete(connection);
        this.cutOff(connection, fault);
      }
    }
    this.#timer =
      this.#watched.size === 0 ? undefined : this.#options.clock.setTimer(() => this.#check(), CONNECTION_CHECK_MS);
  }
}

/** A socket of TLS has no reset of its own. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
