/** The node port over the network: JSON-RPC over HTTP with kept-alive connections, and the websocket. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../ports.ts';
import { ANSWERS_BYTES_MAX, CALLS_PER_NODE_MAX, CONNECTIONS_PER_NODE_MAX } from '../limits.ts';
import { NodeFailure, type CallLimits, type NodePort, type Subscriber } from './node-port.ts';
import { subscribeToHeaders } from './socket-subscription.ts';
import { tlsFailure } from './tls-failure.ts';

/** CometBFT closes a connection that was idle for 10 s; one that was idle longer than this is not used again. */
const IDLE_CONNECTION_MS_MAX = 5_000;
/** Error codes of the system when no connection was made. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT']);

type Agent = HttpAgent | HttpsAgent;

function failureOf(error: NodeJS.ErrnoException): NodeFailure {
  const untrusted = tlsFailure(error);
  if (untrusted !== undefined)
    return new NodeFailure('refused', `${untrusted} (${error.message.trim().split('\n')[0]})`);
  return new NodeFailure(
    NOT_CONNECTED.has(error.code ?? '') ? 'refused' : 'lost',
    error.message || (error.code ?? 'the connection broke'),
  );
}

export class SocketNodePort implements NodePort {
  readonly #clock: Clock;
  readonly #answersBytesMax: number;
  readonly #agents = new Map<string, Agent>();
  readonly #underWay = new Map<string, number>();
  /** Bytes of answers that are still being read. */
  #readBytes = 0;

  constructor(clock: Clock, answersBytesMax = ANSWERS_BYTES_MAX) {
    this.#clock = clock;
    this.#answersBytesMax = answersBytesMax;
  }

  async call(url: string, body: string, limits: CallLimits): Promise<string> {
    const count = this.#underWay.get(url) ?? 0;
    if (count >= CALLS_PER_NODE_MAX) throw new NodeFailure('busy', `there are ${count} calls to the node already`);
    this.#underWay.set(url, count + 1);
    try {
      return await this.#send(url, body, limits, true);
    } finally {
      this.#underWay.set(url, (this.#underWay.get(url) ?? 1) - 1);
    }
  }

  subscribe(url: string, subscriber: Subscriber): { close(): void } {
    return subscribeToHeaders(url, subscriber, this.#clock);
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #send(url: string, body: string, limits: CallLimits, mayRepeat: boolean): Promise<string> {
    const isSecure = url.startsWith('https:');
    const start = isSecure ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = start(url, {
        method: 'POST',
        agent: this.#agent(url, isSecure),
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      });
      let failed = false;
      let bytes = 0;
      const forget = (): void => {
        this.#readBytes -= bytes;
        bytes = 0;
      };
      const fail = (failure: NodeFailure): void => {
        failed = true;
        forget();
        timer.cancel();
        request.destroy();
        reject(failure);
      };
      const timer = this.#clock.setTimer(
        () => fail(new NodeFailure('lost', `no answer within ${limits.timeoutMs} ms`)),
        limits.timeoutMs,
      );
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Giving up destroys the request, which also reports ECONNRESET.
        if (failed) return;
        // The node closed a kept connection as the request was on its way: on a new connection it is the first.
        if (mayRepeat && request.reusedSocket && error.code === 'ECONNRESET') {
          timer.cancel();
          resolve(this.#send(url, body, limits, false));
        } else fail(failureOf(error));
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          if (failed) return;
          bytes += chunk.length;
          this.#readBytes += chunk.length;
          if (bytes > limits.answerBytesMax)
            fail(new NodeFailure('too_large', `the answer is longer than ${limits.answerBytesMax} bytes`));
          else if (this.#readBytes > this.#answersBytesMax)
            fail(new NodeFailure('busy', `answers of more than ${this.#answersBytesMax} bytes are being read already`));
          else chunks.push(chunk);
        });
        response.on('error', (error: NodeJS.ErrnoException) => fail(failureOf(error)));
        response.on('end', () => {
          timer.cancel();
          forget();
          resolve(Buffer.concat(chunks).toString('utf8'));
        });
      });
      request.end(body);
    });
  }

  #agent(url: string, isSecure: boolean): Agent {
    const options = { keepAlive: true, maxSockets: CONNECTIONS_PER_NODE_MAX, timeout: IDLE_CONNECTION_MS_MAX };
    const agent = this.#agents.get(url) ?? (isSecure ? new HttpsAgent(options) : new HttpAgent(options));
    this.#agents.set(url, agent);
    return agent;
  }
}
