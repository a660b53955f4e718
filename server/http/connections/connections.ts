/**
 * All connections of the process, or of one of its HTTP threads: their number, the bytes that wait to be sent, and the end of those that
 * make no progress.
 *
 * Bytes for a client that does not read are outside V8's heap, so no flag of Node.js bounds them. A socket of node:http stays open until
 * its peer closes it. Both are bounded here, for all connections and for each client address. The counters cost an ordinary request two
 * comparisons; one timer runs only while there are connections to check.
 *
 * The connections of a trusted proxy carry the requests of many clients, so only their total is bounded. In place of connections the
 * requests in flight are counted, for the client that the proxy names, with the same bound as for connections of its own.
 */
import type { ServerResponse } from 'node:http';
import { BlockList, isIPv4, type Server, type Socket } from 'node:net';

import type { Clock, Timer } from '../../engine/ports.ts';
import {
  CONNECTION_CHECK_MS,
  CONNECTIONS_KEPT_FREE,
  CONNECTIONS_NEVER_TAKEN,
  CONNECTIONS_OF_THREADS,
  NO_PROGRESS_MS_MAX,
  PIPELINED_MAX,
  PIPELINED_PER_ADDRESS_MAX,
  REFUSED_CONNECTIONS_MAX,
  SMALL_ANSWER_BYTES_MAX,
} from '../limits.ts';
import type { RequestClass } from '../limits/classes.ts';
import { clientKey } from '../rate-limit.ts';
import { PLACE, type SharedUses } from '../shared/uses.ts';

import { Connection, type CutReason, type SharedBounds } from './connection.ts';
import { type Held, Holders } from './holders.ts';

export interface ConnectionFigures {
  open: number;
  unsentBytes: number;
  refused: number;
  cut: Readonly<Record<CutReason, number>>;
}

export interface ConnectionsOptions {
  connectionsMax: number;
  connectionsPerAddressMax: number;
  /** Addresses or CIDR blocks of proxies, whose connections carry the requests of many clients. */
  trustedProxies: readonly string[];
  clock: Clock;
  /** Only tests shorten it. */
  noProgressMsMax?: number;
  /** Counts of all threads together, which the bounds apply to. */
  shared: SharedUses;
}

const CONNECTION = Symbol('connection');
type Carrier = Socket & { [CONNECTION]?: Connection };

/** Undefined when the socket's server was not made by `createHttpServer`. */
export function connectionOf(socket: Socket): Connection | undefined {
  return (socket as Carrier)[CONNECTION];
}

export class Connections implements SharedBounds {
  /** Bytes of this thread: given to a socket and not yet taken by the kernel, or reserved for an answer that is being made. */
  unsentBytes = 0;
  /** Requests that wait behind another one of their connection. */
  pipelined = 0;
  readonly #options: ConnectionsOptions;
  readonly #noProgressMsMax: number;
  readonly #shared: SharedUses;
  readonly #proxies = new BlockList();
  readonly #watched = new Set<Connection>();
  readonly #holders = new Holders();
  readonly #cut: Record<CutReason, number> = { no_progress: 0, not_closed: 0, pipelined: 0, idle: 0 };
  /** Places that only this thread can use. */
  readonly #ownMax: number;
  #timer: Timer | undefined;
  /** Places of this thread in use; its own are used first. */
  #open = 0;
  #refused = 0;
  #closing = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#shared = options.shared;
    this.#noProgressMsMax = options.noProgressMsMax ?? NO_PROGRESS_MS_MAX;
    const { threads } = options.shared;
    this.#ownMax = threads === 1 ? 0 : Math.floor((options.connectionsMax * CONNECTIONS_OF_THREADS) / threads);
    this.#shared.reserve(PLACE.connection, this.#ownMax, options.connectionsMax);
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

  /** The number of client addresses that use something now. */
  get addresses(): number {
    return this.#shared.addresses;
  }

  /**
   * True if no request of the class may begin for this caller: the class is full, and more than one small answer to this caller is unsent.
   * A caller that reads its answers always gets small ones, even if others do not read theirs.
   */
  isFullFor(caller: string, of: RequestClass): boolean {
    return (
      this.#shared.unsentBytes(of) >= of.unsentBytesMax &&
      this.#shared.unsentBytesOf(caller, of) > SMALL_ANSWER_BYTES_MAX
    );
  }

  /**
   * Adds the bounds before the server's own listeners. `refusal` returns the complete answer to a refused connection. TLS sockets are
   * counted before their handshake, when no answer can be sent.
   */
  guard(server: Server, refusal: () => string): void {
    const isTls = 'setSecureContext' in server;
    /**
     * Places of connections during their handshake: the TLS socket is another object than the socket of the connection, with the same peer.
     */
    const handshakes = new Map<string, Held>();
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const held = this.#admit(socket);
      if (held === undefined) {
        this.#refuse(socket, isTls ? undefined : refusal);
        return;
      }
      if (isTls) {
        const peer = peerOf(socket);
        handshakes.set(peer, held);
        socket.once('close', () => handshakes.get(peer) === held && handshakes.delete(peer));
      } else held.connection = this.#attach(socket, held.address);
      for (const listener of listeners) listener.call(server, socket);
    });
    if (isTls)
      server.prependListener('secureConnection', (socket: Socket) => {
        const connection = this.#attach(socket, clientKey(socket.remoteAddress ?? ''));
        const held = handshakes.get(peerOf(socket));
        if (held === undefined) return;
        handshakes.delete(peerOf(socket));
        held.socket = socket;
        held.connection = connection;
      });
  }

  tryHold(caller: string, bytes: number, of: RequestClass): boolean {
    if (!this.#shared.tryHold(caller, bytes, of)) return false;
    this.unsentBytes += bytes;
    return true;
  }

  hold(caller: string, bytes: number, of: RequestClass): void {
    this.unsentBytes += bytes;
    this.#shared.hold(caller, bytes, of);
  }

  /**
   * Counts a request through a trusted proxy until its answer is complete; false when its client has reached the bound of requests in
   * flight.
   */
  tryBegin(response: ServerResponse, clientAddress: string | undefined): boolean {
    const { socket } = response;
    if (this.#options.trustedProxies.length === 0 || socket === null || connectionOf(socket)?.isProxied !== true)
      return true;
    const { connectionsMax, connectionsPerAddressMax } = this.#options;
    const address = clientKey(clientAddress ?? '');
    const taken = this.#shared.take(PLACE.proxiedRequest, address, connectionsPerAddressMax, connectionsMax);
    if (taken !== 'taken') return false;
    response.once('close', () => this.#shared.giveBack(PLACE.proxiedRequest, address));
    return true;
  }

  /** Counts one more request that waits behind another one of its connection; false when the bound of its address or of all is reached. */
  beginToWait({ address, isProxied }: Connection): boolean {
    const ofAddressMax = isProxied ? PIPELINED_MAX : PIPELINED_PER_ADDRESS_MAX;
    if (this.#shared.take(PLACE.pipelined, address, ofAddressMax, PIPELINED_MAX) !== 'taken') return false;
    this.pipelined += 1;
    return true;
  }

  endWaiting({ address }: Connection): void {
    this.pipelined -= 1;
    this.#shared.giveBack(PLACE.pipelined, address);
  }

  /** Checks a connection repeatedly until it has no unsent bytes and no close to wait for. */
  watch(connection: Connection): void {
    this.#watched.add(connection);
    if (this.#timer === undefined) this.#timer = this.#options.clock.setTimer(() => this.#check(), CONNECTION_CHECK_MS);
  }

  nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  /**
   * Ends a connection at once. Bytes that the peer does not read are dropped, in the kernel too. If the peer only fails to close, its bytes
   * are still sent.
   */
  cutOff(connection: Connection, reason: CutReason): void {
    const { socket } = connection;
    connection.cutFor = reason;
    this.#cut[reason] += 1;
    if (reason === 'not_closed') socket.destroy();
    else reset(socket);
  }

  #isProxy(address: string): boolean {
    if (this.#options.trustedProxies.length === 0) return false;
    const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
    return this.#proxies.check(mapped, isIPv4(mapped) ? 'ipv4' : 'ipv6');
  }

  /** Counts a connection until it is closed; undefined when one of the bounds is reached. */
  #admit(socket: Socket): Held | undefined {
    const peer = socket.remoteAddress ?? '';
    const address = clientKey(peer);
    const isProxied = this.#isProxy(peer);
    if (!this.#takePlace(address, isProxied)) return undefined;
    // Before the new connection is among the candidates.
    if (this.#isNearlyFull) this.#endOne(address, isProxied, false);
    let isHeld = true;
    const held: Held = {
      address,
      isProxied,
      socket,
      connection: undefined,
      openedMs: this.nowMs(),
      begunMs: undefined,
      release: () => {
        if (!isHeld) return false;
        isHeld = false;
        this.#holders.delete(held);
        this.#shared.unassign(PLACE.connection, address);
        return true;
      },
    };
    this.#holders.add(held);
    socket.once('close', () => held.release() && this.#freePlace());
    return held;
  }

  /**
   * Takes a place for a connection of this address: a place of this thread, otherwise one that belongs to no thread, otherwise the place of
   * a connection that is ended for it.
   */
  #takePlace(address: string, isProxied: boolean): boolean {
    const { connectionsMax, connectionsPerAddressMax } = this.#options;
    const ofAddressMax = isProxied ? Number.POSITIVE_INFINITY : connectionsPerAddressMax;
    if (!this.#shared.assign(PLACE.connection, address, ofAddressMax)) return false;
    if (this.#open < this.#ownMax || this.#shared.reserve(PLACE.connection, 1, connectionsMax)) {
      this.#open += 1;
      return true;
    }
    // The place passes to the new connection without being free in between, when another thread could take it.
    if (this.#endOne(address, isProxied, true)) return true;
    this.#shared.unassign(PLACE.connection, address);
    return false;
  }

  #freePlace(): void {
    this.#open -= 1;
    if (this.#open >= this.#ownMax) this.#shared.unreserve(PLACE.connection);
  }

  #attach(socket: Socket, address: string): Connection {
    const connection = new Connection(this, socket, address, this.#isProxy(socket.remoteAddress ?? ''));
    (socket as Carrier)[CONNECTION] = connection;
    return connection;
  }

  /** With few places left, idle connections are closed, so that an address with a request gets a place. */
  get #isNearlyFull(): boolean {
    const { connectionsMax } = this.#options;
    return this.#open > this.#ownMax && this.#shared.connections > connectionsMax * (1 - CONNECTIONS_KEPT_FREE);
  }

  /**
   * Ends a connection of the address that holds the most, to make room for this address. An address loses a connection only to an address
   * that has fewer, or as many if the connection was idle for long: so opening more connections has no advantage. The clients behind a
   * proxy are not counted together. `isUrgent`: the place stays taken, for the new connection.
   */
  #endOne(address: string, isProxied: boolean, isUrgent: boolean): boolean {
    const own = isProxied ? 0 : this.#shared.connectionsOf(address);
    const held = this.#holders.choose({
      nowMs: this.nowMs(),
      isUrgent,
      mayTake: (other) => {
        const count = this.#shared.connectionsOf(other);
        if (count > Math.max(own + 1, CONNECTIONS_NEVER_TAKEN)) return 'all';
        return count >= own ? 'idle' : 'none';
      },
    });
    if (held === undefined) return false;
    // The place is free at once: the socket is closed before any other event.
    if (held.release() && !isUrgent) this.#freePlace();
    if (held.socket.destroyed) return true;
    this.#cut.idle += 1;
    if (held.connection !== undefined) held.connection.cutFor = 'idle';
    // Bytes that are not read would otherwise stay in the kernel.
    if (held.connection?.isUnread === true) reset(held.socket);
    else held.socket.destroy();
    return true;
  }

  #refuse(socket: Socket, refusal: (() => string) | undefined): void {
    this.#refused += 1;
    // A refused peer may disconnect at any time.
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
    // Unread input would turn the close into a reset, which can destroy the answer on its way to the peer.
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

/** Unique at any time: two connections to one port have different peers. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** A TLS socket has no reset of its own. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
