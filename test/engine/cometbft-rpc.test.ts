/** The chain's RPC over several nodes: who is asked, what becomes of an error, and searches from an index that is made over the network. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CometbftEngine } from '../../server/engine/cometbft/index.ts';
import { statusOf } from '../../server/engine/cometbft/rpc/error-status.ts';
import { paramsText } from '../../server/engine/cometbft/rpc/rpc-params.ts';
import { RPC_METHODS, type RpcArguments, type RpcMethod } from '../../server/engine/port.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { recordings } from './support/golden-rpc.ts';
import { ScriptedNetwork } from './support/scripted-nodes.ts';

let network: ScriptedNetwork;
beforeEach(() => {
  network = new ScriptedNetwork();
});
afterEach(() => network.dispose());

/** A chain with transfers in several blocks, and an engine over so many nodes. */
async function follow(count: number): Promise<CometbftEngine> {
  await network.start(count);
  await network.makeBlocks(2);
  for (let nonce = 0; nonce < 12; nonce += 3) {
    await network.send(...[0, 1, 2].map((i) => ({ nonce: nonce + i, to: 1 + i })));
    await network.makeBlocks(2);
  }
  const engine = await network.open();
  await network.advance(2_000);
  return engine;
}

const SEARCHES: readonly RpcArguments[] = [
  { query: `transfer.from = '${devAddress(0)}'` },
  { query: `transfer.to = '${devAddress(2)}'`, order_by: 'desc', per_page: 3 },
  { query: `transfer.to = '${devAddress(2)}' AND tx.height > 4`, prove: true },
  { query: 'tx.height > 0', page: 2, per_page: 5, prove: true },
  { query: "transfer.nonce CONTAINS '1'" },
  { query: 'transfer.nonce >= 9' },
  { query: "nobody = 'x'" },
  { query: 'tx.height > 0', page: 9 },
  { query: 'no query' },
  { query: "tx.hash = 'zz'" },
  { query: `tx.hash = '${'00'.repeat(32)}'` },
];

test('every method answers as the node does', async () => {
  const engine = await follow(1);
  const { height } = await engine.status();
  const [block] = await engine.blocks(3, 1);
  const raw = signedTransfer({ nonce: 0, to: 1 });
  const cases: [RpcMethod, RpcArguments][] = [
    ...SEARCHES.map((args): [RpcMethod, RpcArguments] => ['tx_search', args]),
    ['tx', { hash: Buffer.from(raw.hash, 'hex'), prove: true }],
    ['tx', { hash: new Uint8Array(32) }],
    ['tx', {}],
    ['block_search', { query: 'block.height > 2', per_page: 3 }],
    ['block_search', { query: 'block.height CONTAINS 2' }],
    ['block', { height }],
    ['block', { height: height + 1 }],
    ['block_by_hash', { hash: Buffer.from(block?.hash ?? '', 'hex') }],
    ['header_by_hash', { hash: Buffer.from(block?.hash ?? '', 'hex') }],
    ['block_results', { height: 3 }],
    ['blockchain', { minHeight: 2, maxHeight: 4 }],
    ['commit', { height: 2 }],
    ['header', { height: 2 }],
    ['consensus_params', { height: 2 }],
    ['consensus_state', {}],
    ['dump_consensus_state', {}],
    ['validators', { height: 2 }],
    ['genesis', {}],
    ['genesis_chunked', { chunk: 0 }],
    ['abci_info', {}],
    ['abci_query', { path: '/store/accounts/key', data: Buffer.from(devAddress(1)), height: 3 }],
    ['check_tx', { tx: raw.raw }],
    ['broadcast_tx_sync', { tx: Buffer.from('no transaction') }],
    ['broadcast_tx_async', { tx: Buffer.from('no transaction') }],
    ['broadcast_tx_commit', { tx: Buffer.from('no transaction') }],
    ['broadcast_evidence', {}],
    ['health', {}],
    ['net_info', {}],
    ['num_unconfirmed_txs', {}],
    ['unconfirmed_txs', { limit: 2 }],
    ['status', {}],
  ];
  expect(new Set(cases.map(([method]) => method))).toEqual(new Set(Object.keys(RPC_METHODS)));
  for (const [method, args] of cases) {
    const theirs = await network.fixture.engine.rpc(method, args);
    expect([method, args, await engine.rpc(method, args)]).toEqual([method, args, theirs]);
  }
});

describe('reads', () => {
  test('go to the node that is furthest, and to the next one when it fails', async () => {
    const engine = await follow(3);
    const { height } = await engine.status();
    network.node(0).heightMax = height - 1;
    await network.advance(1_000);
    network.nodes.forEach((node) => (node.calls = []));
    await engine.rpc('abci_info', {});
    expect(network.nodes.map((node) => node.count('abci_info'))).toEqual([0, 1, 0]);
    network.node(1).fate = 'refused';
    network.node(2).fate = 'lost';
    expect(await engine.rpc('abci_info', {})).toMatchObject({ ok: true });
    expect(network.nodes.map((node) => node.count('abci_info'))).toEqual([1, 1, 1]);
    network.node(0).fate = 'refused';
    expect(await engine.rpc('abci_info', {})).toEqual({
      ok: false,
      status: 503,
      error: { code: -32603, message: 'Internal error', data: 'no node of the chain can be reached' },
    });
  });

  test('of a height go to a node that has it', async () => {
    const engine = await follow(2);
    network.node(0).earliest = 5;
    await network.advance(1_000);
    network.node(0).calls = [];
    expect(await engine.rpc('commit', { height: 2 })).toMatchObject({ ok: true });
    expect(network.node(0).count('commit')).toBe(0);
  });

  test('of a height that a node pruned since it last said how it is go on to the next', async () => {
    const engine = await follow(2);
    network.node(0).earliest = 5;
    expect(await engine.rpc('commit', { height: 2 })).toMatchObject({ ok: true });
    network.node(1).earliest = 4;
    expect(await engine.rpc('commit', { height: 2 })).toMatchObject({
      ok: false,
      status: 404,
      error: { data: expect.stringMatching(/^height 2 is not available/) },
    });
  });
});

describe('a broadcast', () => {
  test('that a node may have read is not sent again: the second answer would hide the first', async () => {
    const engine = await follow(2);
    const { raw } = signedTransfer({ nonce: 12 });
    network.nodes.forEach((node) => (node.fate = 'lost'));
    expect(await engine.rpc('broadcast_tx_sync', { tx: raw })).toMatchObject({
      ok: false,
      status: 503,
      error: { data: 'the node did not answer; it may have taken what was sent' },
    });
    expect(network.nodes.map(({ broadcasts }) => broadcasts.length).toSorted()).toEqual([0, 1]);
  });

  test('that reached nobody goes to the next node', async () => {
    const engine = await follow(2);
    const { raw } = signedTransfer({ nonce: 12 });
    network.node(0).fate = 'refused';
    for (let i = 0; i < 2; i++)
      expect(await engine.rpc('broadcast_tx_sync', { tx: raw })).toMatchObject(
        i === 0 ? { ok: true } : { error: { data: 'tx already exists in cache' } },
      );
  });
});

describe('parameters', () => {
  test.each([
    ['block', { height: 7 }, '{"height":"7"}'],
    ['block', { height: 2n ** 62n }, '{"height":"4611686018427387904"}'],
    ['block', {}, '{}'],
    ['block_by_hash', { hash: Buffer.from('abc') }, '{"hash":"YWJj"}'],
    ['header_by_hash', { hash: Buffer.from('abc') }, '{"hash":"616263"}'],
    [
      'abci_query',
      { path: '/a"b', data: Buffer.from('é'), height: 3, prove: true },
      '{"path":"/a\\"b","data":"c3a9","height":"3","prove":true}',
    ],
    ['tx_search', { query: 'a = 1', page: 2, order_by: 'asc' }, '{"query":"a = 1","page":"2","order_by":"asc"}'],
    ['broadcast_tx_sync', { tx: Buffer.from('abc') }, '{"tx":"YWJj"}'],
    ['broadcast_evidence', { evidence: '{"type":"x"}' }, '{"evidence":{"type":"x"}}'],
    ['genesis_chunked', { chunk: 0 }, '{"chunk":"0"}'],
    ['status', { surplus: 1 }, '{}'],
  ] as const)('%s %o', (method, args, expected) => {
    expect(paramsText(method, args)).toBe(expected);
  });

  test.each([
    ['block', { height: 'x' }],
    ['abci_query', { prove: 'yes' }],
    ['tx', { hash: 'text' }],
  ] as const)('of the wrong type are refused: %s %o', async (method, args) => {
    const engine = await follow(1);
    expect(await engine.rpc(method, args)).toMatchObject({ ok: false, status: 400, error: { code: -32602 } });
  });
});

describe('the honest status of an error', () => {
  const errors = recordings().flatMap(({ name, error }) => (error === undefined ? [] : [[name, error] as const]));

  test("of every recorded one is the caller's", () => {
    expect(errors.length).toBeGreaterThan(30);
    expect(errors.filter(([, error]) => ![400, 404].includes(statusOf(error)))).toEqual([]);
    const absent = errors.filter(([, error]) => statusOf(error) === 404).map(([name]) => name);
    expect(absent.filter((name) => !/too-high|unknown-hash|hexhash|bad-chunk/.test(name))).toEqual([]);
  });

  test.each([
    ['mempool is full: number of txs 5 (max: 5), total txs bytes 1 (max: 2)', 503],
    ['timed out waiting for tx to be included in a block', 503],
    ['height 3 is not available, lowest height is 9', 404],
    ['could not find results for height #9', 404],
    ['Tx too large. Max size is 1048576, but got 2000000', 400],
    ['runtime error: index out of range', 500],
    ['', 500],
  ])('%s: %i', (data, status) => {
    expect(statusOf({ code: -32603, message: 'Internal error', data })).toBe(status);
  });
});

describe('the search index', () => {
  test('follows blocks as they come, and finds one of them at once', async () => {
    const engine = await follow(1);
    const sent = { nonce: 12, to: 5 };
    await network.send(sent);
    await network.makeBlocks(1);
    await network.node(0).announce();
    network.node(0).calls = [];
    const args = { query: `transfer.to = '${devAddress(5)}'` };
    expect(await engine.rpc('tx_search', args)).toEqual(await network.fixture.engine.rpc('tx_search', args));
    expect(await engine.rpc('tx', { hash: Buffer.from(signedTransfer(sent).hash, 'hex') })).toMatchObject({ ok: true });
    expect(network.node(0).calls).toEqual([]);
  });

  test('says how far it is while it catches up, and goes on after a node failed', async () => {
    await network.start(1);
    await network.makeBlocks(2);
    for (let nonce = 0; nonce < 30; nonce++) {
      await network.send({ nonce });
      await network.makeBlocks(1);
    }
    const node = network.node(0);
    let reads = 0;
    node.beforeRequest = (method) => {
      if (method === 'block' && ++reads === 20) node.fate = 'lost';
    };
    const engine = await network.open({}, await network.checkpoint());
    await network.advance(1_000);
    expect(network.logs).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: expect.stringContaining('the search index could not read a block'),
      }),
    );
    const query = { query: 'tx.height > 0', per_page: 100 };
    expect(await engine.rpc('tx_search', query)).toMatchObject({
      ok: false,
      status: 503,
      error: { data: expect.stringMatching(/the search index has reached height \d+ of/) },
    });
    node.fate = 'answers';
    await network.advance(5_000);
    expect(await engine.rpc('tx_search', query)).toEqual(await network.fixture.engine.rpc('tx_search', query));
    expect((await engine.metrics())['search_index_height']).toBe((await engine.status()).height);
  });

  test('of a chain that all nodes have pruned fails, and says so', async () => {
    await network.start(1);
    await network.makeBlocks(40);
    network.node(0).earliest = 20;
    const engine = await network.open({}, await network.checkpoint());
    await network.advance(2_000);
    expect(await engine.rpc('tx_search', { query: 'tx.height > 0' })).toMatchObject({
      ok: false,
      status: 503,
      error: { data: 'the search index failed: no node has the blocks below 20 any more' },
    });
    // Everything else goes on.
    expect(await engine.rpc('block', { height: 30 })).toMatchObject({ ok: true });
  });

  test('knows where transactions are; what they are, the chain must say: without a node there is no page of old ones', async () => {
    const engine = await follow(1);
    await network.makeBlocks(70);
    // So many that the old ones are kept no longer.
    expect(await engine.rpc('block_search', { query: 'block.height > 12', per_page: 100 })).toMatchObject({ ok: true });
    network.node(0).fate = 'refused';
    await network.advance(1_000);
    expect(await engine.rpc('tx_search', { query: 'tx.height > 0' })).toMatchObject({ ok: false, status: 503 });
  });
});
