/**
 * The doors of the RPC beside those of a stock node (COMETBFT names the program): thousands of requests to both. Every difference is in the table of
 * docs/INTEGRATORS.md, and every line of the table is met.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { freePort, Server } from '../e2e/support/server.ts';
import { CometbftNode, hasCometbft } from '../engine/support/cometbft-node.ts';
import { Asker } from './compare.ts';
import { DIFFERENCES, TABLE, type Difference } from './differences.ts';
import { allRequests, jsonRequests, type StockRequest } from './requests.ts';

/** Both chains have so many blocks, so that a height of 1 or 2 is one that they have. */
const HEIGHT_MIN = 3;
const POLL_MS = 50;
const AT_ONCE = 8;
const MINUTES = 60_000;

test('the table of the documents is the one that is tried', () => {
  const text = readFileSync(path.join(ROOT, 'docs/INTEGRATORS.md'), 'utf8');
  const [, after = ''] = text.split('| Asked | A stock node | Here | Why |\n|---|---|---|---|\n');
  expect(after.slice(0, after.indexOf('\n\n')).split('\n')).toEqual(TABLE);
});

test('each text stands in eight places', () => {
  const places = new Map<string, number>();
  for (const { place } of jsonRequests()) places.set(place, (places.get(place) ?? 0) + 1);
  expect(places.size).toBe(8);
  expect(Math.min(...places.values())).toBeGreaterThan(250);
  expect(new Set(places.values()).size).toBe(1);
});

const withNode = hasCometbft ? describe : describe.skip;

withNode('beside a stock node', () => {
  const node = new CometbftNode();
  let dataDir: string;
  let server: Server;
  let stock: Asker;
  let here: Asker;

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'txledger-stock-'));
    const variables = { BLOCK_INTERVAL_MS: '100', IDLE_BLOCK_INTERVAL_S: '1' };
    server = new Server({ dataDir, port: await freePort(), variables });
    await Promise.all([node.start(), server.start()]);
    const { token } = await server.development();
    for (let tx = 0; tx < HEIGHT_MIN; tx++)
      await node.ask('broadcast_tx_commit', { tx: Buffer.from(`key${tx}=1`).toString('base64') });
    for (let height = 0; height < HEIGHT_MIN; await sleep(POLL_MS)) {
      const status = await fetch(`${server.baseUrl}/rpc/status`);
      height = Number(((await status.json()) as any).result.sync_info.latest_block_height);
    }
    stock = new Asker(node.url);
    here = new Asker(`${server.baseUrl}/rpc`, { authorization: `Bearer ${token}` });
  }, 2 * MINUTES);

  afterAll(async () => {
    stock?.close();
    here?.close();
    await node.dispose();
    await server?.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  test(
    'every difference is in the table, and every line of the table is one',
    async () => {
      const met = new Map<Difference, number>();
      const unexplained: object[] = [];
      const compare = async (request: StockRequest): Promise<void> => {
        const [theirs, ours] = await Promise.all([
          stock.ask(request),
          here.ask({ ...request, path: request.path.replace(/^\/(?=$|\?)/, '') }),
        ]);
        if (JSON.stringify(theirs) === JSON.stringify(ours)) return;
        const difference = DIFFERENCES.find(({ is }) => is(request, theirs, ours));
        if (difference === undefined) {
          const { place, text, path: asked } = request;
          unexplained.push({ place, text: text.slice(0, 200), asked, stock: theirs, here: ours });
        } else met.set(difference, (met.get(difference) ?? 0) + 1);
      };
      const queue = allRequests();
      expect(queue.length).toBeGreaterThan(3_800);
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let next = queue.pop(); next !== undefined; next = queue.pop()) await compare(next);
        }),
      );
      expect(unexplained).toEqual([]);
      expect(DIFFERENCES.filter((difference) => !met.has(difference)).map(({ asked }) => asked)).toEqual([]);
    },
    4 * MINUTES,
  );
});
