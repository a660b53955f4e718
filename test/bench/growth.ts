/**
 * `npm run bench:growth`: what a long history costs a gateway on PostgreSQL. Fills a server of its own for each size with settled transfers, and
 * measures the same work on all of them in turns: accept, cancel, settle, get, list. All must cost no more than 1.3 times what they cost at the
 * smallest size.
 *
 *   npm run bench:growth -- [--sizes 100000,1000000,10000000] [--accounts 100000] [--rounds 12] [--setting NAME=VALUE ...] [--json FILE] [--keep] [--on URL ...]
 *
 * Ten million take about five minutes to fill, 10 GB of the temporary folder, which is empty again at the end, and as much memory: what is compared is the
 * work, of servers that hold their indexes in memory as SIZING.md asks for, not the disk of the machine that measures; `--keep` leaves the
 * servers until a line comes in, and `--on`, once for each size, measures on such servers what another checkout or setting costs. Single calls alternate between the sizes, so that other work on the machine meets all of them.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { sha256 } from '../../server/engine/encoding/index.ts';
import { encodeAddress } from '../../server/ledger/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { testGenesis } from '../ledger/support.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { fill, standingOf } from './growth/fill.ts';
import { keptBytes, walBytes, warm } from './growth/server-facts.ts';
import { BLOCK, GROUP, GrownStore, READ_NAMES } from './growth/work.ts';
import { rounded, roundedSpread, type Spread, spread } from './measure/statistics.ts';
import { thisMachine } from './report/machine.ts';
import { progress, progressEnd } from './report/progress.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100000,1000000,10000000' },
    accounts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '12' },
    setting: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    keep: { type: 'boolean', default: false },
    on: { type: 'string', multiple: true, default: [] },
  },
});

/** What every operation may cost, against the smallest size. */
export const RATIO_MAX = 1.3;
/** Of a server for such a history (SIZING.md); a default one has a cache for a demonstration. `wal_level` is the least, because nothing follows it. */
const SERVER_SETTINGS = [
  'shared_buffers=8GB',
  'max_wal_size=4GB',
  'checkpoint_timeout=15min',
  'wal_compression=lz4',
  'wal_level=minimal',
  'max_wal_senders=0',
];
const BLOCKS_PER_ROUND = 5;
const GROUPS_PER_ROUND = (BLOCKS_PER_ROUND * BLOCK) / GROUP;
const CANCELS_PER_ROUND = 30;
const READS_PER_ROUND = 60;

interface Side {
  name: string;
  url: string;
  client: pg.Client;
  fillS: number;
  kept: Record<string, number>;
  grown: GrownStore;
  /** Milliseconds of each call, by operation and round. */
  took: Map<string, number[][]>;
  wal: { accept: number; settle: number; transfers: number };
}

const sizes = values.sizes
  .split(',')
  .map(Number)
  .toSorted((a, b) => a - b);
const rounds = Number(values.rounds);
const MS_PER_S = 1000;
const clusters: PostgresCluster[] = [];
const clients: pg.Client[] = [];

async function prepare(rows: number, genesis: ReturnType<typeof testGenesis>): Promise<Side> {
  const startedMs = performance.now();
  const cluster = await PostgresCluster.start([...SERVER_SETTINGS, ...values.setting]);
  clusters.push(cluster);
  const url = await cluster.database();
  await fill(url, await connect(url), genesis, rows, progress);
  progress(`${rows} rows: into the server's memory`);
  await warm(await connect(url));
  return { ...(await sideAt(url, rows)), fillS: Math.round((performance.now() - startedMs) / MS_PER_S) };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  clients.push(client);
  await client.connect();
  return client;
}

async function sideAt(url: string, rows: number): Promise<Side> {
  const client = await connect(url);
  const store = await openPostgresStore({ url });
  const grown = new GrownStore(store, await standingOf(client, rows));
  return {
    name: rows.toExponential().replace('+', ''),
    url,
    client,
    fillS: 0,
    kept: await keptBytes(client),
    grown,
    took: new Map(),
    wal: { accept: 0, settle: 0, transfers: 0 },
  };
}

/** Each side in turn, and in the other order the next time. */
async function inTurns(
  sides: readonly Side[],
  operation: string,
  times: number,
  work: (side: Side) => Promise<void>,
): Promise<void> {
  for (const { took } of sides) took.set(operation, [...(took.get(operation) ?? []), []]);
  for (let i = 0; i < times; i++) {
    for (const side of i % 2 === 0 ? sides : sides.toReversed()) {
      const startedMs = performance.now();
      await work(side).catch((cause: unknown) => {
        throw new Error(`${operation} failed at ${side.name} rows`, { cause });
      });
      side.took
        .get(operation)
        ?.at(-1)
        ?.push(performance.now() - startedMs);
    }
  }
}

async function countingWal(sides: readonly Side[], of: 'accept' | 'settle', work: () => Promise<void>): Promise<void> {
  const before = await Promise.all(sides.map(({ client }) => walBytes(client)));
  await work();
  for (const [i, { client, wal }] of sides.entries()) wal[of] += (await walBytes(client)) - (before[i] as number);
}

async function round(sides: readonly Side[]): Promise<void> {
  await countingWal(sides, 'accept', () =>
    inTurns(sides, 'accept a group', GROUPS_PER_ROUND, ({ grown }) => grown.accept()),
  );
  await inTurns(sides, 'cancel', CANCELS_PER_ROUND, ({ grown }) => grown.cancel());
  await countingWal(sides, 'settle', () =>
    inTurns(sides, 'settle a block', BLOCKS_PER_ROUND, ({ grown }) => grown.settle()),
  );
  for (const { wal } of sides) wal.transfers += BLOCKS_PER_ROUND * BLOCK;
  for (const what of READ_NAMES) await inTurns(sides, what, READS_PER_ROUND, ({ grown }) => grown.read(what));
}

interface Comparison {
  operation: string;
  /** Median of single calls at each size, ms. */
  ms: Record<string, number>;
  longestMs: Record<string, number>;
  /** Of the rounds' medians, against the smallest size. */
  ratio: Record<string, Spread>;
}

function compare(sides: readonly Side[], operation: string): Comparison {
  const [base] = sides as [Side];
  const medians = ({ took }: Side): number[] => (took.get(operation) ?? []).map((calls) => spread(calls).median);
  const each = <T>(of: (side: Side) => T): Record<string, T> =>
    Object.fromEntries(sides.map((side) => [side.name, of(side)]));
  return {
    operation,
    ms: each((side) => rounded(spread((side.took.get(operation) ?? []).flat()).median)),
    longestMs: each((side) => rounded(spread((side.took.get(operation) ?? []).flat()).max)),
    ratio: each((side) => roundedSpread(spread(medians(side).map((ms, i) => ms / (medians(base)[i] as number))))),
  };
}

function tell(sides: readonly Side[], comparisons: readonly Comparison[]): void {
  for (const { name, grown, fillS, kept, wal } of sides) {
    const perRow = (bytes: number): number => Math.round(bytes / grown.rows);
    const total = Object.values(kept).reduce((sum, bytes) => sum + bytes, 0);
    const parts = Object.entries(kept).map(([part, bytes]) => `${part} ${perRow(bytes)}`);
    console.log(`${name} rows, filled in ${fillS} s: ${perRow(total)} bytes a row (${parts.join(', ')})`);
    console.log(
      `  log of writes a transfer: accept ${Math.round(wal.accept / wal.transfers)} B, settle ${Math.round(wal.settle / wal.transfers)} B`,
    );
  }
  console.log(
    `\nMedian of single calls, ms (longest), and the ratio to ${sides[0]?.name} of ${rounds} rounds: median (least..greatest)`,
  );
  for (const { operation, ms, longestMs, ratio } of comparisons) {
    const cells = sides.map(
      ({ name }, i) =>
        `${name} ${ms[name]} (${longestMs[name]})${i === 0 ? '' : ` = ${ratio[name]?.median}x (${ratio[name]?.min}..${ratio[name]?.max})`}`,
    );
    const over = Object.values(ratio).some(({ median }) => median > RATIO_MAX);
    console.log(`${over ? '> ' : '  '}${operation.padEnd(24)} ${cells.join('  ')}`);
  }
}

try {
  progress(`${values.accounts} accounts`);
  const genesis = testGenesis({
    accounts: Array.from({ length: Number(values.accounts) }, (_, i) => ({
      address: encodeAddress(sha256(Buffer.from(`account ${i}`)), 'txlt'),
      balance: 10n ** 12n,
    })),
  });
  const sides: Side[] = [];
  for (const [i, rows] of sizes.entries())
    sides.push(await (values.on[i] === undefined ? prepare(rows, genesis) : sideAt(values.on[i], rows)));
  if (values.keep) for (const { name, url } of sides) console.log(`${name}: ${url}`);
  // The first round fills caches and is not counted. The others pay for one checkpoint together: after it, every page is written to the log as a whole
  // when it changes first. Twelve rounds are 60,000 transfers, ten minutes of 100 a second; SIZING.md asks for a quarter of an hour between two.
  for (let i = 0; i <= rounds; i++) {
    progress(i === 0 ? 'a round that is not counted' : `round ${i} of ${rounds}`);
    await round(sides);
    if (i === 0) for (const { client } of sides) await client.query('checkpoint');
    if (i === 0)
      for (const side of sides) Object.assign(side, { took: new Map(), wal: { accept: 0, settle: 0, transfers: 0 } });
  }
  progressEnd();
  const comparisons = [...(sides[0]?.took.keys() ?? [])].map((operation) => compare(sides, operation));
  tell(sides, comparisons);
  if (values.json !== undefined) {
    const facts = sides.map(({ name, fillS, kept, wal, grown }) => ({ name, rows: grown.rows, fillS, kept, wal }));
    writeFileSync(
      values.json,
      `${JSON.stringify({ kind: 'growth', recordedAt: new Date().toISOString(), machine: thisMachine(), settings: [...SERVER_SETTINGS, ...values.setting], ratioMax: RATIO_MAX, sides: facts, comparisons }, null, 1)}\n`,
    );
  }
  if (values.keep) {
    console.log('Enter ends the servers.');
    await Promise.race([once(process.stdin, 'data'), once(process.stdin, 'end')]);
  }
  for (const { grown } of sides) await grown.store.close();
} finally {
  for (const client of clients) await client.end().catch(() => undefined);
  for (const cluster of clusters) await cluster.stop();
}
process.exit();
