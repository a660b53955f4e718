/**
 * Requests as attackers and honest clients send them, over kept connections or each on a new one. Attackers have addresses of 127.1.0.0/16, as many
 * as are asked for; payments and other honest traffic come from 127.0.0.1, and probes from an address of their own (target.ts).
 */
import { Agent, request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Latencies, Target } from './target.ts';

/** A request that has no answer by then counts as failed: an attack has to end. */
const ANSWER_MS_MAX = 25_000;

/** Attackers have at least so many addresses where a program has no number of its own. */
export const ADDRESSES = 16;
const PER_BLOCK = 250;

/** The loopback address of an attacker, by number. */
export const addressOf = (number: number): string =>
  `127.1.${Math.floor(number / PER_BLOCK)}.${1 + (number % PER_BLOCK)}`;

/** Where payments and other honest traffic come from. */
export const HONEST = '127.0.0.1';

/** Tokens of so many owners: the command line makes one that makes the others, since a command takes a second. */
export async function tokensOf(
  target: Target,
  owners: number,
  scopes: readonly string[] = ['transactions:read', 'transactions:write', 'rpc:broadcast'],
): Promise<string[]> {
  const all = ['access:manage', ...scopes].flatMap((scope) => ['--scope', scope]);
  const manager = await target.txledger('token', 'create', '--owner', 'portal', ...all);
  return await Promise.all(
    Array.from({ length: owners }, async (_, at) => {
      const response = await fetch(`${target.baseUrl}/access/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${manager}`, 'content-type': 'application/json' },
        body: JSON.stringify({ owner: `owner-${at}`, scopes }),
      });
      if (response.status !== 201) throw new Error(`a token was answered ${response.status}: ${await response.text()}`);
      return ((await response.json()) as { token: string }).token;
    }),
  );
}

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

  constructor(target: Target, localAddress: string, connections: number, { keepAlive = true } = {}) {
    this.#target = target;
    this.#localAddress = localAddress;
    this.#agent = new Agent({ keepAlive, maxSockets: connections });
  }

  /** One for each of so many addresses of attackers. */
  static attackers(target: Target, connections: number, addresses = ADDRESSES): Client[] {
    return Array.from({ length: addresses }, (_, at) => new Client(target, addressOf(at), connections));
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

/** The same from many clients at once: `count` and `atOnce` are of each. */
export async function floodFrom(
  clients: readonly Client[],
  count: number,
  atOnce: number,
  make: (index: number) => Asked,
  options: Parameters<typeof flood>[4] = {},
): Promise<Record<string, number>> {
  return addUp(await Promise.all(clients.map((client) => flood(client, count, atOnce, make, options))));
}

export function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const each of counts) for (const [name, count] of Object.entries(each)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

export function latencies(taken: readonly number[], failed: number): Latencies {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN) * 10) / 10;
  return { count: sorted.length, failed, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
