/** What the pool of nodes says of those that do not answer. */
import { beforeEach, expect, test } from '@jest/globals';
import { ALL_AWAY, NodePool, ONE_AWAY } from '../../server/engine/cometbft/nodes/node-pool.ts';
import { NodeFailure } from '../../server/engine/cometbft/nodes/node-port.ts';
import { STATUS_POLL_MS } from '../../server/engine/cometbft/limits.ts';
import { ManualClock, settled } from '../gateway/support/manual-clock.ts';

const CHAIN_ID = 'pool-1';
/** The path of a hosted node is often its key. */
const URLS = ['https://a.example/key-geheim', 'http://b.example:26657'] as const;

let clock: ManualClock;
let pool: NodePool;
let away: Set<string>;
let silent: Set<string>;
let lines: { level: string; fields: any; message: string }[];

beforeEach(async () => {
  clock = new ManualClock(1_800_000_000_000);
  away = new Set();
  silent = new Set();
  lines = [];
  const at =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields, message });
  const status = {
    node_info: { network: CHAIN_ID },
    sync_info: { latest_block_height: '7', earliest_block_height: '1', catching_up: false },
  };
  pool = new NodePool({
    nodeUrls: URLS,
    chainId: CHAIN_ID,
    port: {
      call: async (url, body) => {
        if (silent.has(url)) await new Promise(() => undefined);
        if (away.has(url)) throw new NodeFailure('refused', 'connect ECONNREFUSED');
        const calls = JSON.parse(body) as { id: unknown }[];
        return JSON.stringify(
          calls.map(({ id }, i) => ({ jsonrpc: '2.0', id, result: i === 0 ? status : { total: '0' } })),
        );
      },
      subscribe: () => ({ close: () => undefined }),
      close: () => undefined,
    },
    clock,
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    onStatus: () => undefined,
    onDistrusted: () => undefined,
  });
});

const polls = (count: number): Promise<void> => clock.advance(count * STATUS_POLL_MS);
const alarms = (): string[] => lines.filter(({ level }) => level === 'warn').map(({ message }) => message);

test('one that does not answer is told once, and when it answers again, for how long it did not', async () => {
  await pool.start();
  away.add(URLS[1]);
  await polls(5);
  away.clear();
  await polls(1);
  expect(lines).toMatchObject([
    { message: 'a node answers' },
    { message: 'a node answers' },
    { level: 'warn', fields: { node: URLS[1], others: 1 }, message: ONE_AWAY },
    { level: 'info', fields: { node: URLS[1], awayMs: 5 * STATUS_POLL_MS }, message: 'a node answers' },
  ]);
  pool.close();
});

test('it is told too when something else that was asked found out first', async () => {
  await pool.start();
  away.add(URLS[0]);
  await expect(
    pool.nodes[0]!.askAll([{ method: 'status', params: '{}' }], { timeoutMs: 1, answerBytesMax: 1 }),
  ).rejects.toThrow('ECONN');
  await polls(2);
  expect(alarms()).toEqual([ONE_AWAY]);
  pool.close();
});

test('that there is none is told for as long as it lasts, by an error that the log folds, without the key in a path', async () => {
  for (const url of URLS) away.add(url);
  await pool.start();
  await polls(2);
  expect(alarms()).toEqual(Array.from({ length: 6 }, () => ALL_AWAY));
  const { err } = lines[0]!.fields;
  expect(err).toBeInstanceOf(NodeFailure);
  expect(err.message).toBe(
    'https://a.example/*** does not answer (connect ECONNREFUSED); http://b.example:26657 does not answer (connect ECONNREFUSED)',
  );
  pool.close();
});

test('that there is none is not told before each was asked', async () => {
  away.add(URLS[0]);
  silent.add(URLS[1]);
  void pool.start();
  await settled();
  await polls(3);
  expect(alarms()).toEqual([]);
  pool.close();
});
