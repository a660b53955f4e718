/**
 * The engine over a stock CometBFT v0.38.26 node with its kvstore application: whatever the engine answers is compared with the node's own
 * answer. COMETBFT names the program; without it nothing here can be tested (scripts of the project install it).
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { createCometbftEngine, EngineStartError, type CometbftEngine } from '../../server/engine/cometbft/index.ts';
import { genesisGovernance } from '../../server/ledger/index.ts';
import { RPC_METHODS, type RpcArguments, type RpcMethod } from '../../server/engine/port.ts';
import { testGenesis } from '../ledger/support.ts';
import { shapeDifferences } from './support/golden-rpc.ts';
import { CometbftNode, hasCometbft } from './support/cometbft-node.ts';
import { allEvents } from './support/all-events.ts';
import { realClock } from './support/real-clock.ts';

const TIMEOUT_MS = 120_000;
/** Far above what a block takes, on a machine that is busy with other tests. */
const BLOCK_MS_MAX = 30_000;

const suite = hasCometbft ? describe : describe.skip;
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const node = new CometbftNode();
const folder = mkdtempSync(join(tmpdir(), 'txledger-cometbft-'));
let engine: CometbftEngine;

const transaction = (i: number): Buffer => Buffer.from(`key${i}=value${i % 3}`);

async function open(nodeUrls: readonly string[], name: string, chainId?: string): Promise<CometbftEngine> {
  const genesis =
    chainId === undefined
      ? { ...testGenesis(), chainId: node.chainId, validators: node.validators }
      : { ...testGenesis(), chainId };
  const opened = await createCometbftEngine({
    genesis,
    nodeUrls,
    searchFile: join(folder, name),
    clock: realClock,
    logger,
  });
  const governance = genesisGovernance(genesis);
  await opened.startFrom({
    height: 0,
    hash: '',
    timeMs: 0,
    governance,
    validatorSets: [{ height: 1, validators: governance.validators }],
  });
  return opened;
}

async function ask(method: RpcMethod, args: RpcArguments = {}): Promise<any> {
  const outcome = await engine.rpc(method, args);
  return outcome.ok ? { result: JSON.parse(outcome.json) } : { error: outcome.error, status: outcome.status };
}

/** Waits until the node has put all of it into blocks and stands still: one more block follows the last change of state. */
async function settled(transactions: number): Promise<number> {
  for (let height = 0; ;) {
    height = await engine.waitForHeight(height + 1, 1_000);
    const { result } = await node.ask('tx_search', { query: 'tx.height > 0' });
    const { sync_info } = (await node.ask('status')).result;
    if (Number(result.total_count) === transactions && Number(sync_info.latest_block_height) === height) {
      const { result: last } = await node.ask('block', { height: String(height) });
      if (last.block.data.txs.length === 0) return height;
    }
  }
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

suite('over a stock node', () => {
  let height = 0;
  let blockWithAll = 0;

  beforeAll(async () => {
    await node.start();
    engine = await open([node.url], 'search.db');
    const first = await engine.broadcast([{ raw: transaction(0) }]);
    expect(first).toEqual([{ code: 0, log: '' }]);
    await settled(1);
    // Many in one block: their places within it count.
    const many = await engine.broadcast(Array.from({ length: 40 }, (_, i) => ({ raw: transaction(i + 1) })));
    expect(many.map(({ code }) => code)).toEqual(many.map(() => 0));
    await settled(41);
    // The kvstore's own changes of validators are no governance of the ledger: a chain that has them is another one.
    await engine.broadcast([{ raw: Buffer.from('last=1') }]);
    height = await settled(42);
    blockWithAll = Number((await node.ask('tx_search', { query: "app.key = 'key7'" })).result.txs[0].height);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await engine?.close();
    await node.dispose();
  });

  test('blocks are those of the chain, in order, with codes, logs and application hash', async () => {
    const blocks = await engine.blocks(1, 100);
    expect(blocks.map((block) => block.height)).toEqual(Array.from({ length: Math.min(20, height) }, (_, i) => i + 1));
    for (const block of blocks) {
      const at = { height: String(block.height) };
      const { result } = await node.ask('block', at);
      const { result: results } = await node.ask('block_results', at);
      expect(block).toMatchObject({
        chainId: node.chainId,
        hash: result.block_id.hash,
        parentHash: result.block.header.last_block_id.hash,
        time: result.block.header.time,
      });
      expect(block.transactions.map((raw) => Buffer.from(raw).toString('base64'))).toEqual(result.block.data.txs);
      expect(block.codes).toEqual((results.txs_results ?? []).map(({ code }: any) => code));
      if (block.height < height)
        expect(block.appHash).toBe(
          (await node.ask('header', { height: String(block.height + 1) })).result.header.app_hash,
        );
    }
    expect(await engine.blocks(height + 1, 10)).toEqual([]);
  });

  test('status tells the height', async () => {
    const { sync_info } = (await node.ask('status')).result;
    expect(await engine.status()).toMatchObject({
      chainId: node.chainId,
      height,
      lastBlockHash: sync_info.latest_block_hash,
      clockHeld: false,
      healthy: true,
      detail: 'following the chain: 1 of 1 nodes answer',
    });
  });

  /** Arguments as decoded by our doors, and as the node reads them. */
  const CASES: readonly (readonly [RpcMethod, RpcArguments, object])[] = [
    ['abci_info', {}, {}],
    ['abci_query', { path: '/key', data: Buffer.from('key1') }, { path: '/key', data: '6b657931' }],
    [
      'abci_query',
      { path: '/key', data: Buffer.from('none'), height: 1, prove: true },
      { path: '/key', data: '6e6f6e65', height: '1', prove: true },
    ],
    ['block', {}, {}],
    ['block', { height: 2 }, { height: '2' }],
    ['block', { height: 0 }, { height: '0' }],
    ['block', { height: 10n ** 30n }, { height: String(10n ** 30n) }],
    ['block', { height: 999_999 }, { height: '999999' }],
    ['block_by_hash', { hash: new Uint8Array(32) }, { hash: Buffer.alloc(32).toString('base64') }],
    ['block_results', { height: 2 }, { height: '2' }],
    ['block_results', { height: -1 }, { height: '-1' }],
    ['block_search', { query: 'block.height > 1' }, { query: 'block.height > 1' }],
    [
      'block_search',
      { query: 'block.height >= 1', page: 1, per_page: 2, order_by: 'asc' },
      { query: 'block.height >= 1', page: '1', per_page: '2', order_by: 'asc' },
    ],
    ['blockchain', { minHeight: 1, maxHeight: 3 }, { minHeight: '1', maxHeight: '3' }],
    ['blockchain', { minHeight: 3, maxHeight: 2 }, { minHeight: '3', maxHeight: '2' }],
    ['broadcast_evidence', {}, {}],
    ['broadcast_tx_sync', { tx: transaction(0) }, { tx: transaction(0).toString('base64') }],
    ['commit', { height: 2 }, { height: '2' }],
    ['commit', {}, {}],
    ['consensus_params', {}, {}],
    ['consensus_state', {}, {}],
    ['dump_consensus_state', {}, {}],
    ['genesis', {}, {}],
    ['genesis_chunked', { chunk: 0 }, { chunk: '0' }],
    ['genesis_chunked', { chunk: 7 }, { chunk: '7' }],
    ['header', { height: 1 }, { height: '1' }],
    ['header_by_hash', { hash: new Uint8Array(32) }, { hash: '00'.repeat(32) }],
    ['health', {}, {}],
    ['net_info', {}, {}],
    ['num_unconfirmed_txs', {}, {}],
    ['status', {}, {}],
    ['tx', { hash: new Uint8Array(32) }, { hash: Buffer.alloc(32).toString('base64') }],
    ['tx_search', { query: 'no query' }, { query: 'no query' }],
    ['tx_search', { query: 'tx.height > 0', page: 99 }, { query: 'tx.height > 0', page: '99' }],
    ['tx_search', { query: 'tx.height > 0', order_by: 'up' }, { query: 'tx.height > 0', order_by: 'up' }],
    ['unconfirmed_txs', { limit: 3 }, { limit: '3' }],
    ['validators', { height: 2, page: 1, per_page: 5 }, { height: '2', page: '1', per_page: '5' }],
    ['validators', { page: 9 }, { page: '9' }],
  ];

  /** What the node answers is handed on to the letter; what we make ourselves is compared as JSON. */
  const OWN: readonly RpcMethod[] = ['tx', 'tx_search', 'block_search'];
  /** Of these only the shape stays from one moment to the next. */
  const MOVING: readonly RpcMethod[] = ['consensus_state', 'dump_consensus_state', 'net_info'];

  test('every method that reads is among the cases', () => {
    const sending = ['broadcast_tx_async', 'broadcast_tx_commit'];
    // Asked of our own application, by a query that the kvstore does not know.
    const own = ['check_tx'];
    expect(new Set([...CASES.map(([method]) => method), ...sending, ...own])).toEqual(
      new Set(Object.keys(RPC_METHODS)),
    );
  });

  test('check_tx never reaches the mempool of a node', async () => {
    const outcome = await engine.rpc('check_tx', { tx: Buffer.from('a=b') });
    expect(outcome).toMatchObject({
      ok: false,
      status: 503,
      error: { data: 'the application behind the nodes does not judge transactions' },
    });
  });

  test.each(CASES.map((one) => [`${one[0]} ${JSON.stringify(one[2])}`, ...one] as const))(
    '%s',
    async (_, method, args, params) => {
      const outcome = await engine.rpc(method, args);
      const text = await node.askText(method, params);
      const { result, error } = JSON.parse(text);
      if (!outcome.ok) {
        expect(outcome.error).toEqual(error);
        expect([400, 404]).toContain(outcome.status);
        return;
      }
      expect(error).toBeUndefined();
      if (MOVING.includes(method)) expect(shapeDifferences(JSON.parse(outcome.json), result)).toEqual([]);
      else if (OWN.includes(method)) expect(JSON.parse(outcome.json)).toEqual(result);
      else expect(text).toContain(`"result":${outcome.json}}`);
    },
  );

  test('errors carry the honest status', async () => {
    const statusOf = async (method: RpcMethod, args: RpcArguments) => (await ask(method, args)).status;
    expect(await statusOf('block', { height: 999_999 })).toBe(404);
    expect(await statusOf('tx', { hash: new Uint8Array(32) })).toBe(404);
    expect(await statusOf('block', { height: 0 })).toBe(400);
    expect(await statusOf('block', { height: 10n ** 30n })).toBe(400);
    expect(await statusOf('validators', { page: 9 })).toBe(400);
    expect(await statusOf('genesis_chunked', { chunk: 7 })).toBe(404);
    expect(await statusOf('broadcast_tx_sync', { tx: transaction(0) })).toBe(400);
    expect(await statusOf('block', { height: true })).toBe(400);
  });

  const QUERIES = [
    'tx.height > 0',
    "app.key = 'key7'",
    "app.key = 'value1'",
    "app.creator = 'Cosmoshi'",
    "app.creator = 'Cosmoshi' AND app.key = 'value2'",
    "app.noindex_key = 'index is working'",
    "app.key CONTAINS 'key1'",
    'app.key EXISTS',
    'app.noindex_key EXISTS',
    'tx.height = 1',
    'tx.height < 1',
    "app.key = 'value0' AND tx.height > 2",
    "app.nothing = 'x'",
  ];
  const PAGES = [
    {},
    { order_by: 'desc' },
    { order_by: 'asc', page: 2, per_page: 3 },
    { order_by: 'desc', page: 1, per_page: 7, prove: true },
  ];

  test.each(QUERIES)('tx_search %s finds what the node finds, in every order and on every page', async (query) => {
    for (const page of PAGES) {
      const params = Object.fromEntries(
        Object.entries(page).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
      );
      const { result, error } = await node.ask('tx_search', { query, ...params });
      expect([query, page, await ask('tx_search', { query, ...page })]).toEqual([
        query,
        page,
        error ? { error, status: 400 } : { result },
      ]);
    }
  });

  test('tx_search by hash and tx find a transaction with its proof', async () => {
    const { result } = await node.ask('tx_search', { query: "app.key = 'key7'", prove: true });
    const [found] = result.txs;
    expect(await ask('tx', { hash: Buffer.from(found.hash, 'hex'), prove: true })).toEqual({ result: found });
    expect(await ask('tx_search', { query: `tx.hash = '${found.hash}'`, prove: true })).toEqual({ result });
  });

  test(
    'an index that is made again from the chain finds the same',
    async () => {
      const again = await open([node.url], 'again.db');
      try {
        const query = "app.creator = 'Cosmoshi'";
        expect(await again.waitForHeight(height, BLOCK_MS_MAX)).toBe(height);
        let outcome = await again.rpc('tx_search', { query });
        while (!outcome.ok) {
          expect(outcome).toMatchObject({
            status: 503,
            error: { data: expect.stringContaining('the search index has reached height') },
          });
          await new Promise((resolve) => setTimeout(resolve, 10));
          outcome = await again.rpc('tx_search', { query });
        }
        expect(JSON.parse(outcome.json)).toEqual((await node.ask('tx_search', { query })).result);
      } finally {
        await again.close();
      }
    },
    TIMEOUT_MS,
  );

  /** The built-in application hands over an empty list, where an application behind a socket can only hand over none; it is stored as none. */
  function storedAs(event: any): any {
    const finalized = event.data.value.result_finalize_block;
    if (finalized?.validator_updates.length === 0) finalized.validator_updates = null;
    return event;
  }

  test(
    'events are those that the node publishes',
    async () => {
      const socket = new WebSocket(`${node.url.replace('http', 'ws')}/websocket`);
      const heard: any[] = [];
      const types = ['NewBlock', 'NewBlockHeader', 'Tx'];
      try {
        await new Promise((resolve) => socket.once('open', resolve));
        const confirmed = new Promise<void>((resolve) => {
          let confirmations = 0;
          socket.on('message', (data: Buffer) => {
            const { result } = JSON.parse(data.toString());
            if (result?.data !== undefined) heard.push(storedAs(result));
            else if (++confirmations === types.length) resolve();
          });
        });
        types.forEach((type, id) =>
          socket.send(
            JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { query: `tm.event='${type}'` } }),
          ),
        );
        await confirmed;
        const sent = [Buffer.from('event=<&>'), Buffer.from('event2=2'), Buffer.from('event3=3')];
        await engine.broadcast(sent.map((raw) => ({ raw })));
        const last = await settled(45);
        const ours = (await allEvents(engine, height + 1, 20)).flatMap(({ events }) => events);
        // Each subscription of a node is a stream of its own, so only within one type there is an order.
        for (const type of types) {
          const theirs = heard.filter(
            ({ data }) =>
              data.type === `tendermint/event/${type}` &&
              Number(data.value.block?.header.height ?? data.value.header?.height ?? last) <= last,
          );
          const same = ours.filter((event) => event.type === type);
          expect(same.map(({ json }) => JSON.parse(json))).toEqual(theirs.map(({ data }) => data));
          expect(same.map(({ json }) => json)).toEqual(
            theirs.map(({ data }) =>
              JSON.stringify(data).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026'),
            ),
          );
          expect(same.map(({ events }) => events)).toEqual(theirs.map(({ events }) => events));
          expect(same.length).toBeGreaterThan(0);
        }
        height = last;
      } finally {
        socket.terminate();
      }
    },
    TIMEOUT_MS,
  );

  test(
    'a transaction of the newest block is found at once',
    async () => {
      const raw = Buffer.from('newest=1');
      const from = (await engine.status()).height;
      const sent = await ask('broadcast_tx_sync', { tx: raw });
      expect(sent.result).toMatchObject({ code: 0 });
      expect(await engine.waitForHeight(from + 1, BLOCK_MS_MAX)).toBeGreaterThan(from);
      expect(await ask('tx', { hash: Buffer.from(sent.result.hash, 'hex') })).toMatchObject({
        result: { hash: sent.result.hash, height: String(from + 1) },
      });
      height = await settled(46);
    },
    TIMEOUT_MS,
  );

  test(
    'broadcasts answer what the mempool says',
    async () => {
      const [bad, known] = await Promise.all([
        engine.broadcast([{ raw: Buffer.from('no pair') }]),
        engine.broadcast([{ raw: transaction(0) }]),
      ]);
      expect(bad[0]?.code).not.toBe(0);
      expect(known).toEqual([{ code: 0, log: 'tx already exists in cache' }]);
      expect((await ask('broadcast_tx_async', { tx: Buffer.from('no pair') })).result).toMatchObject({ code: 0 });
      expect((await ask('broadcast_tx_commit', { tx: Buffer.from('committed=1') })).result).toMatchObject({
        check_tx: { code: 0 },
        tx_result: { code: 0 },
      });
      height = await settled(47);
    },
    TIMEOUT_MS,
  );

  test(
    'a batch larger than the node takes is sent in smaller ones',
    async () => {
      // The node's own limit is 10.
      const sent = await engine.broadcast(Array.from({ length: 35 }, (_, i) => ({ raw: Buffer.from(`more${i}=1`) })));
      expect(sent.map(({ code }) => code)).toEqual(sent.map(() => 0));
      height = await settled(82);
      expect(blockWithAll).toBeGreaterThan(1);
    },
    TIMEOUT_MS,
  );

  test('a node of another chain is refused at the start, and named', async () => {
    const refused = open([node.url], 'other.db', 'another-chain');
    await expect(refused).rejects.toThrow(EngineStartError);
    await expect(refused).rejects.toThrow(
      `The node at ${node.url} is of chain ${node.chainId}, but the genesis file is of chain another-chain`,
    );
  });

  test(
    'a node that dies and comes back is followed again',
    async () => {
      await node.kill();
      await expect(engine.broadcast([{ raw: Buffer.from('lost=1') }])).rejects.toThrow('no node can be reached');
      expect(await ask('status')).toMatchObject({
        status: 503,
        error: { data: 'no node of the chain can be reached' },
      });
      expect(await engine.status()).toMatchObject({ healthy: false, height, detail: 'none of 1 nodes answers' });
      await node.start();
      // A restarted node of this kind makes a block of its own accord only when something waits.
      const end = Date.now() + BLOCK_MS_MAX;
      for (;;) {
        const sent = await engine.broadcast([{ raw: Buffer.from('back=1') }]).catch(() => undefined);
        if (sent?.[0]?.code === 0) break;
        if (Date.now() > end) throw new Error('the node was not reached again');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(await engine.waitForHeight(height + 1, BLOCK_MS_MAX)).toBeGreaterThan(height);
      expect(await engine.status()).toMatchObject({ healthy: true });
    },
    TIMEOUT_MS,
  );
});

test('no reachable node at the start is no error', async () => {
  const lonely = await open(['http://127.0.0.1:9'], 'lonely.db', 'lonely');
  try {
    expect(await lonely.status()).toMatchObject({ healthy: false, height: 0, detail: 'none of 1 nodes answers' });
    await expect(lonely.waitForHeight(1, 10)).rejects.toThrow('no node of the chain has answered yet');
    await expect(lonely.broadcast([{ raw: Buffer.from('a') }])).rejects.toThrow('no node can be reached');
    expect(await lonely.rpc('tx_search', { query: 'tx.height > 0' })).toMatchObject({ ok: false, status: 503 });
    expect(await lonely.rpc('health', {})).toMatchObject({ ok: false, status: 503 });
    expect(await lonely.blocks(1, 5)).toEqual([]);
  } finally {
    await lonely.close();
  }
});

test.each([[[]], [['localhost:26657']], [['tcp://127.0.0.1:26657']], [['nonsense']]])(
  'addresses that can be none of a node are refused at the start: %j',
  async (urls) => {
    await expect(open(urls, 'none.db', 'none')).rejects.toThrow(EngineStartError);
  },
);
