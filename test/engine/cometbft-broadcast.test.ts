/** Broadcasts over several nodes: which node gets what, in which order, and what becomes of an answer. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NOT_TAKEN } from '../../server/engine/cometbft/index.ts';
import type { CometbftEngine } from '../../server/engine/cometbft/index.ts';
import { BroadcastCounts } from '../../server/engine/cometbft/broadcast-counts.ts';
import {
  BROADCAST_CALL_MS_MAX,
  BROADCAST_PATIENCE_MS,
  BROADCASTS_KEPT_MAX,
  SLOW_MS,
} from '../../server/engine/cometbft/limits.ts';
import { txHash } from '../../server/ledger/index.ts';
import { signedTransfer } from '../ledger/support.ts';
import { ScriptedNetwork, turns } from './support/scripted-nodes.ts';

let network: ScriptedNetwork;
let engine: CometbftEngine;

beforeEach(async () => {
  network = new ScriptedNetwork();
  await network.start(3);
  await network.makeBlocks(2);
  engine = await network.open();
});
afterEach(() => network.dispose());

const raws = (count: number, account = 0) =>
  Array.from({ length: count }, (_, nonce) => signedTransfer({ from: account, nonce }).raw);
const items = (list: readonly Uint8Array[]) => list.map((raw) => ({ raw }));
const base64 = (list: readonly Uint8Array[]) => list.map((raw) => Buffer.from(raw).toString('base64'));
const received = () => network.nodes.map(({ broadcasts }) => broadcasts.length);

describe('rotation', () => {
  test('bytes that go out again go to another node, all of an account in the order given', async () => {
    const sent = raws(3);
    for (let call = 1; call <= 4; call++) {
      expect((await engine.broadcast(items(sent))).map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(received().filter((count) => count > 0)).toHaveLength(Math.min(call, 3));
    }
    expect(received().toSorted((a, b) => a - b)).toEqual([3, 3, 6]);
    for (const node of network.nodes) expect(node.broadcasts.slice(0, 3)).toEqual(base64(sent));
  });

  test('what an account sends one after another meets the same node, whose gossip need not be waited for', async () => {
    const sent = raws(9);
    for (const raw of sent) await engine.broadcast(items([raw]));
    expect(received().toSorted((a, b) => a - b)).toEqual([0, 0, 9]);
    // So does what comes through the chain's RPC.
    const before = received();
    for (let nonce = 0; nonce < 3; nonce++)
      await engine.rpc('broadcast_tx_sync', { tx: signedTransfer({ from: 5, nonce }).raw });
    expect(
      received()
        .map((count, i) => count - (before[i] ?? 0))
        .toSorted(),
    ).toEqual([0, 0, 3]);
  });

  test('the account that the caller names is the one whose way they go, and its bytes are not looked into', async () => {
    for (let from = 0; from < 6; from++) {
      const before = received();
      const [first, second] = raws(2, from) as [Uint8Array, Uint8Array];
      await engine.broadcast([
        { raw: first },
        { raw: second, account: signedTransfer({ from }).tx.from, hash: txHash(second) },
      ]);
      expect(
        received()
          .map((count, i) => count - (before[i] ?? 0))
          .toSorted(),
      ).toEqual([0, 0, 2]);
    }
    const unreadable = Array.from({ length: 12 }, (_, i) => ({
      raw: Buffer.from(`no transaction ${i}`),
      account: `account ${i}`,
    }));
    const before = received();
    await engine.broadcast(unreadable);
    expect(received().filter((count, i) => count > (before[i] ?? 0)).length).toBeGreaterThan(1);
  });

  test('what an account sends again and for the first time in one call stays together', async () => {
    const [first, second] = raws(2) as [Uint8Array, Uint8Array];
    await engine.broadcast(items([first]));
    const home = received().indexOf(1);
    expect((await engine.broadcast(items([first, second]))).map(({ code }) => code)).toEqual([0, 0]);
    const other = received().indexOf(2);
    expect(other).not.toBe(home);
    expect(network.node(other).broadcasts).toEqual(base64([first, second]));
  });

  test('when a node goes, only the accounts that preferred it change their way', async () => {
    const accounts = Array.from({ length: 10 }, (_, from) => raws(1, from)[0] as Uint8Array);
    const next = accounts.map((_, from) => signedTransfer({ from, nonce: 1 }).raw);
    await engine.broadcast(items(accounts));
    const before = network.nodes.map(({ broadcasts }) => [...broadcasts]);
    network.node(2).fate = 'refused';
    await network.advance(3_000);
    await engine.broadcast(items(next));
    for (const at of [0, 1]) {
      const stayed = accounts.flatMap((raw, from) =>
        before[at]!.includes(base64([raw])[0]!) ? base64([next[from]!]) : [],
      );
      expect(network.node(at).broadcasts).toEqual(expect.arrayContaining(stayed));
    }
    expect(before.every((broadcasts) => broadcasts.length > 0)).toBe(true);
    expect(network.node(0).broadcasts.length + network.node(1).broadcasts.length).toBe(
      10 + before[0]!.length + before[1]!.length,
    );
  });

  test('many accounts spread over the nodes, and the results come back in the order of the call', async () => {
    for (const node of network.nodes) node.onBroadcast = (tx) => ({ result: { code: 0, log: tx } });
    const sent = Array.from({ length: 10 }, (_, from) => raws(2, from)).flat();
    expect((await engine.broadcast(items(sent))).map(({ log }) => log)).toEqual(base64(sent));
    expect(received().every((count) => count > 0)).toBe(true);
    for (const { broadcasts } of network.nodes)
      expect(broadcasts).toEqual(base64(sent).filter((raw) => broadcasts.includes(raw)));
  });

  test('only the last of a call waits for its check', async () => {
    await engine.broadcast(items(raws(4)));
    const [call] = network.nodes.flatMap(({ calls }) => calls).filter((methods) => methods[0]?.startsWith('broadcast'));
    expect(call).toEqual(['broadcast_tx_async', 'broadcast_tx_async', 'broadcast_tx_async', 'broadcast_tx_sync']);
  });

  test('a node that only follows the chain is the last resort', async () => {
    network.node(0).catchingUp = true;
    network.node(1).catchingUp = true;
    await network.advance(1_000);
    for (let i = 0; i < 3; i++) await engine.broadcast(items(raws(1)));
    expect(received()).toEqual([0, 0, 3]);
  });
});

describe('a node that fails', () => {
  test('before it was reached is passed over, and not tried again until it says how it is', async () => {
    network.node(0).fate = 'refused';
    network.node(1).fate = 'refused';
    for (let i = 0; i < 4; i++) expect(await engine.broadcast(items(raws(1)))).toHaveLength(1);
    expect(received()).toEqual([0, 0, 4]);
    expect((await engine.metrics())['broadcast_calls_failed_total']).toBeLessThanOrEqual(2);
    network.node(0).fate = 'answers';
    await network.advance(1_000);
    for (let i = 0; i < 2; i++) await engine.broadcast(items(raws(1)));
    expect(received()).toEqual([1, 0, 5]);
  });

  test('in the middle of a call leaves the rest to the next one', async () => {
    const sent = raws(250);
    let calls = 0;
    for (const node of network.nodes) {
      node.beforeRequest = (method) => {
        // The first node breaks within its second batch.
        if (method.startsWith('broadcast') && ++calls === 150) node.fate = 'lost';
      };
    }
    const results = await engine.broadcast(items(sent));
    expect(results).toHaveLength(250);
    // The first hundred were answered; of the second it is not known whether they were read, so they go out again.
    const counts = received()
      .filter((count) => count > 0)
      .toSorted((a, b) => a - b);
    expect(counts).toEqual([150, 200]);
  });

  test('is told apart from a transaction that is refused: only when no node could be reached is the call rejected', async () => {
    for (const node of network.nodes) node.fate = 'refused';
    await expect(engine.broadcast(items(raws(2)))).rejects.toThrow('no node can be reached');
    await expect(engine.broadcast(items(raws(2)))).rejects.toThrow('no node can be reached');
    expect(await engine.broadcast([])).toEqual([]);
  });

  test('after a part was answered leaves the others unreached, which is no rejection', async () => {
    network.node(1).fate = 'refused';
    network.node(2).fate = 'refused';
    await network.advance(1_000);
    const node = network.node(0);
    node.beforeRequest = (method) => {
      if (method.startsWith('broadcast') && node.broadcasts.length === 149) node.fate = 'lost';
    };
    const results = await engine.broadcast(items(raws(200)));
    expect(results.slice(0, 100).every(({ code }) => code === 0)).toBe(true);
    expect(results.slice(100)).toEqual(
      Array.from({ length: 100 }, () => ({ code: NOT_TAKEN, log: 'no node could be reached' })),
    );
  });
});

describe('a node whose application stands still', () => {
  /** The one that the chain's RPC would go to. */
  const AT = 0;
  /** Ten accounts: each node gets some of them. */
  const accounts = () => items(Array.from({ length: 10 }, (_, from) => raws(1, from)[0] as Uint8Array));
  const asked = (at: number) =>
    network.node(at).calls.filter((methods) => methods[0]?.startsWith('broadcast_tx')).length;
  /** Resolves with what has become of it by now. */
  const now = <T>(promise: Promise<T>): Promise<T | 'waits'> =>
    Promise.race([promise, turns().then(() => 'waits' as const)]);

  beforeEach(() => {
    for (const node of network.nodes) node.onBroadcast = () => ({ result: { code: 0, log: '' } });
    network.node(AT).freezeApplication();
  });

  test('is not waited for: what it was to check goes to others, and it gets no more for a while', async () => {
    const first = engine.broadcast(accounts());
    await network.advance(BROADCAST_PATIENCE_MS - 250);
    expect(await now(first)).toBe('waits');
    await network.advance(250);
    const results = await first;
    const left = results.filter(({ code }) => code === NOT_TAKEN);
    expect(new Set(left.map(({ log }) => log))).toEqual(new Set(['the node has not answered yet']));
    expect(results.filter(({ code }) => code === 0)).toHaveLength(10 - left.length);
    expect(await engine.metrics()).toMatchObject({ nodes_slow: 1, broadcasts_refused_total: 0 });

    // What was given up is not sent elsewhere by itself when its time is over; and the node says all the while that it is well.
    const before = received();
    await network.advance(BROADCAST_CALL_MS_MAX);
    expect(received()).toEqual(before);
    expect((await engine.metrics())['nodes_usable']).toBe(3);
    for (let i = 0; i < 3; i++)
      expect((await engine.broadcast(accounts())).map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 0));
    expect(asked(AT)).toBe(1);
    // What comes through the chain's RPC passes it by as well.
    expect(await now(engine.rpc('broadcast_tx_sync', { tx: raws(1)[0] as Uint8Array }))).not.toBe('waits');

    network.node(AT).thaw();
    await network.advance(SLOW_MS);
    await engine.broadcast(accounts());
    expect(asked(AT)).toBe(2);
  });

  test('gets more as soon as it has answered after all', async () => {
    const first = engine.broadcast(accounts());
    await network.advance(BROADCAST_PATIENCE_MS);
    await first;
    network.node(AT).thaw();
    await turns();
    expect((await engine.metrics())['nodes_slow']).toBe(0);
    await engine.broadcast(accounts());
    expect(asked(AT)).toBe(2);
  });

  test('is waited for when there is no other', async () => {
    for (const node of network.nodes) node.freezeApplication();
    const sent = engine.broadcast(accounts());
    await network.advance(BROADCAST_PATIENCE_MS + 1_000);
    expect(await now(sent)).toBe('waits');
    network.node(2).thaw();
    await turns();
    const results = await sent;
    expect(results.some(({ code }) => code === 0)).toBe(true);
    expect(results.some(({ log }) => log === 'the node has not answered yet')).toBe(true);
    // And the next meets the one that answers.
    expect((await engine.broadcast(accounts())).every(({ code }) => code === 0)).toBe(true);
  });
});

describe('an answer is advice', () => {
  const error = (data: string) => ({ error: { code: -32603, message: 'Internal error', data } });

  test.each([
    ['bytes that the node knows', error('tx already exists in cache'), { code: 0, log: 'tx already exists in cache' }],
    [
      'a full mempool',
      error('mempool is full: number of txs 100 (max: 100), total txs bytes 34300 (max: 1073741824)'),
      { code: NOT_TAKEN, log: expect.stringContaining('mempool is full') },
    ],
    [
      'a refusal of the application',
      { result: { code: 16, data: '', log: 'nonce 7 is ahead', codespace: 'txledger', hash: '' } },
      { code: 16, log: 'nonce 7 is ahead' },
    ],
    ['a yes', { result: { code: 0, data: '', log: '', codespace: '', hash: '' } }, { code: 0, log: '' }],
    ['nonsense', { result: {} }, { code: NOT_TAKEN, log: '' }],
  ])('%s', async (_, answer, expected) => {
    for (const node of network.nodes) node.onBroadcast = () => answer;
    expect(await engine.broadcast(items(raws(1)))).toEqual([expected]);
  });

  test('a mempool too small for the load loses nothing that is broadcast again', async () => {
    const sent = raws(60);
    // Ten fit until the next block.
    let held = 0;
    for (const node of network.nodes)
      node.onBroadcast = () => (held++ < 10 ? undefined : error('mempool is full: number of txs 10 (max: 10)'));
    const executed = new Set<string>();
    for (let from = 3; executed.size < 60;) {
      held = 0;
      const rest = sent.filter((raw) => !executed.has(Buffer.from(raw).toString('base64')));
      expect((await engine.broadcast(items(rest))).filter(({ code }) => code === 0).length).toBeLessThanOrEqual(10);
      await network.advance(2_000);
      for (const block of await engine.blocks(from, 20)) {
        for (const raw of base64(block.transactions)) executed.add(raw);
        from = block.height + 1;
      }
    }
    expect([...executed]).toEqual(base64(sent));
    expect((await engine.metrics())['broadcasts_refused_total']).toBe(50 + 40 + 30 + 20 + 10);
  });
});

describe('batches', () => {
  test('keep to what the node takes, and remember it', async () => {
    for (const node of network.nodes) node.batchMax = 10;
    for (let i = 0; i < 3; i++) expect(await engine.broadcast(items(raws(35)))).toHaveLength(35);
    for (const { calls, broadcasts } of network.nodes) {
      const sizes = calls.filter((methods) => methods[0]?.startsWith('broadcast')).map(({ length }) => length);
      expect(sizes).toEqual([35, 10, 10, 10, 5]);
      expect(broadcasts).toEqual(base64(raws(35)));
    }
    for (let i = 0; i < 3; i++) await engine.broadcast(items(raws(12)));
    expect(
      network
        .node(0)
        .calls.filter((methods) => methods[0]?.startsWith('broadcast'))
        .at(-2),
    ).toHaveLength(10);
  });

  test('hold at most a hundred calls and half a mebibyte', async () => {
    await engine.broadcast(items(raws(230)));
    const sizes = network.nodes.flatMap(({ calls }) =>
      calls.filter((methods) => methods[0]?.startsWith('broadcast')).map(({ length }) => length),
    );
    expect(sizes).toEqual([100, 100, 30]);
    for (const node of network.nodes) node.onBroadcast = () => ({ result: { code: 0 } });
    const large = Array.from({ length: 5 }, (_, i) => ({ raw: new Uint8Array(150_000).fill(i) }));
    network.nodes.forEach((node) => (node.calls = []));
    await engine.broadcast(large);
    const largeSizes = network.nodes.flatMap(({ calls }) =>
      calls.filter((methods) => methods[0]?.startsWith('broadcast')).map(({ length }) => length),
    );
    expect(largeSizes).toEqual([2, 2, 1]);
  });

  test('that a node refuses although they are as small as can be make it one that does not answer', async () => {
    for (const node of network.nodes) node.batchMax = 0;
    await expect(engine.broadcast(items(raws(2)))).rejects.toThrow('it refuses');
  });
});

test('how often bytes went out is remembered of so many only', () => {
  const counts = new BroadcastCounts();
  const bytes = (i: number) => ({ raw: Buffer.from(String(i)) });
  expect([counts.next(bytes(0)), counts.next(bytes(0)), counts.next(bytes(1))]).toEqual([0, 1, 0]);
  expect(counts.next({ ...bytes(1), hash: txHash(bytes(1).raw) })).toBe(1);
  for (let i = 2; i <= BROADCASTS_KEPT_MAX + 1; i++) counts.next(bytes(i));
  expect([counts.next(bytes(BROADCASTS_KEPT_MAX)), counts.next(bytes(0))]).toEqual([1, 0]);
});
