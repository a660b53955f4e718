/** Homes of stock nodes with the settings of `npm run localnet`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeSettings } from '../../../scripts/localnet/nodes.ts';
import { setToml } from '../../../server/engine/cometbft/home/toml.ts';
import { freePort } from '../../e2e/support/server.ts';
import { until } from './programs.ts';
import { heightOf } from './side.ts';

export const COMETBFT = process.env['COMETBFT'] ?? 'cometbft';
export const READY_MS_MAX = 60_000;
/** So that a mempool is never what bounds a round. */
const MEMPOOL_SIZE = 50_000;
/** So that a bare node takes batches of any size that is compared. */
const RPC_BATCH_MAX = 1000;

export interface NodeHome {
  home: string;
  /** The port of its RPC. */
  rpc: number;
}

/** A home with one validator. `kvstore` runs in the node itself; an application of ours listens on `abci`. */
export async function makeHome(home: string, application: 'kvstore' | { abci: number }): Promise<NodeHome> {
  const [code] = (await once(spawn(COMETBFT, ['init', '--home', home], { stdio: 'ignore' }), 'exit')) as [
    number | null,
  ];
  if (code !== 0) throw new Error(`cometbft init ended with ${code}`);
  const rpc = await freePort();
  const file = path.join(home, 'config', 'config.toml');
  const settings = nodeSettings(
    { rpc, p2p: await freePort(), abci: application === 'kvstore' ? 0 : application.abci },
    '',
    MEMPOOL_SIZE,
  );
  const own =
    application === 'kvstore'
      ? {
          ...settings,
          '': { ...settings[''], proxy_app: application },
          rpc: { ...settings['rpc'], max_request_batch_size: RPC_BATCH_MAX },
        }
      : settings;
  writeFileSync(file, setToml(readFileSync(file, 'utf8'), own));
  return { home, rpc };
}

export const nodeStarted = (node: string): Promise<void> =>
  until(node, async () => (await heightOf(node)) > 0, READY_MS_MAX);
