/** A bare CometBFT node with its built-in kvstore, which takes what it is given without looking: `broadcast_tx_sync` of transactions of the same size as ours. */
import path from 'node:path';
import { COMETBFT, makeHome, nodeStarted } from './node-home.ts';
import type { Programs } from './programs.ts';
import type { Side } from './side.ts';
import { transfersOf } from './transfers.ts';

export const broadcastBody = (raw: Uint8Array): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'broadcast_tx_sync',
    params: { tx: Buffer.from(raw).toString('base64') },
  });

export async function bareNode(folder: string, programs: Programs): Promise<Side> {
  const { home, rpc } = await makeHome(path.join(folder, 'bare'), 'kvstore');
  const node = `http://127.0.0.1:${rpc}`;
  const child = programs.launch(COMETBFT, ['start', '--home', home]);
  await nodeStarted(node);
  const size = transfersOf('txledger-bench-1', 0, 1)[0]!.raw.length;
  let made = 0;
  return {
    name: 'bare',
    title: 'bare CometBFT node with kvstore',
    node,
    pids: () => ({ node: [child.pid!] }),
    bodies: (count) => Array.from({ length: count }, () => broadcastBody(Buffer.from(`i${made++}=`.padEnd(size, 'x')))),
    ports: [rpc],
    path: '/',
    perRequest: 1,
    accepted: '"code":0',
  };
}
