/**
 * One connection: the request being served, the unsent bytes of its answers, and its progress.
 *
 * node:http emits every request that it has parsed, including those behind one that is still being served. Here the next one begins when
 * the kernel has taken the answer before it. Nothing more is read meanwhile, so that what a client sends ahead stays in the kernel.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { CLOSE_WAIT_MS_MAX, PIPELINED_PER_CONNECTION_MAX, UNREAD_KEPT_MS } from '../limits.ts';
import type { RequestClass } from '../limits/classes.ts';

import { bytesNotTaken } from './write-queue.ts';

/** The reason why a connection was ended. */
export type CutReason = 'no_progress' | 'not_closed' | 'pipelined' | 'idle';

/** The bounds and counters that all connections share. */
export interface SharedBounds {
  /** One more request waits behind another one of its connection; false when too many do. */
  beginToWait(connection: Connection): boolean;
  endWaiting(connection: Connection): void;
  nowMs(): number;
  /** Counts so many bytes when they may wait for this caller. */
  tryHold(caller: string, bytes: number, of: RequestClass): boolean;
  /** Counts bytes that are already waiting; a negative number for bytes that no longer wait. */
  hold(caller: string, bytes: number, of: RequestClass): void;
  watch(connection: Connection): void;
  cutOff(connection: Connection, reason: CutReason): void;
}

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export class Connection {
  readonly socket: Socket;
  /** The key (clientKey) of its peer. */
  readonly address: string;
  /** True if its peer is a trusted proxy, which serves many clients. */
  readonly isProxied: boolean;
  /** The last request that was read, which is the one that a parser's error is about. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** A websocket, which is never idle. */
  isUpgraded = false;
  /** Monotonic time when it was opened, or when its last request began. */
  usedMs: number;
  /** Bytes that had been read when its last request began: a greater number now means that a further one has begun. */
  readBytes = 0;
  /** Its peer has taken none of its unsent bytes for UNREAD_KEPT_MS. */
  isUnread = false;
  /** Called when it becomes so. */
  onUnread: (() => void) | undefined;
  /** No further request is started. */
  ending = false;
  /** The reason why the service ended it. */
  cutFor: CutReason | undefined;
  readonly all: SharedBounds;
  #waiting = 0;
  #closeBeforeMs: number | undefined;
  #pendingBytes = 0;
  #movedMs = 0;

  constructor(all: SharedBounds, socket: Socket, address: string, isProxied: boolean) {
    this.all = all;
    this.socket = socket;
    this.address = address;
    this.isProxied = isProxied;
    this.usedMs = all.nowMs();
    // Our FIN is sent: a refusal, the end of a connection, or the answer to the peer's own. The peer may never close.
    socket.once('finish', () => {
      this.#closeBeforeMs = all.nowMs() + CLOSE_WAIT_MS_MAX;
      all.watch(this);
    });
  }

  /** Serves a request when it is its turn. */
  take(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    this.request = request;
    this.response = response;
    this.usedMs = this.all.nowMs();
    this.readBytes = this.socket.bytesRead;
    // A response without a socket waits behind another one.
    if (response.socket !== null) serve(request, response);
    else this.#wait(request, response, serve);
  }

  /** No request is being read or answered on it. */
  get isIdle(): boolean {
    return !this.isUpgraded && this.#waiting === 0 && (this.response === undefined || this.response.closed);
  }

  /** A request waits behind another one. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Ends the connection with these bytes, which go out as soon as the answers before them have. */
  end(text: string): void {
    this.ending = true;
    if (!this.socket.writable) {
      this.socket.destroy();
      return;
    }
    this.socket.end(text);
    this.watchUnsent();
  }

  /** Bytes were written: the kernel has to take some of them now and then. */
  watchUnsent(): void {
    this.#pendingBytes = bytesNotTaken(this.socket);
    this.#movedMs = this.all.nowMs();
    if (this.socket.writableLength > 0) this.all.watch(this);
  }

  /** The reason why it must end now; `none` when it needs no more checks. */
  fault(nowMs: number, noProgressMsMax: number): CutReason | 'none' | 'waiting' {
    const { socket } = this;
    if (socket.destroyed) return 'none';
    if (this.#closeBeforeMs !== undefined) return nowMs >= this.#closeBeforeMs ? 'not_closed' : 'waiting';
    if (socket.writableLength === 0) {
      this.isUnread = false;
      return 'none';
    }
    const pendingBytes = bytesNotTaken(socket);
    if (pendingBytes !== this.#pendingBytes) {
      this.#pendingBytes = pendingBytes;
      this.#movedMs = nowMs;
    }
    const wasUnread = this.isUnread;
    this.isUnread = nowMs - this.#movedMs >= UNREAD_KEPT_MS;
    if (this.isUnread && !wasUnread) this.onUnread?.();
    return nowMs - this.#movedMs >= noProgressMsMax ? 'no_progress' : 'waiting';
  }

  #wait(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    const { socket } = this;
    if (socket.destroyed) return;
    if (this.#waiting >= PIPELINED_PER_CONNECTION_MAX || !this.all.beginToWait(this)) {
      this.all.cutOff(this, 'pipelined');
      return;
    }
    if (this.#waiting === 0) socket.on('resume', this.#stopReading);
    this.#waiting += 1;
    socket.pause();
    let waits = true;
    const leave = (): void => {
      if (!waits) return;
      waits = false;
      this.#waiting -= 1;
      this.all.endWaiting(this);
      if (this.#waiting > 0) return;
      socket.off('resume', this.#stopReading);
      socket.resume();
    };
    // The socket is assigned when the answer before has been taken. Not served at once: node:http has still to write what was queued.
    response.once('socket', () => {
      leave();
      setImmediate(() => {
        if (!response.destroyed && !this.ending) serve(request, response);
      });
    });
    response.once('close', leave);
  }

  /** node:http resumes reading as soon as a request has been answered. */
  readonly #stopReading = (): void => {
    this.socket.pause();
  };
}
