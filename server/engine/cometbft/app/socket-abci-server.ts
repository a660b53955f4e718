/**
 * ABCI over a socket: the transport that a stock node uses with `proxy_app = tcp://...` or `unix://...`.
 *
 * A node opens four connections (consensus, mempool, query, snapshot). Each is answered in its own order; across them one request is
 * executed at a time, a request of each in turn, so that a query never waits behind a mempool's whole queue. All answers of one turn of the
 * event loop go out in one write for each connection.
 *
 * Checks that have arrived together are read together, so that other threads can verify their signatures before the first of them is
 * executed. Their connection waits for that, the others do not.
 *
 * Connections are not authenticated: ABCI has no means for that. The address belongs on loopback or behind a file's permissions; a Unix
 * socket is created for the owner of the process only. A connection that sends no request is closed in favour of a later one, so that it
 * never keeps a node out.
 */
import net from 'node:net';
import { lstatSync, unlinkSync } from 'node:fs';
import { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import type { Clock, Logger, Timer } from '../../ports.ts';
import { readCheckTx } from './check-tx-frame.ts';
import { refuseManyFields } from './frame-fields.ts';
import { FrameReader } from './frames.ts';
import { AbciRefusal } from './refusal.ts';

/** A node opens four; the rest is for a second node that connects by mistake, and for a person who inspects. */
export const CONNECTIONS_MAX = 16;
/** A connection with a request within this time is kept: a node requests a block every 10 s at least. */
export const ACTIVE_MS = 20_000;
/**
 * A node opens its four connections one after the other, and may never use the one for snapshots: one that was opened beside a used one
 * counts as used.
 */
export const NODE_CONNECTIONS = 4;
const TOGETHER_MS = 5_000;
/** A frame that has begun must be complete within this; between frames a connection may be idle forever. */
export const FRAME_MS_MAX = 60_000;
/** Requests are executed for this long before I/O gets its turn. */
export const TURN_MS = 5;
/** Checks of one connection that are read together: a mempool's burst of some milliseconds' work, and 400 KiB. */
export const TOGETHER_CHECKS_MAX = 1_024;
/** Reading from a connection pauses at this many bytes that are not executed. */
const BUFFERED_BYTES_MAX = 1024 * 1024;
/** Interval of TCP keep-alive probes, by which a peer that vanished is noticed. */
const KEEP_ALIVE_MS = 30_000;
/** Time for the last answers to reach the node before its connections are cut. */
const LAST_WORDS_MS_MAX = 1_000;

export type AbciAddress = { readonly host: string; readonly port: number } | { readonly path: string };

export interface AbciServerParts {
  /** Answers one request; undefined for an unknown one. Anything that it throws, AbciRefusal apart, is a defect. */
  readonly answer: (request: Request) => Response | undefined;
  /** Called with requests before they are executed; they wait for the promise that it returns. A failure of it is a defect. */
  readonly ahead?: (requests: readonly Request[]) => Promise<void> | undefined;
  /** Called once after a defect, when the node has been sent the exception: the process must end. */
  readonly onDefect: (error: unknown) => void;
  /** Runs a function in the next turn of the event loop. */
  readonly later: (fn: () => void) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The result of reading a frame; a fault ends the connection after the answers to the requests before it. */
type Read = { readonly request: Request } | { readonly fault: unknown };

interface Connection {
  readonly socket: net.Socket;
  readonly frames: FrameReader;
  /** Requests read and not executed yet, in order. */
  readonly reads: Read[];
  /** True while they wait for `ahead`. */
  waits: boolean;
  readonly openedMs: number;
  /** Time of the last request; an echo does not count. */
  askedMs: number | undefined;
  /** Answers of this turn. */
  answers: Uint8Array[];
  frameTimer: Timer | undefined;
}

export class AbciServer {
  readonly #parts: AbciServerParts;
  readonly #server: net.Server;
  readonly #connections = new Set<Connection>();
  #scheduled = false;
  #stopped = false;

  constructor(parts: AbciServerParts) {
    this.#parts = parts;
    this.#server = net.createServer(
      { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
      (socket) => this.#accept(socket),
    );
  }

  /** Starts to listen. Rejects with the system's error when that fails. */
  async listen(address: AbciAddress): Promise<void> {
    if ('path' in address && (await isAbandoned(address.path))) unlinkSync(address.path);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(address, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) =>
          this.#parts.logger.warn({ err: error }, 'a connection could not be accepted'),
        );
        resolve();
      });
    });
  }

  /** Stops executing; resolves when every answer is written and every connection closed. */
  async close(): Promise<void> {
    this.#stopped = true;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const { socket } of this.#connections) socket.destroySoon();
    // Do not wait for a peer that does not read its answers.
    const cut = this.#parts.clock.setTimer(() => {
      for (const { socket } of this.#connections) socket.destroy();
    }, LAST_WORDS_MS_MAX);
    await closed;
    cut.cancel();
  }

  #accept(socket: net.Socket): void {
    if (this.#connections.size >= CONNECTIONS_MAX && !this.#makeRoom()) {
      this.#parts.logger.warn({ connectionsMax: CONNECTIONS_MAX }, 'a connection too many is refused');
      socket.destroy();
      return;
    }
    const openedMs = this.#parts.clock.monotonicMs();
    const connection: Connection = {
      socket,
      frames: new FrameReader(),
      reads: [],
      waits: false,
      openedMs,
      askedMs: undefined,
      answers: [],
      frameTimer: undefined,
    };
    this.#connections.add(connection);
    socket.on('data', (chunk: Buffer) => {
      connection.frames.push(chunk);
      if (connection.frames.bytes > BUFFERED_BYTES_MAX && this.#hasFrame(connection)) socket.pause();
      if (!this.#scheduled) this.#turn();
    });
    socket.on('drain', () => this.#schedule());
    socket.on('error', (error) => this.#parts.logger.debug({ err: error }, 'a connection failed'));
    socket.on('close', () => {
      connection.frameTimer?.cancel();
      this.#connections.delete(connection);
    });
  }

  /**
   * Closes one connection that is not in use, if there is one: the oldest of those that never sent a request and had TOGETHER_MS to do so;
   * without such a one, the one that was silent longest.
   */
  #makeRoom(): boolean {
    const nowMs = this.#parts.clock.monotonicMs();
    const all = [...this.#connections];
    const [least] = all
      .map((connection, i) => {
        const next = all.slice(Math.max(0, i - NODE_CONNECTIONS + 1), i + NODE_CONNECTIONS);
        const together = next.filter(({ openedMs }) => Math.abs(openedMs - connection.openedMs) <= TOGETHER_MS);
        const askedMs = Math.max(...together.map((other) => other.askedMs ?? -Infinity));
        const isMute = askedMs === -Infinity && nowMs - connection.openedMs > TOGETHER_MS;
        return { connection, askedMs, isMute, lastMs: Math.max(askedMs, connection.openedMs) };
      })
      .filter(({ askedMs }) => nowMs - askedMs > ACTIVE_MS)
      .sort((a, b) => Number(b.isMute) - Number(a.isMute) || a.lastMs - b.lastMs);
    if (least === undefined) return false;
    this.#connections.delete(least.connection);
    this.#drop(least.connection.socket, new Error(`it asks for nothing, and ${CONNECTIONS_MAX} connections are open`));
    return true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    this.#parts.later(() => {
      this.#scheduled = false;
      this.#turn();
    });
  }

  /** Executes one request of each connection in turn, until none is left or the time is up. */
  #turn(): void {
    const { clock } = this.#parts;
    const endMs = clock.monotonicMs() + TURN_MS;
    let waiting = [...this.#connections].filter((connection) => this.#isReady(connection));
    while (waiting.length > 0 && clock.monotonicMs() < endMs && !this.#stopped) {
      for (const connection of waiting) this.#execute(connection);
      waiting = waiting.filter((connection) => this.#isReady(connection));
    }
    for (const connection of this.#connections) this.#send(connection);
    if (waiting.length > 0) this.#schedule();
  }

  /** True when a request waits that may be executed. */
  #isReady(connection: Connection): boolean {
    const { socket, reads, waits } = connection;
    if (this.#stopped || waits || socket.destroyed || socket.writableNeedDrain) return false;
    return reads.length > 0 || this.#hasFrame(connection);
  }

  /** True when a whole frame waits to be read. Ends the connection when the bytes are not a frame. */
  #hasFrame({ socket, frames }: Connection): boolean {
    try {
      return frames.ready;
    } catch (error) {
      this.#drop(socket, error);
      return false;
    }
  }

  /** Reads the next request, and with a check those that have arrived after it. */
  #read(connection: Connection): void {
    const { frames, reads } = connection;
    const requests: Request[] = [];
    while (requests.length < TOGETHER_CHECKS_MAX) {
      try {
        const frame = frames.next();
        if (frame === undefined) break;
        const request = read(frame);
        reads.push({ request });
        requests.push(request);
        if (!request.checkTx && !request.flush) break;
      } catch (fault) {
        reads.push({ fault });
        break;
      }
    }
    const ahead = this.#parts.ahead?.(requests);
    if (ahead === undefined) return;
    connection.waits = true;
    const go = (): void => {
      connection.waits = false;
      this.#schedule();
    };
    ahead.then(go, (error: unknown) => this.#die(connection, error));
  }

  #execute(connection: Connection): void {
    const { socket, reads, answers } = connection;
    if (this.#stopped || socket.destroyed) return;
    if (reads.length === 0) this.#read(connection);
    if (connection.waits) return;
    const next = reads.shift();
    if (next === undefined) return;
    if ('fault' in next) {
      this.#drop(socket, next.fault);
      return;
    }
    const { request } = next;
    if (!request.echo && !request.flush) connection.askedMs = this.#parts.clock.monotonicMs();
    let response: Response | undefined;
    try {
      response = this.#parts.answer(request);
    } catch (error) {
      answers.push(encode({ exception: { error: (error as Error).message } }));
      if (error instanceof AbciRefusal)
        this.#parts.logger.error({ reason: error.message }, 'a request of the node is refused');
      else this.#die(connection, error);
      return;
    }
    if (response) answers.push(encode(response));
    else this.#drop(socket, new Error('a message that asks for nothing ABCI 2.0 knows'));
  }

  #send(connection: Connection): void {
    const { socket, frames, answers } = connection;
    if (socket.destroyed) return;
    if (answers.length > 0) {
      connection.answers = [];
      socket.write(Buffer.concat(answers));
    }
    if (socket.isPaused() && (frames.bytes <= BUFFERED_BYTES_MAX || !this.#hasFrame(connection))) socket.resume();
    this.#watchFrame(connection);
  }

  /** Closes a connection whose frame has begun and does not end: it would keep its memory. */
  #watchFrame(connection: Connection): void {
    if (!connection.frames.withinFrame) {
      connection.frameTimer?.cancel();
      connection.frameTimer = undefined;
      return;
    }
    const late = (): void =>
      this.#drop(connection.socket, new Error(`a frame was not complete within ${FRAME_MS_MAX} ms`));
    connection.frameTimer ??= this.#parts.clock.setTimer(late, FRAME_MS_MAX);
  }

  #drop(socket: net.Socket, error: unknown): void {
    this.#parts.logger.warn({ reason: (error as Error).message }, 'a connection is ended');
    socket.destroy();
  }

  /** Sends the exception to the node, and leaves the end of the process to the caller. */
  #die(connection: Connection, error: unknown): void {
    this.#stopped = true;
    let told = false;
    const end = (): void => {
      if (told) return;
      told = true;
      this.#parts.onDefect(error);
    };
    connection.socket.write(Buffer.concat(connection.answers), end);
    connection.answers = [];
    this.#parts.clock.setTimer(end, LAST_WORDS_MS_MAX);
  }
}

function read(frame: Uint8Array): Request {
  const checkTx = readCheckTx(frame);
  if (checkTx !== undefined) return { checkTx };
  refuseManyFields(frame);
  return Request.decode(frame);
}

/** Encoded bytes of frozen answers: these repeat, so they are encoded once. */
const encoded = new WeakMap<Response, Uint8Array>();

function encode(response: Response): Uint8Array {
  if (!Object.isFrozen(response)) return encodeFrame(response);
  let bytes = encoded.get(response);
  if (bytes === undefined) encoded.set(response, (bytes = encodeFrame(response)));
  return bytes;
}

function encodeFrame(response: Response): Uint8Array {
  const body = Response.encode(response).finish();
  const head: number[] = [];
  let rest = body.length;
  for (; rest >= 0x80; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
  head.push(rest);
  return Buffer.concat([Buffer.from(head), body]);
}

/** True when a socket file exists on which no process listens: left by a process that was killed. */
async function isAbandoned(path: string): Promise<boolean> {
  // A connection to a file of any other kind is refused with the same error.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return false;
  return new Promise((resolve) => {
    const probe = net.connect({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
