/**
 * One websocket: reads requests one after another, and sends answers and events (rpc/jsonrpc/server/ws_handler.go and rpc/core/events.go,
 * v0.38).
 *
 * Nothing is kept for a peer that does not read: no further request is read before the previous answer is written, and a connection whose
 * events pile up is cut off. Kept bytes are counted in both directions.
 */
import type { Duplex } from 'node:stream';

import type { RawData, WebSocket } from 'ws';

import type { Clock } from '../../../engine/ports.ts';
import type { RpcError } from '../../../gateway/rpc/port.ts';
import type { Gateway, Principal } from '../../../gateway/types.ts';
import type { CallOrigin } from '../../access-log.ts';
import { bytesNotTaken } from '../../connections/write-queue.ts';
import { COST_PLAIN, costOfBytes, costOfMethod } from '../../cost.ts';
import {
  WS_BACKLOG_BYTES_MAX,
  WS_CALLS_READ_MAX,
  WS_CALLS_WAITING_MAX,
  WS_QUOTA_PAUSE_MS_MAX,
  WS_STALLED_MS_MAX,
  WS_SUBSCRIPTIONS_MAX,
  WS_SUBSCRIPTIONS_PER_CONNECTION_MAX,
  WS_WAITING_BYTES_MAX,
} from '../../limits.ts';
import { callerOf } from '../../limits/classes.ts';
import type { Searches } from '../../limits/searches.ts';
import type { QuotaOwner, RateLimits, RateVerdict } from '../../rate-limit.ts';

import { lackedScope } from '../access.ts';
import type { RpcAccess } from '../access.ts';
import { argumentsOfJson } from '../arguments.ts';
import { errorText, INTERNAL_ERROR, READ_REFUSED, SERVER_ERROR, successText } from '../envelope.ts';
import type { RpcIdText } from '../envelope.ts';
import { answerCall, isRpcMethod, readFrame } from '../json-rpc.ts';
import type { JsonRpcCall } from '../json-rpc.ts';

import type { Backlog, Reader } from './backlog.ts';
import type { EventFeed, Recipient, Subscription } from './event-feed.ts';
import type { Session } from './session.ts';

/** Close codes of RFC 6455 section 7.4.1 and of its registry. */
const CLOSE_POLICY_VIOLATION = 1008;
const CLOSE_TRY_AGAIN_LATER = 1013;

export type CutOff = 'slow' | 'stalled' | 'backlog' | 'token' | 'flood';

export interface ConnectionParts {
  socket: WebSocket;
  /** The stream below `socket`. */
  stream: Duplex;
  feed: EventFeed;
  backlog: Backlog;
  /** The session with the token of the connection, which is checked again at every call. */
  session: Session;
  gateway: Pick<Gateway, 'rpc'>;
  /** Origin of its broadcasts for the log. */
  origin: CallOrigin;
  access: RpcAccess;
  searches: Searches;
  rateLimits: RateLimits | undefined;
  address: string | undefined;
  clock: Clock;
  /** Called once, if the service ends the connection because of its peer. */
  onCutOff(reason: CutOff, fields: object): void;
  /** Called with a defect; the connection continues. */
  onDefect(error: unknown): void;
}

const QUERY_SPEC = { params: [{ name: 'query', type: 'string', optional: false }] } as const;
const NOTHING = { params: [] } as const;
const EMPTY_RESULT = '{}';

/** A message that waits for its turn. */
interface Message {
  text: string;
  /** Bytes of the message as it was sent, in UTF-8. */
  bytes: number;
}

type Own = 'subscribe' | 'unsubscribe' | 'unsubscribe_all';

const isOwn = (method: string): method is Own =>
  method === 'subscribe' || method === 'unsubscribe' || method === 'unsubscribe_all';

export class Connection implements Recipient, Reader {
  readonly #parts: ConnectionParts;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #waiting: Message[] = [];
  #waitingBytes = 0;
  #working = false;
  #closed = false;
  /** Bytes given to the network and not taken by it. */
  #unsentBytes = 0;
  /** Monotonic time when the network last took bytes, and the remaining bytes of one long write then. */
  #progressMs = 0;
  #queuedBytes = 0;
  /** True if anything was received since the last ping. */
  alive = true;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    const { socket } = parts;
    socket.on('message', (data: RawData) => this.#take(data));
    socket.on('pong', () => {
      this.alive = true;
    });
    socket.on('close', () => this.close());
    // Invalid or too many bytes: the library closes with the matching code.
    socket.on('error', () => undefined);
  }

  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  /** Ends the subscriptions; the caller that closes the connection closes the socket. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    for (const subscription of this.#subscriptions.values()) this.#parts.feed.unsubscribe(subscription);
    this.#subscriptions.clear();
    const unsent = this.#unsentBytes;
    this.#unsentBytes = 0;
    this.#parts.backlog.remove(this, unsent);
  }

  /** Called when the budget of all websockets is used up, and this one has the largest part of it. */
  cutOff(): void {
    this.#terminate('backlog');
  }

  /** The token is no longer valid: no further call is carried out with it. */
  expire(reason: string): void {
    this.#end('token', CLOSE_POLICY_VIOLATION, reason);
  }

  /** The token could not be checked for too long. */
  giveUp(reason: string): void {
    this.#end('token', CLOSE_TRY_AGAIN_LATER, reason);
  }

  /** Cuts the socket off if the network no longer takes written bytes. */
  checkProgress(nowMs: number): void {
    if (this.#unsentBytes === 0) return;
    // A write is reported when all of it is taken, for which a slow reader of a long answer may need time.
    const queuedBytes = bytesNotTaken(this.#parts.stream);
    if (queuedBytes !== this.#queuedBytes) this.#progressMs = nowMs;
    this.#queuedBytes = queuedBytes;
    if (nowMs - this.#progressMs >= WS_STALLED_MS_MAX) this.#terminate('stalled');
  }

  deliver(frames: readonly Buffer[], isFirst: boolean): void {
    if (this.#closed) return;
    if (isFirst && this.#unsentBytes > WS_BACKLOG_BYTES_MAX) return this.#terminate('slow');
    const { socket, stream } = this.#parts;
    let bytes = 0;
    stream.cork();
    for (const [at, frame] of frames.entries()) {
      bytes += frame.length;
      // Frames are sent in order, so the callback of the last one covers all of them.
      socket.send(frame, { binary: false }, at === frames.length - 1 ? this.#sending(bytes) : undefined);
    }
    stream.uncork();
    this.#count(bytes);
  }

  end(subscription: Subscription, reason: string): void {
    this.#subscriptions.delete(subscription.query);
    if (this.#closed) return;
    const error = { ...SERVER_ERROR, data: `subscription was canceled (reason: ${reason})` };
    this.deliver([Buffer.from(errorText(subscription.id, error))], true);
  }

  #take(data: RawData): void {
    if (this.#closed) return;
    this.alive = true;
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(data as Buffer[]);
    this.#waiting.push({ text: bytes.toString(), bytes: bytes.length });
    this.#waitingBytes += bytes.length;
    if (this.#waiting.length > WS_CALLS_READ_MAX)
      return this.#end('flood', CLOSE_POLICY_VIOLATION, 'too many requests at once');
    if (this.#isFull) this.#parts.socket.pause();
    if (!this.#working) void this.#work();
  }

  get #isFull(): boolean {
    return this.#waiting.length >= WS_CALLS_WAITING_MAX || this.#waitingBytes >= WS_WAITING_BYTES_MAX;
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let message = this.#waiting.shift(); message !== undefined && !this.#closed; message = this.#waiting.shift()) {
      this.#waitingBytes -= message.bytes;
      try {
        await this.#handle(message);
      } catch (error) {
        this.#parts.onDefect(error);
      }
      if (!this.#isFull && this.#parts.socket.isPaused) this.#parts.socket.resume();
    }
    this.#working = false;
  }

  async #handle({ text, bytes }: Message): Promise<void> {
    const quota = new FrameQuota(this.#parts);
    const answer = quota.take(COST_PLAIN + costOfBytes(bytes))
      ? await this.#answer(text, quota)
      : errorText(undefined, quota.error);
    if (this.#closed) return;
    if (answer !== undefined) {
      quota.charge(costOfBytes(answer.length));
      await this.#write(answer);
    }
    if (quota.waitMs > 0) await new Promise<void>((resolve) => this.#parts.clock.setTimer(resolve, quota.waitMs));
  }

  async #answer(text: string, quota: FrameQuota): Promise<string | undefined> {
    const read = readFrame(text);
    if (!read.ok) return errorText(undefined, read.error);
    const { call } = read;
    // A message without an id is not carried out and not answered, but it was read.
    if (call.id === undefined) return undefined;
    if (!quota.take(costOfMethod(call.method) - COST_PLAIN)) return errorText(call.id, quota.error);
    const checked = await this.#parts.session.check();
    if (checked.kind === 'ended') {
      this.expire(checked.reason);
      return undefined;
    }
    if (checked.kind === 'unknown') return internalError(call.id, checked.reason);
    const { principal } = checked;
    if (principal !== undefined && !quota.takeToken(principal)) return errorText(call.id, quota.error);
    if (!isOwn(call.method)) return await this.#answerMethod(call, principal);
    return call.method === 'subscribe' && lackedScope(this.#parts.access, 'read', principal) !== undefined
      ? errorText(call.id, READ_REFUSED)
      : await this.#answerOwn(call.method, call.id, call.params);
  }

  /** Over a websocket a stock node reports wrong parameters as an internal error. */
  async #answerMethod(call: JsonRpcCall, principal: Principal | undefined): Promise<string | undefined> {
    const { gateway, access, address, origin, searches } = this.#parts;
    const { id, method, params } = call;
    const inTurn = searches.inTurn(callerOf(principal, address), principal !== undefined);
    const answer = await answerCall({ gateway, access, principal, inTurn, origin }, call);
    if (id === undefined || params === undefined || !isRpcMethod(method)) return answer;
    return answer?.replace(
      '"error":{"code":-32602,"message":"Invalid params"',
      '"error":{"code":-32603,"message":"Internal error"',
    );
  }

  async #answerOwn(method: Own, id: RpcIdText, params: unknown): Promise<string> {
    const spec = method === 'unsubscribe_all' ? NOTHING : QUERY_SPEC;
    if (params === undefined && spec.params.length > 0)
      return internalError(id, 'reflect: Call with too few input arguments');
    const read = params === undefined ? { ok: true as const, args: {} } : argumentsOfJson(spec, params);
    if (!read.ok) return internalError(id, read.error);
    const query = typeof read.args.query === 'string' ? read.args.query : '';
    const fault =
      method === 'subscribe'
        ? await this.#subscribe(id, query)
        : this.#unsubscribe(method === 'unsubscribe' ? query : undefined);
    return fault === undefined ? successText(id, EMPTY_RESULT) : internalError(id, fault);
  }

  async #subscribe(id: RpcIdText, query: string): Promise<string | undefined> {
    const { feed, onDefect } = this.#parts;
    if (feed.full) return `max_subscription_clients ${WS_SUBSCRIPTIONS_MAX} reached`;
    if (this.#subscriptions.size >= WS_SUBSCRIPTIONS_PER_CONNECTION_MAX) {
      return `max_subscriptions_per_client ${WS_SUBSCRIPTIONS_PER_CONNECTION_MAX} reached`;
    }
    const fault = feed.fault(query);
    if (fault !== undefined)
      return fault === 'maximum query length exceeded' ? fault : `failed to parse query: ${fault}`;
    if (this.#subscriptions.has(query)) return 'already subscribed';
    // Events may arrive before the answer to the request; a stock node promises no order either.
    const subscription: Subscription = { query, id, recipient: this };
    this.#subscriptions.set(query, subscription);
    try {
      await feed.subscribe(subscription);
      return undefined;
    } catch (error) {
      this.#subscriptions.delete(query);
      onDefect(error);
      return 'the chain cannot be followed at the moment, try again later';
    }
  }

  /** Undefined: all queries. */
  #unsubscribe(query: string | undefined): string | undefined {
    const { feed } = this.#parts;
    if (query !== undefined) {
      const fault = feed.fault(query);
      if (fault !== undefined) return `failed to parse query: ${fault}`;
    }
    const chosen = [...this.#subscriptions.values()].filter(
      (subscription) => query === undefined || subscription.query === query,
    );
    if (chosen.length === 0) return 'subscription not found';
    for (const subscription of chosen) {
      feed.unsubscribe(subscription);
      this.#subscriptions.delete(subscription.query);
    }
    return undefined;
  }

  /** Sends an answer: the next request waits until it is given to the network. */
  #write(text: string): Promise<void> {
    const frame = Buffer.from(text);
    return new Promise((resolve) => {
      this.#parts.socket.send(frame, { binary: false }, this.#sending(frame.length, resolve));
      this.#count(frame.length);
    });
  }

  #count(bytes: number): void {
    if (this.#unsentBytes === 0) this.#progressMs = this.#parts.clock.monotonicMs();
    this.#unsentBytes += bytes;
    this.#parts.backlog.add(this, bytes);
  }

  /** Returns a callback for the time when the network has taken these bytes, or never will. */
  #sending(bytes: number, then?: () => void): () => void {
    return () => {
      then?.();
      if (this.#closed) return;
      this.#progressMs = this.#parts.clock.monotonicMs();
      this.#unsentBytes -= bytes;
      this.#parts.backlog.remove(this, bytes);
    };
  }

  #terminate(reason: CutOff): void {
    if (this.#closed) return;
    this.#parts.onCutOff(reason, { unsentBytes: this.#unsentBytes });
    this.close();
    this.#parts.socket.terminate();
  }

  #end(reason: CutOff, code: number, text: string): void {
    if (this.#closed) return;
    this.#parts.onCutOff(reason, { detail: text });
    this.close();
    // A paused socket would not receive the peer's close frame.
    this.#parts.socket.resume();
    this.#parts.socket.close(code, text);
  }
}

/** Charges one frame: the address for its bytes and its call, the token for the same, and both for the answer. */
class FrameQuota {
  readonly #parts: Pick<ConnectionParts, 'rateLimits' | 'address'>;
  #verdict: RateVerdict | undefined;
  #cost = 0;
  #retryAfterS = 0;

  constructor(parts: Pick<ConnectionParts, 'rateLimits' | 'address'>) {
    this.#parts = parts;
  }

  /** Pause before the next frame is read, so that refusing does not keep the service busy. */
  get waitMs(): number {
    return Math.min(this.#retryAfterS * 1000, WS_QUOTA_PAUSE_MS_MAX);
  }

  get error(): RpcError {
    return { ...SERVER_ERROR, data: `the quota is used up, try again in ${this.#retryAfterS} s` };
  }

  take(cost: number): boolean {
    this.#cost += cost;
    return cost === 0 || this.#decide(this.#parts.rateLimits?.takeAddress(this.#parts.address, cost));
  }

  takeToken(owner: QuotaOwner): boolean {
    return this.#decide(this.#parts.rateLimits?.takeToken(owner, this.#cost, this.#verdict));
  }

  charge(cost: number): void {
    this.#verdict?.charge(cost);
  }

  #decide(verdict: RateVerdict | undefined): boolean {
    this.#verdict = verdict;
    if (verdict === undefined || verdict.ok) return true;
    this.#retryAfterS = verdict.retryAfterS;
    return false;
  }
}

function internalError(id: RpcIdText, data: string): string {
  const error: RpcError = { ...INTERNAL_ERROR, data };
  return errorText(id, error);
}
