/**
 * One websocket: requests in, one after another, answers and events out (rpc/jsonrpc/server/ws_handler.go and
 * rpc/core/events.go, v0.38).
 *
 * Nothing is kept for a reader that does not read: no further request is read before the answer to the one before is
 * written, and a connection that lets events pile up is cut off.
 */
import type { RawData, WebSocket } from 'ws';

import type { RpcError } from '../../../gateway/rpc/port.ts';
import { WS_BACKLOG_BYTES_MAX, WS_CALLS_WAITING_MAX, WS_SUBSCRIPTIONS_MAX, WS_SUBSCRIPTIONS_PER_CONNECTION_MAX } from '../../limits.ts';

import { argumentsOfJson } from '../arguments.ts';
import { errorText, INTERNAL_ERROR, SERVER_ERROR, successText } from '../envelope.ts';
import type { RpcIdText } from '../envelope.ts';
import { answerCall, isRpcMethod, readFrame } from '../json-rpc.ts';
import type { JsonRpcCall, JsonRpcCaller } from '../json-rpc.ts';

import type { EventFeed, Listener } from './event-feed.ts';

export interface ConnectionParts extends JsonRpcCaller {
  socket: WebSocket;
  feed: EventFeed;
  /** Counts one request against the caller's quota; what to say when it is used up. */
  spend(): Promise<string | undefined>;
  /** Told once when a slow reader is cut off. */
  onSlow(backlogBytes: number): void;
  /** Told of a defect; the connection goes on. */
  onDefect(error: unknown): void;
}

const QUERY_SPEC = { params: [{ name: 'query', type: 'string', optional: false }] } as const;
const NOTHING = { params: [] } as const;
const EMPTY_RESULT = '{}';

type Own = 'subscribe' | 'unsubscribe' | 'unsubscribe_all';

const isOwn = (method: string): method is Own => method === 'subscribe' || method === 'unsubscribe' || method === 'unsubscribe_all';

export class Connection {
  readonly #parts: ConnectionParts;
  readonly #subscriptions = new Map<string, Listener>();
  readonly #waiting: string[] = [];
  #working = false;
  #closed = false;
  /** Whether anything came since the last ping. */
  alive = true;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    const { socket } = parts;
    socket.on('message', (data: RawData) => this.#take(data));
    socket.on('pong', () => {
      this.alive = true;
    });
    socket.on('close', () => this.close());
    // Bytes that are not a websocket's, or too many of them: the library closes with the fitting code.
    socket.on('error', () => undefined);
  }

  /** Ends the subscriptions; the socket is closed by whoever closes the connection. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
    for (const [query, listener] of this.#subscriptions) this.#parts.feed.unsubscribe(query, listener);
    this.#subscriptions.clear();
  }

  #take(data: RawData): void {
    this.alive = true;
    this.#waiting.push(Buffer.isBuffer(data) ? data.toString() : Buffer.concat(data as Buffer[]).toString());
    if (this.#waiting.length >= WS_CALLS_WAITING_MAX) this.#parts.socket.pause();
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let text = this.#waiting.shift(); text !== undefined && !this.#closed; text = this.#waiting.shift()) {
      if (this.#waiting.length < WS_CALLS_WAITING_MAX && this.#parts.socket.isPaused) this.#parts.socket.resume();
      try {
        const answer = await this.#answer(text);
        if (answer !== undefined) await this.#write(answer);
      } catch (error) {
        this.#parts.onDefect(error);
      }
    }
    this.#working = false;
  }

  async #answer(text: string): Promise<string | undefined> {
    const read = readFrame(text);
    if (!read.ok) return errorText(undefined, read.error);
    const { call } = read;
    if (call.id === undefined) return undefined;
    const spent = await this.#parts.spend();
    if (spent !== undefined) return errorText(call.id, { ...SERVER_ERROR, data: spent });
    const answer = isOwn(call.method) ? await this.#answerOwn(call.method, call.id, call.params) : await this.#answerMethod(call);
    return answer;
  }

  /** Over a websocket a stock node calls wrong parameters an internal error. */
  async #answerMethod(call: JsonRpcCall): Promise<string | undefined> {
    const { id, method, params } = call;
    if (id !== undefined && params !== undefined && isRpcMethod(method)) {
      const answer = await answerCall(this.#parts, call);
      return answer?.replace('"error":{"code":-32602,"message":"Invalid params"', '"error":{"code":-32603,"message":"Internal error"');
    }
    return await answerCall(this.#parts, call);
  }

  async #answerOwn(method: Own, id: RpcIdText, params: unknown): Promise<string> {
    const spec = method === 'unsubscribe_all' ? NOTHING : QUERY_SPEC;
    if (params === undefined && spec.params.length > 0) return internalError(id, 'reflect: Call with too few input arguments');
    const read = params === undefined ? { ok: true as const, args: {} } : argumentsOfJson(spec, params);
    if (!read.ok) return internalError(id, read.error);
    const query = typeof read.args.query === 'string' ? read.args.query : '';
    const fault = method === 'subscribe' ? await this.#subscribe(id, query) : this.#unsubscribe(method === 'unsubscribe' ? query : undefined);
    return fault === undefined ? successText(id, EMPTY_RESULT) : internalError(id, fault);
  }

  async #subscribe(id: RpcIdText, query: string): Promise<string | undefined> {
    const { feed } = this.#parts;
    if (feed.size >= WS_SUBSCRIPTIONS_MAX) return `max_subscription_clients ${WS_SUBSCRIPTIONS_MAX} reached`;
    if (this.#subscriptions.size >= WS_SUBSCRIPTIONS_PER_CONNECTION_MAX) {
      return `max_subscriptions_per_client ${WS_SUBSCRIPTIONS_PER_CONNECTION_MAX} reached`;
    }
    const fault = feed.fault(query);
    if (fault !== undefined) return fault === 'maximum query length exceeded' ? fault : `failed to parse query: ${fault}`;
    if (this.#subscriptions.has(query)) return 'already subscribed';
    // Events may arrive before the answer to the request; a stock node promises no order either.
    const listener: Listener = (resultJson) => this.#push(successText(id, resultJson));
    this.#subscriptions.set(query, listener);
    await feed.subscribe(query, listener);
    return undefined;
  }

  /** Undefined: all of them. */
  #unsubscribe(query: string | undefined): string | undefined {
    const { feed } = this.#parts;
    if (query !== undefined) {
      const fault = feed.fault(query);
      if (fault !== undefined) return `failed to parse query: ${fault}`;
    }
    const chosen = [...this.#subscriptions].filter(([subscribed]) => query === undefined || subscribed === query);
    if (chosen.length === 0) return 'subscription not found';
    for (const [subscribed, listener] of chosen) {
      feed.unsubscribe(subscribed, listener);
      this.#subscriptions.delete(subscribed);
    }
    return undefined;
  }

  /** An answer: the next request waits until it is handed to the network. */
  #write(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.socket.send(text, () => resolve());
    });
  }

  /** An event: nobody waits for it, so what is not read is counted. */
  #push(text: string): void {
    if (this.#closed) return;
    const { socket, onSlow } = this.#parts;
    const backlogBytes = socket.bufferedAmount;
    if (backlogBytes > WS_BACKLOG_BYTES_MAX) {
      onSlow(backlogBytes);
      this.close();
      socket.terminate();
      return;
    }
    socket.send(text, () => undefined);
  }
}

function internalError(id: RpcIdText, data: string): string {
  const error: RpcError = { ...INTERNAL_ERROR, data };
  return errorText(id, error);
}
