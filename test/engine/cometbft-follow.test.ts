/** Following the chain over several nodes that lag, lie, prune, hang or die; and the age by which readiness judges a chain that stands. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ALL_AWAY } from '../../server/engine/cometbft/nodes/node-pool.ts';
import type { CometbftEngine } from '../../server/engine/cometbft/index.ts';
import { headerOfJson } from '../../server/engine/cometbft/blocks/header-json.ts';
import { headerHash, upperHex } from '../../server/engine/encoding/index.ts';
import { signedTransfer } from '../ledger/support.ts';
import { Fixture } from './support/fixture.ts';
import { allEvents } from './support/all-events.ts';
import { ScriptedNetwork, turns } from './support/scripted-nodes.ts';

let network: ScriptedNetwork;
beforeEach(() => {
  network = new ScriptedNetwork();
});
afterEach(() => network.dispose());

/** A chain of 6 blocks, with three transfers in the fourth, and an engine over so many nodes. */
async function follow(count: number): Promise<CometbftEngine> {
  await network.start(count);
  await network.makeBlocks(3);
  await network.send({ nonce: 0 }, { nonce: 1 }, { nonce: 2 });
  await network.makeBlocks(3);
  const blocks = network.fixture.blocks(1, 10);
  expect(blocks.map(({ transactions }) => transactions.length)).toEqual([0, 0, 0, 3, 0, 0]);
  // What came before is read again by whoever asks for it.
  const engine = await network.open({}, await network.checkpoint());
  expect(await engine.status()).toMatchObject({ height: 6, healthy: true });
  return engine;
}

/** Every node is asked how it is within this time. */
const POLL_MS = 1_000;

/** Makes blocks, which are seen at the next poll. */
async function makeAndSee(count: number): Promise<void> {
  await network.makeBlocks(count);
  await network.advance(POLL_MS);
}

const errors = () =>
  network.logs.filter(({ level }) => level === 'error').map(({ fields, message }) => ({ ...fields, message }));

/** Resolves with what the promise gave, or 'pending' when it is still open. */
async function state<T>(promise: Promise<T>): Promise<T | 'pending'> {
  await turns();
  return await Promise.race([promise, Promise.resolve('pending' as const)]);
}

/** A follower as the gateway has one. */
async function pull(engine: CometbftEngine, from: number): Promise<number[]> {
  return (await engine.blocks(from, 20)).map(({ height }) => height);
}

describe('blocks', () => {
  test('equal those of the chain', async () => {
    const engine = await follow(2);
    expect(await engine.blocks(1, 100)).toEqual(network.fixture.blocks(1, 100));
    expect(await engine.blocks(4, 1)).toEqual(network.fixture.blocks(4, 1));
    expect(await engine.blocks(7, 1)).toEqual([]);
    expect(await allEvents(engine, 1, 100)).toEqual(await allEvents(network.fixture.engine, 1, 100));
  });

  test('are announced by the websocket at once', async () => {
    const engine = await follow(2);
    const waiting = engine.waitForHeight(7, 30_000);
    // The block is made between two polls.
    network.nodes.forEach((node) => (node.heightMax = 6));
    await network.makeBlocks(1);
    network.nodes.forEach((node) => (node.heightMax = Infinity));
    expect(await state(waiting)).toBe('pending');
    await Promise.all(network.nodes.map((node) => node.announce()));
    expect(await state(waiting)).toBe(7);
  });

  test('are there within a second when the websocket is lost, which is then opened at another node', async () => {
    const engine = await follow(2);
    const first = network.nodes.findIndex(({ subscribers }) => subscribers.size > 0);
    network.node(first).dropWebsockets();
    const waiting = engine.waitForHeight(7, 60_000);
    await network.makeBlocks(1);
    await network.advance(POLL_MS);
    expect(await state(waiting)).toBe(7);
    expect(network.node(1 - first).subscribers.size).toBe(1);
    expect(network.logs.some(({ message }) => message.includes('the websocket to a node is lost'))).toBe(true);
    expect((await engine.metrics())['websockets_lost_total']).toBe(1);
  });

  test('missed while no node answered are all read once one does', async () => {
    const engine = await follow(2);
    network.nodes.forEach((node) => (node.fate = 'refused'));
    network.nodes.forEach((node) => node.dropWebsockets());
    await network.makeBlocks(3);
    expect(await engine.status()).toMatchObject({ height: 6, healthy: false, detail: 'none of 2 nodes answers' });
    network.nodes.forEach((node) => (node.fate = 'answers'));
    await network.advance(1_500);
    expect(await engine.waitForHeight(9, 0)).toBe(9);
    expect(await pull(engine, 7)).toEqual([7, 8, 9]);
  });

  test('of a node that hangs are read from another one', async () => {
    const engine = await follow(2);
    network.node(0).fate = 'hangs';
    await makeAndSee(1);
    const reading = pull(engine, 1);
    await network.advance(12_000);
    expect((await reading).slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await engine.status()).toMatchObject({ healthy: true, detail: 'following the chain: 1 of 2 nodes answer' });
  });
});

describe('a node that lies about a block', () => {
  type Spoil = (method: string, result: any, height: number) => any;
  const inBlock =
    (change: (block: any, height: number) => void): Spoil =>
    (method, result, height) => {
      if (method === 'block') change(result, height);
      return result;
    };
  const inResults =
    (change: (results: any, height: number) => void): Spoil =>
    (method, result, height) => {
      if (method === 'block_results') change(result, height);
      return result;
    };
  const LIES: readonly (readonly [string, Spoil, RegExp])[] = [
    [
      'its hash',
      inBlock((found) => (found.block_id.hash = 'AB'.repeat(32))),
      /hash of the header is not that of the block id/,
    ],
    ['its time', inBlock(({ block }) => (block.header.time = '2020-01-01T00:00:00Z')), /hash of the header/],
    ['its application hash', inBlock(({ block }) => (block.header.app_hash = '00'.repeat(32))), /hash of the header/],
    ['its parent', inBlock(({ block }) => (block.header.last_block_id.hash = '00'.repeat(32))), /hash of the header/],
    ['its chain', inBlock(({ block }) => (block.header.chain_id = 'another')), /block of chain another/],
    ['its height', inBlock(({ block }) => (block.header.height = '99')), /it is block 99/],
    ['a transaction', inBlock(({ block }) => block.data.txs.reverse()), /transactions are not those/],
    ['a transaction it leaves out', inBlock(({ block }) => block.data.txs.pop()), /transactions are not those/],
    ['having a block at all', inBlock((found) => (found.block = null)), /there is no block/],
    ['the header', inBlock((found) => (found.block.header = null)), /cannot be read/],
    ['everything', (method, result) => (method === 'block' ? null : result), /cannot be read/],
    [
      'the events',
      inResults((results) => results.txs_results?.forEach((result: any) => (result.events = [{ type: 5 }]))),
      /cannot be read|a result is none/,
    ],
    [
      'the log',
      inResults((results) => results.txs_results?.forEach((result: any) => (result.log = {}))),
      /a result is none/,
    ],
    ['a field that is none', inBlock(({ block }) => (block.header.data_hash = 5)), /data_hash is not hex/],
    [
      'the height of the results',
      inResults((results) => (results.height = '99')),
      /results are those of another block/,
    ],
    ['the number of results', inResults((results) => results.txs_results?.pop()), /results of 3 transactions/],
    [
      'a code',
      inResults((results) => results.txs_results?.forEach((result: any) => (result.code = 5))),
      /results of its block 4 are not those/,
    ],
    [
      'gas',
      inResults((results) => results.txs_results?.forEach((result: any) => (result.gas_used = '1'))),
      /results of its block 4 are not those/,
    ],
    [
      'the application hash after it',
      inResults((results) => (results.app_hash = Buffer.alloc(32).toString('base64'))),
      /results of its block 4 are not those/,
    ],
  ];

  /** Those that codes can tell too. */
  const IN_CODES = LIES.filter(([name]) => ['a transaction', 'a code', 'the application hash after it'].includes(name));

  test.each([
    ...LIES.map(([name, spoil, complaint]) => [name, spoil, complaint, 'earlier'] as const),
    ...IN_CODES.map(
      ([name, spoil, complaint]) =>
        [`${name}, before an application that tells codes`, spoil, complaint, 'codes'] as const,
    ),
  ])('%s, is not believed, and named; another one is asked', async (_, spoil, complaint, application) => {
    const engine = await follow(2);
    network.node(0).application = application;
    network.node(0).spoil = (method, result, height) => (height === 4 ? spoil(method, result, height) : result);
    const expected = network.fixture.blocks(3, 3);
    expect(await engine.blocks(3, 3)).toEqual(expected);
    expect(errors()).toEqual([
      expect.objectContaining({
        node: 'http://node0',
        reason: expect.stringMatching(complaint),
        message: expect.stringContaining('not believed'),
      }),
    ]);
    // For a while it is asked how it is, and nothing else.
    const asked = network.node(0).count('block');
    expect(await engine.blocks(1, 3)).toHaveLength(3);
    expect(network.node(0).count('block')).toBe(asked);
    expect((await engine.metrics())['nodes_distrusted_total']).toBe(1);
    expect(await engine.status()).toMatchObject({ healthy: true, detail: 'following the chain: 1 of 2 nodes answer' });
    network.node(0).spoil = (_method, result) => result;
    await network.advance(61_000);
    expect(await engine.status()).toMatchObject({ detail: 'following the chain: 2 of 2 nodes answer' });
  });

  test('and is the only one, stops the follower, who is never told a lie', async () => {
    const engine = await follow(1);
    network.node(0).spoil = inBlock(({ block }, height) => {
      if (height === 4) block.data.txs = [];
    });
    await expect(engine.blocks(3, 3)).rejects.toThrow('no node that can be reached has block 4');
    expect(await engine.status()).toMatchObject({ healthy: false });
  });

  test('the newest one, is not followed', async () => {
    const engine = await follow(2);
    network.node(0).spoil = inBlock(({ block }, height) => {
      if (height >= 7) block.header.time = '2020-01-01T00:00:00Z';
    });
    await makeAndSee(1);
    expect((await engine.blocks(7, 1))[0]).toEqual(network.fixture.blocks(7, 1)[0]);
    expect(errors()[0]).toMatchObject({ node: 'http://node0' });
  });

  test('about how far it is, moves nothing', async () => {
    const engine = await follow(2);
    network.node(0).claims = 1_000_000;
    await makeAndSee(2);
    expect(await engine.waitForHeight(8, 0)).toBe(8);
    expect(errors()[0]).toMatchObject({
      node: 'http://node0',
      reason: expect.stringContaining('it said that it has block'),
    });
  });

  test('with all others, signed by the validators, is another history: the process has to end, because only a start can look at the chain again', async () => {
    const engine = await follow(2);
    // The same genesis and the same key, and other blocks: what a restored backup of the validator would make.
    const other = new Fixture();
    try {
      await other.start();
      await other.engine.broadcast([{ raw: signedTransfer({ nonce: 0, to: 9 }).raw }]);
      for (let i = 0; i < 100 && (await other.engine.status()).height < 8; i++) await other.clock.advance(1_000);
      network.node(0).chain = other;
      await makeAndSee(1);
      expect(await engine.waitForHeight(7, 0)).toBe(7);
      expect(network.fatal).toEqual([]);
      network.node(1).chain = other;
      await network.advance(80_000);
      expect(network.fatal).toEqual([
        expect.objectContaining({ message: expect.stringContaining('every node disagrees with what was read before') }),
      ]);
      expect(await engine.status()).toMatchObject({
        healthy: false,
        detail: 'the newest block cannot be read; the log says why',
      });
    } finally {
      await other.dispose();
    }
  }, 60_000);

  test('forged with all others, moves nothing and ends nothing: they are waited for', async () => {
    const engine = await follow(2);
    network.nodes.forEach((node) => {
      node.spoil = inBlock((found, height) => {
        if (height < 7) return;
        found.block.header.last_block_id.hash = '00'.repeat(32);
        found.block_id.hash = upperHex(headerHash(headerOfJson(found.block.header)));
      });
    });
    await makeAndSee(1);
    await network.advance(80_000);
    expect(await engine.status()).toMatchObject({ height: 6, healthy: false });
    expect(network.fatal).toEqual([]);
    network.nodes.forEach((node) => (node.spoil = (_method, result) => result));
    await network.advance(300_000);
    expect(await engine.status()).toMatchObject({ healthy: true });
  }, 60_000);
});

describe('a node whose results come a moment after its block', () => {
  test('is asked again at once, and is no trouble', async () => {
    const engine = await follow(1);
    const node = network.node(0);
    node.refuse = (method, height) =>
      method === 'block_results' && height === 7 ? 'could not find results for height #7' : undefined;
    await makeAndSee(1);
    expect(await engine.status()).toMatchObject({ height: 6, healthy: true });
    node.refuse = () => undefined;
    await network.advance(250);
    expect(await engine.status()).toMatchObject({ height: 7, healthy: true });
    expect(errors()).toEqual([]);
  });

  test('is trouble when they do not come', async () => {
    const engine = await follow(1);
    const node = network.node(0);
    node.refuse = (method, height) =>
      method === 'block_results' && height === 7 ? 'could not find results for height #7' : undefined;
    await makeAndSee(1);
    await network.advance(4_000);
    expect(await engine.status()).toMatchObject({
      height: 6,
      healthy: false,
      detail: 'the newest block cannot be read; the log says why',
    });
    expect(errors()).toEqual([
      expect.objectContaining({
        height: 6,
        reason: expect.stringContaining('could not find results for height #7'),
        message: 'the newest block cannot be read',
      }),
    ]);
    node.refuse = () => undefined;
    await network.advance(POLL_MS);
    expect(await engine.status()).toMatchObject({ healthy: true });
  });
});

describe('a node that lags', () => {
  test('is not asked for what it does not have', async () => {
    const engine = await follow(2);
    network.node(0).heightMax = 4;
    await makeAndSee(3);
    network.node(0).calls = [];
    expect(await pull(engine, 6)).toEqual([6, 7, 8, 9]);
    expect(await engine.rpc('block', { height: 8 })).toMatchObject({ ok: true });
    expect(JSON.parse(((await engine.rpc('status', {})) as { json: string }).json).sync_info.latest_block_height).toBe(
      '9',
    );
    expect(
      network
        .node(0)
        .calls.flat()
        .filter((method) => method === 'block'),
    ).toEqual([]);
  });

  test('and is the only one that answers, is followed as far as it is, and the block does not look fresh', async () => {
    await network.start(2);
    await network.makeBlocks(5);
    await network.advance(120_000);
    network.node(0).heightMax = 2;
    network.node(0).catchingUp = true;
    network.node(1).fate = 'refused';
    const engine = await network.open();
    expect(await engine.status()).toMatchObject({ height: 2, healthy: true });
    expect((await engine.status()).lastBlockAgeMs).toBeGreaterThan(100_000);
    const waiting = engine.waitForHeight(5, 60_000);
    network.node(1).fate = 'answers';
    await network.advance(1_000);
    expect(await waiting).toBeGreaterThanOrEqual(5);
  });

  test('no one answers yet: the height is not known, and that of the store is not given as if it were the newest', async () => {
    await network.start(1);
    await network.makeBlocks(3);
    const checkpoint = await network.checkpoint();
    network.node(0).fate = 'refused';
    const engine = await network.open({}, checkpoint);
    expect(await engine.status()).toMatchObject({ height: 0, healthy: false, detail: 'none of 1 nodes answers' });
    const waiting = engine.waitForHeight(1, 60_000);
    network.node(0).fate = 'answers';
    await network.makeBlocks(1);
    await network.advance(1_000);
    expect(await waiting).toBe(4);
  });
});

describe('a node that has pruned', () => {
  test('is passed over for one that has not', async () => {
    const engine = await follow(2);
    network.node(0).earliest = 5;
    expect(await pull(engine, 1)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await engine.rpc('block', { height: 2 })).toMatchObject({ ok: true });
  });

  test('when all have, the follower gets a block that it did not ask for and stops; the log names the nodes', async () => {
    await network.start(2);
    await network.makeBlocks(6);
    network.node(0).earliest = 5;
    network.node(1).earliest = 4;
    const engine = await network.open({}, await network.checkpoint());
    expect(await pull(engine, 2)).toEqual([4]);
    expect(errors()).toContainEqual(
      expect.objectContaining({
        asked: 2,
        lowest: 4,
        message: 'block 2 is no longer on any node: http://node1 has the lowest, from 4 on',
      }),
    );
    expect(await engine.rpc('block', { height: 2 })).toMatchObject({
      ok: false,
      status: 404,
      error: { data: expect.stringContaining('is not available, lowest height is') },
    });
  });

  test('while another one is away, it is not known that the block is lost', async () => {
    const engine = await follow(2);
    network.node(0).earliest = 5;
    network.node(1).fate = 'refused';
    await network.advance(1_000);
    await expect(engine.blocks(2, 5)).rejects.toThrow('http://node0: it has no block below 5');
  });
});

describe('the age of the last block', () => {
  test('grows while nothing comes, although the nodes answer', async () => {
    const engine = await follow(2);
    network.nodes.forEach((node) => (node.heightMax = 6));
    const { lastBlockAgeMs } = await engine.status();
    await network.advance(40_000);
    expect(await engine.status()).toMatchObject({ height: 6, healthy: true });
    expect((await engine.status()).lastBlockAgeMs).toBeGreaterThanOrEqual(lastBlockAgeMs + 40_000);
    network.nodes.forEach((node) => (node.heightMax = Infinity));
    await network.advance(1_000);
    expect((await engine.status()).lastBlockAgeMs).toBeLessThanOrEqual(1_000);
  });

  test('is that of its header after a start, so that a chain that stands does not look fresh', async () => {
    await network.start(1);
    await network.makeBlocks(3);
    network.node(0).heightMax = 3;
    await network.advance(120_000);
    const engine = await network.open();
    expect((await engine.status()).lastBlockAgeMs).toBeGreaterThan(110_000);
  });

  test('comes with the usual interval', async () => {
    const engine = await follow(1);
    expect((await engine.status()).blockIntervalMs).toBe(1_000);
    await network.makeBlocks(5);
    expect((await engine.status()).blockIntervalMs).toBeGreaterThan(9_000);
    expect((await engine.status()).blockIntervalMs).toBeLessThan(10_500);
  });
});

test('far behind, every block between is verified before the newest one is the newest', async () => {
  const engine = await follow(1);
  network.node(0).heightMax = 6;
  for (let i = 0; i < 60; i++) {
    await network.send({ nonce: 3 + i });
    await network.advance(1_000);
  }
  const before = (await engine.metrics())['commits_verified_total'] ?? 0;
  network.node(0).heightMax = Infinity;
  await network.advance(2_000);
  const { height } = await network.fixture.engine.status();
  expect(await engine.waitForHeight(0, 0)).toBe(height);
  // Each once, whoever reads it.
  expect(await pull(engine, 7)).toEqual(Array.from({ length: 20 }, (_, i) => 7 + i));
  expect((await engine.metrics())['commits_verified_total']).toBe(before + height - 6);
});

test('closed while a node is being asked how it is, it asks no more', async () => {
  const engine = await follow(1);
  network.node(0).fate = 'hangs';
  await network.advance(1_000);
  await engine.close();
  network.node(0).fate = 'answers';
  network.node(0).calls = [];
  await network.advance(10_000);
  expect(network.node(0).calls).toEqual([]);
  expect(network.logs.filter(({ message }) => message === ALL_AWAY)).toEqual([]);
});

test('status tells how many transactions wait, as of the last second', async () => {
  const engine = await follow(1);
  await network.send({ nonce: 3 }, { nonce: 4 });
  network.node(0).spoil = (method, result) => (method === 'num_unconfirmed_txs' ? { ...result, total: '2' } : result);
  await network.advance(POLL_MS);
  expect(await engine.status()).toMatchObject({ mempoolSize: 2 });
  expect(await engine.metrics()).toMatchObject({ mempool_transactions: 2, nodes: 1, nodes_usable: 1 });
});

test('after it was closed it answers nobody and keeps nobody waiting', async () => {
  const engine = await follow(1);
  const waiting = engine.waitForHeight(100, 60_000);
  await engine.close();
  expect(await waiting).toBe(6);
  await expect(engine.blocks(1, 1)).rejects.toThrow('the engine is closed');
  const { length } = network.node(0).calls;
  await network.advance(5_000);
  expect(network.node(0).calls).toHaveLength(length);
  expect(network.node(0).subscribers.size).toBe(0);
});
