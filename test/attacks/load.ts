/** Requests as an attacker and an honest client send them: over few kept connections, from a loopback address of their own. */
import { Agent, request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Latencies, Target } from './target.ts';

/** A request that has no answer by then counts as failed: an attack has to end. */
const ANSWER_MS_MAX = 25_000;

export interface Asked {
  method?: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface Answered {
  /** 0: none came. */
  status: number;
  text: string;
  ms: number;
}

export class Client {
  readonly #agent: Agent;
  readonly #target: Target;
  readonly #localAddress: string;

  constructor(target: Target, localAddress: string, connections: number) {
    this.#target = target;
    this.#localAddress = localAddress;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  ask({ method = 'GET', path, headers = {}, body }: Asked): Promise<Answered> {
    const startedMs = performance.now();
    const all =
      body === undefined
        ? headers
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
    return new Promise((resolve) => {
      const done = (status: number, text: string): void => resolve({ status, text, ms: performance.now() - startedMs });
      const options = {
        host: '127.0.0.1',
        port: this.#target.port,
        agent: this.#agent,
        localAddress: this.#localAddress,
        method,
        path,
        headers: all,
        timeout: ANSWER_MS_MAX,
      };
      const asked = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => done(response.statusCode ?? 0, text));
        response.on('error', () => done(0, ''));
      });
      asked.on('error', () => done(0, ''));
      asked.on('timeout', () => asked.destroy());
      asked.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Sends `count` requests, `atOnce` at a time, and no more after `untilMs` (performance.now), which may move meanwhile. @returns how many answers had which status. */
export async function flood(
  client: Client,
  count: number,
  atOnce: number,
  make: (index: number) => Asked,
  options: { untilMs?: number; onAnswer?: (answer: Answered) => void } = {},
): Promise<Record<string, number>> {
  const { onAnswer } = options;
  const statuses: Record<string, number> = {};
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count && performance.now() < (options.untilMs ?? Infinity)) {
        const answer = await client.ask(make(next++));
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        onAnswer?.(answer);
      }
    }),
  );
  return statuses;
}

export function latencies(taken: readonly number[], failed: number): Latencies {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN) * 10) / 10;
  return { count: sorted.length, failed, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
