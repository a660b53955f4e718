/** The nodes of a gateway are named anew while it runs: it goes on with the others, verifies the new ones, and refuses those of another chain. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ScriptedNetwork } from './support/scripted-nodes.ts';

let network: ScriptedNetwork;
beforeEach(() => {
  network = new ScriptedNetwork();
});
afterEach(() => network.dispose());

const url = (i: number): string => network.node(i).url;

test('a gateway follows the chain by other nodes, although none of those before answers any more', async () => {
  await network.start(3);
  const engine = await network.open({ nodeUrls: [url(0)] });
  await network.makeBlocks(2);
  await network.advance(2_000);
  const { height: before } = await engine.status();
  network.node(0).fate = 'refused';
  await engine.replaceNodes([url(1), url(2)]);
  await network.makeBlocks(2);
  await network.advance(2_000);
  const { height, healthy, detail } = await engine.status();
  expect({ healthy, detail }).toEqual({ healthy: true, detail: 'following the chain: 2 of 2 nodes answer' });
  expect(height).toBeGreaterThan(before);
  expect(network.node(0).subscribers.size).toBe(0);
  expect(network.node(1).subscribers.size + network.node(2).subscribers.size).toBe(1);
});

test('a node of another chain is refused, and the nodes before it stay', async () => {
  await network.start(2);
  const engine = await network.open({ nodeUrls: [url(0)] });
  network.node(1).spoil = (method, result) =>
    method === 'status' ? { ...result, node_info: { ...result.node_info, network: 'another-1' } } : result;
  await expect(engine.replaceNodes([url(1)])).rejects.toMatchObject({
    name: 'EngineStartError',
    message: expect.stringContaining('is of chain another-1'),
  });
  expect((await engine.metrics())['nodes']).toBe(1);
  await network.makeBlocks(1);
  await network.advance(2_000);
  expect((await engine.status()).healthy).toBe(true);
});

test('what is known of a node that stays named is kept: one that lied is still left alone', async () => {
  await network.start(2);
  const engine = await network.open({ nodeUrls: [url(0), url(1)] });
  network.node(0).spoil = (method, result) =>
    method === 'commit'
      ? {
          ...result,
          signed_header: { ...result.signed_header, commit: { ...result.signed_header.commit, signatures: [] } },
        }
      : result;
  await network.makeBlocks(3);
  await network.advance(3_000);
  expect((await engine.metrics())['nodes_distrusted']).toBe(1);
  await engine.replaceNodes([url(0)]);
  expect((await engine.metrics())['nodes_distrusted']).toBe(1);
});
