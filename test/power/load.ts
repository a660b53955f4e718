/**
 * Clients of one life of a server: batches of 1,000, transfers one by one, cancels, and readers of the tip, each on a connection of its own, so that
 * every HTTP thread has some. They stop at the first answer that does not come, because the server is killed in their middle.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../e2e/support/chain.ts';
import type { SignedBody } from '../e2e/support/signer.ts';

export const BATCH = 1000;
/** The first development accounts send batches, the next ones one by one; the last is left for those who judge a disk. */
const BATCH_SENDERS = 2;
const SINGLE_SENDERS = 6;
const SINGLE_NONCES_MAX = 60;
/** Of the transfers that are sent one by one every so many is waited for. */
const WAIT_EACH = 8;
/** Of their nonces one is left out behind the last: what waits there is cancelled. */
const CANCELLED_AHEAD = 5;
const TIP_PAUSE_MS = 20;
const AMOUNT_MAX = 97;

export interface Reply {
  status: number;
  body: any;
}

/** One connection that is kept open, one request at a time. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #token: string;

  constructor(chain: Chain, token = chain.dev.token) {
    this.#url = chain.server.baseUrl;
    this.#token = token;
  }

  /** Rejects when the connection ends without an answer. */
  ask(method: string, where: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const type = text === undefined ? {} : { 'content-type': 'application/json' };
      const authorization = `Bearer ${this.#token}`;
      const asked = request(
        this.#url + where,
        { agent: this.#agent, method, headers: { authorization, ...type, ...headers } },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () => {
            const all = Buffer.concat(parts).toString();
            resolve({ status: answer.statusCode ?? 0, body: all === '' ? undefined : JSON.parse(all) });
          });
        },
      );
      asked.on('error', reject);
      asked.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export interface Load {
  /** Begun batches, so that a kill can fall into one. */
  readonly batchesBegun: () => number;
  /** Hashes that clients were told to be accepted, in that order. */
  readonly acknowledged: readonly string[];
  /** Resolves when no client sends any more; rejects with an answer that none should get. */
  done: Promise<void>;
}

/** Signs for a life, while the server rests: `batches` of each who sends such. */
async function signed(chain: Chain, batches: number): Promise<{ batches: SignedBody[][]; singles: SignedBody[][] }> {
  // Of a nonce always the same, so that what a life sends again is what the life before it sent.
  const signedAt = (index: number, nonce: number): SignedBody =>
    chain.signed(index, (index + 1) % 9, BigInt(1 + (nonce % AMOUNT_MAX)), nonce);
  const from = async (index: number, count: number): Promise<SignedBody[]> => {
    const first = await chain.nextNonce(chain.account(index).address);
    return Array.from({ length: count }, (_, nonce) => signedAt(index, first + nonce));
  };
  const indexes = (count: number, first = 0): number[] => Array.from({ length: count }, (_, index) => first + index);
  return {
    batches: await Promise.all(indexes(BATCH_SENDERS).map((index) => from(index, BATCH * batches))),
    singles: await Promise.all(
      indexes(SINGLE_SENDERS, BATCH_SENDERS).map((index) => from(index, SINGLE_NONCES_MAX + 1 + CANCELLED_AHEAD)),
    ),
  };
}

/** Begins when everything is signed. @param heard gets each answer, and when it was asked for. */
export async function startLoad(
  chain: Chain,
  batches: number,
  heard: (askedMs: number, reply: Reply) => void = () => undefined,
): Promise<Load> {
  const bodies = await signed(chain, batches);
  const acknowledged: string[] = [];
  const state = { isGone: false, isDone: false, batchesBegun: 0 };

  /** Undefined when the server is gone. */
  async function ask(connection: Connection, ...question: Parameters<Connection['ask']>): Promise<Reply | undefined> {
    if (state.isGone) return undefined;
    const askedMs = performance.now();
    try {
      const reply = await connection.ask(...question);
      heard(askedMs, reply);
      return reply;
    } catch {
      state.isGone = true;
      return undefined;
    }
  }
  const unexpected = ({ status, body }: Reply): Error => new Error(`${status} ${JSON.stringify(body).slice(0, 300)}`);

  async function sendBatches(all: SignedBody[]): Promise<void> {
    const connection = new Connection(chain);
    for (let rest = all; rest.length > 0;) {
      state.batchesBegun += 1;
      const answer = await ask(connection, 'POST', '/transactions/batch', { transactions: rest.slice(0, BATCH) });
      if (answer === undefined) break;
      if (answer.status !== 200) throw unexpected(answer);
      const results = answer.body.results as { outcome: string; problem?: { code: string } }[];
      const refused = rest.slice(0, BATCH).filter((_, index) => results[index]?.outcome === 'refused');
      const codes = new Set(results.flatMap(({ problem }) => problem?.code ?? []));
      // The window of nonces is full until blocks have made room.
      if ([...codes].some((code) => code !== 'nonce_too_high')) throw unexpected(answer);
      acknowledged.push(...rest.slice(0, BATCH).flatMap((body) => (refused.includes(body) ? [] : body.txHash)));
      rest = [...refused, ...rest.slice(BATCH)];
      if (refused.length > 0) await sleep(TIP_PAUSE_MS);
    }
    connection.close();
  }

  async function sendOneByOne(all: SignedBody[]): Promise<void> {
    const connection = new Connection(chain);
    const submit = async (body: SignedBody, headers?: Record<string, string>): Promise<boolean> => {
      const answer = await ask(connection, 'POST', '/transactions', body, headers);
      if (answer === undefined) return false;
      // 200: the life before took it, and was killed before it could say so.
      if (![200, 201, 202].includes(answer.status)) throw unexpected(answer);
      acknowledged.push(body.txHash);
      return true;
    };
    for (const body of all.slice(-CANCELLED_AHEAD)) {
      if (!(await submit(body))) break;
      const answer = await ask(connection, 'DELETE', `/transactions/${body.txHash}`);
      if (answer !== undefined && answer.status !== 202 && answer.status !== 200) throw unexpected(answer);
    }
    for (const [index, body] of all.slice(0, SINGLE_NONCES_MAX).entries()) {
      if (!(await submit(body, index % WAIT_EACH === 0 ? { prefer: 'wait=5' } : {}))) break;
    }
    connection.close();
  }

  async function readTip(): Promise<void> {
    const connection = new Connection(chain);
    while (!state.isDone && !state.isGone) {
      const answer = await ask(connection, 'GET', '/rpc/status');
      if (answer !== undefined && answer.status !== 200) throw unexpected(answer);
      await ask(connection, 'GET', '/transactions?limit=20');
      await sleep(TIP_PAUSE_MS);
    }
    connection.close();
  }

  const senders = Promise.all([...bodies.batches.map(sendBatches), ...bodies.singles.map(sendOneByOne)]).finally(
    () => (state.isDone = true),
  );
  const done = Promise.all([senders, readTip()]).then(() => undefined);
  done.catch(() => undefined);
  return { batchesBegun: () => state.batchesBegun, acknowledged, done };
}
