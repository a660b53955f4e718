/** A real server under load and a real receiver, each killed at random moments: everything arrives, in order. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { call, freePort, Server } from '../e2e/support/server.ts';
import { endChild } from '../support/child-process.ts';
import { Random } from '../gateway/support/random.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { judge, linesOf, startReceiver, type Verdict } from './support/received.ts';

const BATCH = 100;
const SENDERS = 5;
const RETRY_MS = 50;
/** A kill comes so long after the one before. */
const BETWEEN_KILLS_MS_MAX = 1500;
const RECEIVER_DOWN_MS_MAX = 300;
/** After the last event, for the waits of a lane that failed twice. */
const SETTLE_MS_MAX = 120_000;

export interface KillsOptions {
  events: number;
  kills: number;
  seed: number;
}

export async function killsRun({ events, kills, seed }: KillsOptions): Promise<{
  verdict: Verdict;
  killed: { server: number; receiver: number };
  messages: string[];
  seconds: number;
}> {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-webhook-kills-'));
  const file = path.join(folder, 'received');
  const random = new Random(seed);
  const receiverPort = await freePort();
  const server = new Server({
    dataDir: path.join(folder, 'data'),
    port: await freePort(),
    variables: { BLOCK_INTERVAL_MS: '50', LOG_LEVEL: 'warn', TXLEDGER_VALIDATE_RESPONSES: 'false' },
  });
  let receiver: ChildProcess | undefined;
  const beganMs = performance.now();
  try {
    await server.start();
    const dev = await server.development();
    const json = { 'content-type': 'application/json' };
    const made = await call(`${server.baseUrl}/webhooks`, {
      method: 'POST',
      token: dev.token,
      headers: json,
      body: JSON.stringify({ url: `http://127.0.0.1:${receiverPort}/hooks` }),
    });
    // Both secrets sign from here on.
    const rotated = await call(`${server.baseUrl}/webhooks/${made.body.id}/rotate-secret`, {
      method: 'POST',
      token: dev.token,
      headers: json,
      body: '{}',
    });
    if (rotated.status !== 200) throw new Error(`${rotated.status} ${JSON.stringify(rotated.body)}`);
    const receive = (): Promise<ChildProcess> =>
      startReceiver({ port: receiverPort, file, secrets: [made.body.secret, rotated.body.secret] });
    receiver = await receive();

    let isLoaded = false;
    const load = sendAll(server, events).then(() => (isLoaded = true));
    load.catch(() => undefined);
    const killed = { server: 0, receiver: 0 };
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(random.below(BETWEEN_KILLS_MS_MAX));
      if (random.chance(50)) {
        await server.stop('SIGKILL');
        await server.start();
        killed.server += 1;
      } else {
        await endChild(receiver, 'SIGKILL');
        await sleep(random.below(RECEIVER_DOWN_MS_MAX));
        receiver = await receive();
        killed.receiver += 1;
      }
    }
    await load;
    if (!isLoaded) throw new Error('the load did not end');
    const wanted = await allEvents(server, dev.token, events);
    for (
      const endMs = performance.now() + SETTLE_MS_MAX;
      performance.now() < endMs && new Set(linesOf(file)).size < wanted.length;
    )
      await sleep(RETRY_MS);
    const verdict = judge(wanted, linesOf(file));
    return { verdict, killed, messages: linesOf(`${file}.messages`), seconds: (performance.now() - beganMs) / 1000 };
  } finally {
    await endChild(receiver, 'SIGKILL');
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

type Sender = Parameters<typeof signedBody>[0];

/** Batches of several senders; one that was begun is repeated until it is taken. */
async function sendAll(server: Server, count: number): Promise<void> {
  const dev = await server.development();
  const each = Math.ceil(count / SENDERS);
  const send = async (from: number): Promise<void> => {
    for (let nonce = 0; nonce < each; nonce += BATCH) {
      let rest = Array.from({ length: Math.min(BATCH, each - nonce) }, (_, index) =>
        signedBody(dev.accounts[from] as Sender, {
          chainId: dev.chainId,
          to: (dev.accounts[(from + 1) % SENDERS] as Sender).address,
          amount: 1n,
          nonce: nonce + index,
        }),
      );
      while (rest.length > 0) {
        const answer = await call(`${server.baseUrl}/transactions/batch`, {
          method: 'POST',
          token: dev.token,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ transactions: rest }),
        }).catch(() => undefined);
        if (answer?.status === 200) rest = rest.filter((_, index) => answer.body.results[index].outcome === 'refused');
        if (rest.length > 0) await sleep(RETRY_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, from) => send(from)));
}

/** As GET /events has them, once all transfers are settled. */
async function allEvents(server: Server, token: string, count: number): Promise<string[]> {
  const expected = Math.ceil(count / SENDERS) * SENDERS;
  for (const endMs = performance.now() + SETTLE_MS_MAX; performance.now() < endMs; await sleep(RETRY_MS * 10)) {
    const ids: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await call(
        `${server.baseUrl}/events?limit=1000&order=asc&after=0${cursor === undefined ? '' : `&cursor=${cursor}`}`,
        { token, headers: { accept: 'application/json' } },
      );
      if (page.status !== 200) throw new Error(`${page.status} ${JSON.stringify(page.body)}`);
      ids.push(...(page.body.events as { id: string }[]).map(({ id }) => id));
      cursor = page.body.nextCursor;
    }
    if (ids.length === expected) return ids;
  }
  throw new Error('not every transfer was settled in time');
}
