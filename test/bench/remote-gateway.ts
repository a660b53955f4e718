/**
 * What a gateway far from the database costs one beside it: acknowledgements of the near one alone, and while the far one is under load.
 *
 *   node test/bench/remote-gateway.ts [--checkout DIR] [--seconds 8] [--delay-ms 25]
 *
 * Both are cores on one PostgreSQL of their own, with blocks of a test engine every second; the far one's connections go through a proxy that
 * delays each way. `--checkout` measures another checkout's gateways by the same program.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Proxy } from '../store/support/proxy.ts';
import { PostgresCluster } from '../support/postgres.ts';

const { values } = parseArgs({
  options: {
    checkout: { type: 'string', default: path.resolve(import.meta.dirname, '../..') },
    seconds: { type: 'string', default: '8' },
    'delay-ms': { type: 'string', default: '25' },
  },
});
const [seconds, delayMs] = [Number(values.seconds), Number(values['delay-ms'])];
const from = (file: string): Promise<any> => import(path.resolve(values.checkout, file));
const { createGatewayCore, createGatewayFront } = await from('server/gateway/index.ts');
const { openPostgresStore } = await from('server/store/index.ts');
const { createClock } = await from('server/app/environment.ts');
const { TestEngine } = await from('test/gateway/support/test-engine.ts');
const { operatorSeed, signedTransfer, testGenesis } = await from('test/ledger/support.ts');

const BLOCK_MS = 1000;
/** Senders of each gateway, and how many transfers of one are under way at once. */
const NEAR = { senders: [0, 1, 2, 3, 4], each: 1 };
const FAR = { senders: [5, 6, 7, 8, 9], each: 10 };
const logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (fields: object, message: string) => console.error(message, fields),
};

const cluster = await PostgresCluster.start();
const url = await cluster.database();
const clock = createClock();
const engine = new TestEngine(testGenesis(), clock);
const open = async (storeUrl: string, gatewayId: string): Promise<any> => {
  const store = await openPostgresStore({ url: storeUrl });
  const core = await createGatewayCore({
    store,
    engine,
    genesis: engine.genesis,
    operatorSeed: operatorSeed(0),
    clock,
    logger,
    gatewayId,
    limits: {},
    onFatal: (error: Error) => {
      throw error;
    },
  });
  return { store, core, gateway: createGatewayFront(core, { chain: engine.genesis, clock }) };
};

const nonces = new Map<number, number>();
async function client(gateway: any, sender: number, endMs: number, tookMs: number[]): Promise<void> {
  while (performance.now() < endMs) {
    const nonce = nonces.get(sender) ?? 0;
    nonces.set(sender, nonce + 1);
    const { tx } = signedTransfer({ from: sender, to: (sender + 1) % 10, nonce });
    const principal = { tokenId: 't', owner: `owner-${sender}`, scopes: ['transactions:write'] };
    const startedMs = performance.now();
    const answer = await gateway.submit(
      { from: tx.from, to: tx.to, amount: tx.amount.toString(), nonce, signature: tx.signature },
      principal,
    );
    if (!answer.ok) throw new Error(`${answer.code}: ${answer.detail}`);
    tookMs.push(performance.now() - startedMs);
  }
}

const load = async ({ gateway }: any, { senders, each }: typeof NEAR): Promise<number[]> => {
  const tookMs: number[] = [];
  const endMs = performance.now() + seconds * 1000;
  await Promise.all(
    senders.flatMap((sender) => Array.from({ length: each }, () => client(gateway, sender, endMs, tookMs))),
  );
  return tookMs;
};

const told = (tookMs: number[]): string => {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (part: number): string => `${(sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)} ms`;
  return `p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, ${Math.round(sorted.length / seconds)} a second`;
};

const database = new pg.Client({ connectionString: url });
await database.connect();
const written = async (): Promise<number> =>
  Number((await database.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes")).rows[0].bytes);

const near = await open(url, 'near');
const blocks = setInterval(() => engine.block(), BLOCK_MS);
await load(near, { senders: [0], each: 1 });
const before = await written();
const alone = await load(near, NEAR);
console.log(
  `near, alone:      ${told(alone)}; ${Math.round(((await written()) - before) / alone.length)} bytes of WAL a transfer`,
);
const through = await Proxy.before(url, { delayMs });
const far = await open(through.url, 'far');
await load(far, { senders: [5], each: 1 });
const [ofNear, ofFar] = await Promise.all([load(near, NEAR), load(far, FAR)]);
console.log(`near, beside far: ${told(ofNear)}`);
console.log(`far (${delayMs} ms away): ${told(ofFar)}`);
await sleep(2 * BLOCK_MS);
const { rows } = await database.query(
  'select relname, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del from pg_stat_user_tables where n_tup_ins + n_tup_upd > 100 order by relname',
);
console.table(rows);
clearInterval(blocks);
for (const { core, store } of [near, far]) {
  await core.close();
  await store.close();
}
await database.end();
await through.proxy.close();
await cluster.stop();
