/**
 * One connection: the request being served, the unsent bytes of its answers, and its progress.
 *
 * node:http emits every parsed request, including those behind one that is still being served. Here the next one begins when the kernel has
 * taken the previous answer. Meanwhile nothing is read, so that further requests of the client stay in the kernel.
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
  /** Counts one more request that waits behind another one of its connection; false when too many do. */
  beginToWait(connection: Connection): boolean;
  endWaiting(connection: Connection): void;
  nowMs(): number;
  /** Counts bytes if they may wait for this caller. */
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
  /** The last request that was read; an error of the parser is about this one. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** True for a websocket, which is never idle. */
  isUpgraded = false;
  /** Monotonic time when it was opened, or when its last request began. */
  usedMs: number;
  /** Bytes that had been read when its last request began: a greater number now means that a further one has begun. */
  readBytes = 0;
  /** The peer has taken none of the unsent bytes for UNREAD_KEPT_MS. */
  isUnread = false;
  /** Called when the connection becomes unread. */
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
    // Our FIN is sent: after a refusal, at the end of a connection, or in answer to the peer's FIN. The peer may never close.
    socket.once('finish', () => {
      this.#closeBeforeMs = all.nowMs() + CLOSE_WAIT_MS_MAX;
      all.watch(this);
    });
  }

  /** Serves a request, after those before it. */
  take(request: IncomingMessage, response: ServerResponse, serve: Serve): void {
    this.request = request;
    this.response = response;
    this.usedMs = this.all.nowMs();
    this.readBytes = this.socket.bytesRead;
    // A response without a socket waits behind another one.
    if (response.socket !== null) serve(request, response);
    else this.#wait(request, response, serve);
  }

  /** True if no request is being read or answered. */
  get isIdle(): boolean {
    return !this.isUpgraded && this.#waiting === 0 && (this.response === undefined || this.response.closed);
  }

  /** True if a request waits behind another one. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Ends the connection with these bytes, which are sent after the answers before them. */
  end(text: string): void {
    this.ending = true;
    if (!this.socket.writable) {
      this.socket.destroy();
      return;
    }
    this.socket.end(text);
    this.watchUnsent();
  }

  /** Called after bytes were written: the kernel has to take some of them from time to time. */
  watchUnsent(): void {
    this.#pendingBytes = bytesNotTaken(this.socket);
    this.#movedMs = this.all.nowMs();
    if (this.socket.writableLength > 0) this.all.watch(this);
  }

  /** Returns the reason why the connection must end now; `none` when it needs no more checks. */
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
    // The socket is assigned when the previous answer has been taken. The request is not served at once, because node:http first writes its
    // queued data.
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
