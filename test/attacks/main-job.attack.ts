/**
 * Payments beside everything that may hold them up: searches of many addresses, in JSON-RPC batches too, downloads of a long statement and idle
 * streams of events by as many owners from as many addresses. No payment is refused; what one costs and takes is printed beside quiet runs of the same process, in turns.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { signedBody } from '../e2e/support/chain.ts';
import { ADDRESSES, addressOf, Client, flood, HONEST, latencies, tokensOf } from './load.ts';
import { checkoutOfArguments, report, Target } from './target.ts';

/** Of the account whose statement is downloaded. */
const ENTRIES = 40_000;
const BATCH = 1_000;
const SEARCHERS = 16;
const SEARCHES_EACH = 4;
const DOWNLOADS = 30;
const STREAMS = 1_000;
const PAYMENTS = 500;
const PAYERS = 8;
const ROUNDS = 2;
/** Processor time of others alone is taken over this time. */
const ALONE_MS = 2_000;
const FILL_MS_MAX = 60_000;
/** What the settings of an attack take until they are all under way. */
const SETTLE_MS = 1_000;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

const target = await Target.start({
  command: 'start',
  checkout: checkoutOfArguments(),
  variables: { LOG_LEVEL: 'error' },
});
const cpuMs = (): number => {
  const fields = readFileSync(`/proc/${target.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
};

try {
  const dev = JSON.parse(readFileSync(path.join(target.dataDir, 'dev.json'), 'utf8')) as DevelopmentFile;
  const { accounts, chainId } = dev;
  const authorization = `Bearer ${dev.token}`;
  const tokens = await tokensOf(target, ADDRESSES);
  const [shop] = accounts;
  const payers = accounts.slice(1);
  const client = new Client(target, HONEST, PAYERS);
  const nonces = payers.map(() => 0);
  const next = (at: number): number => {
    const nonce = nonces[at] ?? 0;
    nonces[at] = nonce + 1;
    return nonce;
  };
  const sign = (at: number): object =>
    signedBody(payers[at] as DevelopmentFile['accounts'][0], {
      chainId,
      to: shop?.address ?? '',
      amount: 1n,
      nonce: next(at),
    });
  const nonceOf = async (at: number): Promise<number> =>
    JSON.parse((await client.ask({ path: `/accounts/${payers[at]?.address}`, headers: { authorization } })).text).nonce;
  const settled = async (): Promise<void> => {
    for (const endMs = performance.now() + FILL_MS_MAX; performance.now() < endMs; await sleep(50)) {
      const reached = await Promise.all(payers.map((_, at) => nonceOf(at)));
      if (reached.every((nonce, at) => nonce === nonces[at])) return;
    }
    throw new Error('what was paid was not executed in time');
  };

  for (let left = ENTRIES; left > 0;) {
    for (let at = 0; at < payers.length && left > 0; at += 1, left -= BATCH) {
      const body = JSON.stringify({ transactions: Array.from({ length: BATCH }, () => sign(at)) });
      const { status } = await client.ask({
        method: 'POST',
        path: '/transactions/batch',
        headers: { authorization },
        body,
      });
      if (status !== 200) throw new Error(`a batch was answered ${status}`);
    }
    await settled();
  }

  /** Payments in a closed loop, signed before. */
  const pay = async (): Promise<{ statuses: Record<string, number>; taken: number[]; cpu: number; ms: number }> => {
    await settled();
    const bodies = Array.from({ length: PAYMENTS }, (_, at) => JSON.stringify(sign(at % payers.length)));
    const taken: number[] = [];
    const [cpuBefore, beganMs] = [cpuMs(), performance.now()];
    // Nonces in order, for each account from one connection.
    const statuses: Record<string, number> = {};
    await Promise.all(
      payers.map(async (_, payer) => {
        for (let at = payer; at < PAYMENTS; at += payers.length) {
          const { status, ms } = await client.ask({
            method: 'POST',
            path: '/transactions',
            headers: { authorization },
            body: bodies[at] as string,
          });
          statuses[status] = (statuses[status] ?? 0) + 1;
          taken.push(ms);
        }
      }),
    );
    return { statuses, taken, cpu: cpuMs() - cpuBefore, ms: performance.now() - beganMs };
  };

  /** Everything at once, until it is stopped. */
  const attack = (): {
    stop: () => Promise<{ searches: Record<string, number>; downloads: number; streams: number }>;
  } => {
    const ending = new AbortController();
    const { signal } = ending;
    const searches: Record<string, number> = {};
    let [downloads, streams] = [0, 0];
    const batch = JSON.stringify(
      Array.from({ length: 10 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'block_search',
        params: { query: 'block.height > 1', per_page: '100' },
      })),
    );
    const searchers = Client.attackers(target, SEARCHES_EACH, SEARCHERS);
    const loops = searchers.map(async (searcher) => {
      while (!signal.aborted) {
        const some = await flood(searcher, SEARCHES_EACH, SEARCHES_EACH, (index) =>
          index % 2 === 0
            ? { method: 'POST', path: '/rpc', body: batch }
            : {
                path: `/rpc/${index % 4 === 1 ? 'block_search?query=%22block' : 'tx_search?query=%22tx'}.height%3E1%22&per_page=100`,
              },
        );
        for (const [status, count] of Object.entries(some)) searches[status] = (searches[status] ?? 0) + count;
      }
    });
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
    const open = (to: string, accept: string, at: number, onEnd: () => void): void => {
      const localAddress = addressOf(at % ADDRESSES);
      const headers = { authorization: `Bearer ${tokens[at % tokens.length]}`, accept };
      const asked = request(
        { host: '127.0.0.1', port: target.port, agent, localAddress, path: to, headers, signal },
        (response) => {
          response.resume().on('error', () => undefined);
          if (accept !== 'text/csv' && response.statusCode === 200) streams += 1;
          response.on('end', onEnd);
        },
      );
      asked.on('error', () => undefined);
      asked.end();
    };
    const download = (at: number): void => {
      if (signal.aborted) return;
      open(`/accounts/${shop?.address}/entries`, 'text/csv', at, () => {
        downloads += 1;
        download(at);
      });
    };
    for (let at = 0; at < DOWNLOADS; at += 1) download(at);
    for (let at = 0; at < STREAMS; at += 1)
      open('/events?type=transfer.expired', 'text/event-stream', at, () => undefined);
    return {
      stop: async () => {
        ending.abort();
        await Promise.all(loops);
        for (const searcher of searchers) searcher.close();
        agent.destroy();
        return { searches, downloads, streams };
      },
    };
  };

  await pay();
  const quiet: Awaited<ReturnType<typeof pay>>[] = [];
  const loaded: Awaited<ReturnType<typeof pay>>[] = [];
  const others: object[] = [];
  let aloneCpuPerMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(await pay());
    const attacking = attack();
    await sleep(SETTLE_MS);
    loaded.push(await pay());
    const before = cpuMs();
    await sleep(ALONE_MS);
    aloneCpuPerMs = Math.max(aloneCpuPerMs, (cpuMs() - before) / ALONE_MS);
    others.push(await attacking.stop());
    await sleep(SETTLE_MS);
  }
  client.close();
  const sum = (runs: typeof quiet, of: (run: (typeof quiet)[0]) => number): number =>
    runs.reduce((total, run) => total + of(run), 0);
  const figures = (runs: typeof quiet) => ({
    ...latencies(
      runs.flatMap(({ taken }) => taken),
      0,
    ),
    cpuMsEach: Math.round((sum(runs, ({ cpu }) => cpu) / PAYMENTS / runs.length) * 100) / 100,
    tookMs: Math.round(sum(runs, ({ ms }) => ms)),
  });
  const statuses: Record<string, number> = {};
  for (const run of [...quiet, ...loaded])
    for (const [status, count] of Object.entries(run.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  report('main-job', target, Object.keys(statuses).join() === '202', {
    payments: statuses,
    quiet: figures(quiet),
    loaded: figures(loaded),
    othersCpuWithoutPayments: Math.round(aloneCpuPerMs * 100) / 100,
    others,
  });
} finally {
  await target.stop();
}
