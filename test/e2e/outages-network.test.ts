/**
 * What a gateway logs while its node or its database is away, with real ones: that a part does not answer is one fact of the process, however many
 * of its threads and requests meet it. COMETBFT names the program; without it, or without PostgreSQL, nothing here can be tested.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OUTAGE_LINE_EVERY_MS } from '../../server/app/outages.ts';
import { parseGenesis, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { COMETBFT, CometbftPair } from '../engine/support/cometbft-pair.ts';
import { validatorKey, validatorSeed } from '../ledger/support.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';
import { payer, succeeds } from './support/gateway-files.ts';
import { governedGenesis } from './support/governed-chain.ts';
import { addressOfKeyFile } from './support/role-keys.ts';
import { call, freePort, READY_MS_MAX, Server } from './support/server.ts';

const suite = existsSync(COMETBFT) && POSTGRES_MISSING === undefined ? describe : describe.skip;
const CHAIN_ID = 'outages-net-1';
const PACE_MS = 50;
const ANSWER_MS_MAX = 5000;
const POLL_MS = 50;
const TEST_MS_MAX = 180_000;

interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly msg: string;
  readonly reason?: string;
  readonly lastedMs?: number;
  readonly failures?: number;
}

suite('a gateway logs as one fact', () => {
  let folder: string;
  let cluster: PostgresCluster;
  let pair: CometbftPair;
  let gateway: Server;
  let token: string;
  const over = new AbortController();
  let traffic: Promise<unknown> = Promise.resolve();

  /** But the access log, which has a line for each refused request. */
  const linesAfter = (offset: number): Line[] =>
    gateway.output
      .slice(offset)
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg !== 'request');

  /** Resolves when lines with this text are there. */
  async function says(text: string, offset: number, times = 1): Promise<void> {
    while (linesAfter(offset).filter(({ msg }) => msg.startsWith(text)).length < times) await sleep(POLL_MS);
  }

  async function pay(nonce: number): Promise<boolean> {
    const to = addressOfKeyFile(path.join(folder, 'canceller.json'));
    const { from, amount, signature } = signTransaction<Transfer>(
      { kind: 'transfer', chainId: CHAIN_ID, from: payer.address, to, amount: 1n, nonce },
      payer.seed,
    );
    const { status } = await ask('/transactions', {
      method: 'POST',
      body: JSON.stringify({ from, to, amount: String(amount), nonce, signature }),
      headers: { 'content-type': 'application/json' },
    });
    return status < 300;
  }

  const ask = (route: string, init: RequestInit = {}): ReturnType<typeof call> =>
    call(gateway.baseUrl + route, { ...init, token, signal: AbortSignal.timeout(ANSWER_MS_MAX) });

  /** Resolves with the end of the traffic. */
  async function listen(): Promise<void> {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` };
    const { body } = await fetch(`${gateway.baseUrl}/events`, { headers, signal: over.signal });
    for await (const _ of body ?? []) if (over.signal.aborted) return;
  }

  async function subscribe(): Promise<void> {
    const url = new URL('/rpc/websocket', gateway.baseUrl.replace('http', 'ws'));
    const socket = new WebSocket(Object.assign(url, { username: 'any', password: token }));
    const params = { query: "tm.event='NewBlock'" };
    socket.addEventListener('open', () =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params })),
    );
    over.signal.addEventListener('abort', () => socket.close());
    await new Promise((resolve) => socket.addEventListener('close', resolve));
  }

  /** Payments, reads, searches, streams and probes. Each request has a connection of its own, so they come to both HTTP threads. */
  async function beginTraffic(): Promise<void> {
    let nonce = 0;
    const paid = (): number => nonce;
    const once: (() => Promise<unknown>)[] = [
      async () => (nonce += Number(await pay(nonce))),
      ...['/transactions?limit=5', `/accounts/${payer.address}`, '/webhooks', '/rpc/status', '/readyz', '/metrics'].map(
        (route) => () => ask(route),
      ),
      () => ask('/rpc/tx_search?query=%22tx.height%3D1%22'),
      ...Array.from({ length: 4 }, () => listen),
      ...Array.from({ length: 2 }, () => subscribe),
    ];
    const loops = once.map(async (work) => {
      while (!over.signal.aborted) {
        await work().catch(() => undefined);
        await sleep(PACE_MS);
      }
    });
    traffic = Promise.all(loops);
    while (paid() < 3) await sleep(POLL_MS);
  }

  beforeAll(async () => {
    folder = await temporaryFolder('outages');
    const file = (name: string): string => path.join(folder, `${name}.json`);
    await governedGenesis(folder, CHAIN_ID, [
      '--validator',
      `${validatorKey(0)}=10`,
      '--account',
      `${payer.address}=1000000`,
    ]);
    const parsed = parseGenesis(readFileSync(file('genesis')));
    if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
    cluster = await PostgresCluster.start();
    pair = await CometbftPair.create({ genesis: parsed.genesis, validatorSeed: validatorSeed(0) });
    await pair.start();
    const variables = {
      ENGINE: 'cometbft',
      COMETBFT_RPC_URL: pair.rpcUrl,
      GENESIS_FILE: file('genesis'),
      OPERATOR_KEY_FILE: file('canceller'),
      DATABASE_URL: await cluster.database(),
      HTTP_THREADS: '2',
    };
    const scopes = ['transactions:read', 'transactions:write', 'webhooks:manage'].flatMap((scope) => [
      '--scope',
      scope,
    ]);
    token = await succeeds(['token', 'create', '--owner', 'payer', ...scopes], variables);
    gateway = new Server({ command: 'serve', dataDir: path.join(folder, 'data'), port: await freePort(), variables });
    await gateway.start();
    await beginTraffic();
  }, CLUSTER_TIMEOUT_MS + READY_MS_MAX);

  afterAll(async () => {
    over.abort();
    cluster?.signal('SIGCONT');
    pair?.signalNode('SIGCONT');
    await traffic;
    await gateway?.stop('SIGKILL');
    await pair?.dispose();
    await cluster?.stop();
    await removeTemporaryFolders();
  }, TEST_MS_MAX);

  const OUTAGES: [fact: string, awaited: string, begin: () => unknown, end: () => unknown][] = [
    ['a node that stands still', 'the nodes', () => pair.signalNode('SIGSTOP'), () => pair.signalNode('SIGCONT')],
    ['a node that is gone', 'the nodes', () => pair.killNode(), () => pair.startNode()],
    ['a database that stands still', 'the database', () => cluster.signal('SIGSTOP'), () => cluster.signal('SIGCONT')],
    ['a database that is gone', 'the database', () => cluster.shutdown('SIGQUIT'), () => cluster.restart()],
  ];
  test.each(OUTAGES)(
    '%s: who waits for %s, at most every ten seconds, and that it is over',
    async (_fact, awaited, begin, end) => {
      const offset = gateway.output.length;
      await begin();
      await says(`waiting for ${awaited}: `, offset, 2);
      await end();
      await says(`${awaited} did not answer; it is over`, offset);
      const lines = linesAfter(offset);
      const alarms = lines.filter(({ level }) => level !== 'info');
      expect(alarms.filter(({ msg }) => !msg.startsWith(`waiting for ${awaited}: `))).toEqual([]);
      const [last, ...others] = lines.filter(({ msg }) => msg.includes('it is over'));
      expect(others).toEqual([]);
      expect(alarms.length).toBeLessThanOrEqual(1 + Math.floor((last?.lastedMs ?? 0) / OUTAGE_LINE_EVERY_MS));
      // They stand for many more.
      expect(last?.failures).toBeGreaterThan(alarms.length);
      expect(alarms.filter(({ reason }) => typeof reason !== 'string')).toEqual([]);
      expect(gateway.output.slice(offset)).not.toContain('"stack"');
    },
    TEST_MS_MAX,
  );
});
