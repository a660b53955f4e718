/**
 * One CometBFT node with its built-in kvstore, which checks no signature: broadcast_tx_sync answers when the mempool has a transaction,
 * broadcast_tx_commit when a block does. Tuned: blocks one after the other, no index, no second check of what waits, room for every subscription.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeSettings } from '../../../scripts/localnet/nodes.ts';
import { setToml } from '../../../server/engine/cometbft/home/toml.ts';
import type { PeerScenario } from './peer.ts';

export const KVSTORE = 'kvstore';
/** As long as one of our transfers. */
const TRANSACTION_BYTES = 400;
const MEMPOOL_SIZE = 50_000;
const SUBSCRIBERS_MAX = 1000;

/** Makes a home for a node with one validator. */
export function makeKvstoreHome(cometbft: string, home: string, ports: { rpc: number; p2p: number }): void {
  const { status } = spawnSync(cometbft, ['init', '--home', home], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`cometbft init ended with ${status}`);
  const file = path.join(home, 'config', 'config.toml');
  const settings = nodeSettings({ ...ports, abci: 0 }, '', MEMPOOL_SIZE);
  const tuned = {
    ...settings,
    '': { ...settings[''], proxy_app: KVSTORE },
    rpc: { ...settings['rpc'], max_subscription_clients: SUBSCRIBERS_MAX },
    mempool: { ...settings['mempool'], recheck: false },
    consensus: { ...settings['consensus'], timeout_commit: '1ms' },
    tx_index: { indexer: 'null' },
  };
  writeFileSync(file, setToml(readFileSync(file, 'utf8'), tuned));
}

function scenario(method: string, count: number, connections: number): PeerScenario {
  const bodies = Array.from({ length: count }, (_, index) => {
    const tx = Buffer.from(`${method}${index}=`.padEnd(TRANSACTION_BYTES, 'x')).toString('base64');
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { tx } });
  });
  // Two results stand in an answer of broadcast_tx_commit; a refusal of either has a code other than 0.
  return {
    build: KVSTORE,
    scenario: method,
    connections,
    bodies,
    accepts: (answer) => answer.includes('"code":0') && !/"code":[1-9]|"error"/.test(answer),
  };
}

export const kvstoreScenarios = (count: number): PeerScenario[] => [
  scenario('broadcast_tx_sync', count, 32),
  scenario('broadcast_tx_commit', count, 128),
];
